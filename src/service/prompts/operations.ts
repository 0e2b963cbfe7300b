import { notOnTenant, published, specified } from '../../contract/operation-rows.ts';
import type { GetOperation, Operation } from '../../model/operation.ts';
import { shapes } from './shapes.generated.ts';
import type { Partials, PromptParams, SetPartialsBody } from './types.generated.ts';

export const getPromptPartials: GetOperation<PromptParams, Partials> = {
  id: 'get_prompt_partials',
  api: 'full',
  method: 'GET',
  path: '/prompts/{prompt}/partials',
  summary: 'Get partials of a prompt',
  scope: 'read:prompts',
  lifecycle: 'not shown',
  params: shapes.promptParams,
  response: shapes.partials,
  success: 200,
  quota: 'partials-read',
  // Public facts 3.4.
  lacking: [
    ...notOnTenant,
    { status: 400, message: /requires at least one custom domain/i },
    { status: 403, message: /not available for (?:the|your) plan|does not have custom prompts/i },
  ],
  basis: published('3.1', 'order of screens', 'an empty text is stored'),
};

export const setPromptPartials: Operation<PromptParams, never, SetPartialsBody, Partials> = {
  id: 'set_prompt_partials',
  api: 'documented',
  method: 'PUT',
  path: '/prompts/{prompt}/partials',
  summary: 'Set partials for a prompt',
  scope: 'update:prompts',
  lifecycle: 'not shown',
  params: shapes.promptParams,
  documentedParams: shapes.documentedPromptParams,
  body: { ...shapes.setBody, encodings: ['application/json', 'application/x-www-form-urlencoded'] },
  response: shapes.partials,
  success: 200,
  quota: 'partials-write',
  basis: specified(
    '4.4',
    'scope',
    'success status',
    'response',
    'error responses',
    'keys and values of the partials',
    'length of a text',
    'unknown screens and insertion points are accepted',
    'keys of a form-encoded body',
  ),
};

export const operations: readonly Operation[] = [getPromptPartials, setPromptPartials];
