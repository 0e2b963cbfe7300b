import { readShape, shape } from '../../contract/shape.ts';
import type { GetOperation, Operation } from '../../model/operation.ts';
import { exactPartials } from './exact-validators.generated.ts';
import { tolerantPartials } from './tolerant-validators.generated.ts';
import type { Partials, PromptParams, SetPartialsBody } from './types.generated.ts';
import {
  validateDocumentedPromptParams,
  validatePartials,
  validatePromptParams,
  validateSetBody,
} from './validators.generated.ts';

const schema = 'prompts.schema.json#/$defs';
const params = shape<PromptParams>(`${schema}/prompt_params`, validatePromptParams);
const partials = readShape<Partials>(`${schema}/partials`, validatePartials, {
  exact: exactPartials,
  tolerant: tolerantPartials,
});
const documentedParams = shape<PromptParams>(`${schema}/documented_prompt_params`, validateDocumentedPromptParams);
export const setPartialsBody = shape<SetPartialsBody>(`${schema}/set_body`, validateSetBody);

export const getPromptPartials: GetOperation<PromptParams, Partials> = {
  id: 'get_prompt_partials',
  api: 'full',
  method: 'GET',
  path: '/prompts/{prompt}/partials',
  summary: 'Get partials of a prompt',
  scope: 'read:prompts',
  lifecycle: 'not shown',
  params,
  response: partials,
  success: 200,
  quota: 'partials-read',
  basis: { source: 'public', section: '3.1', assumed: ['order of screens', 'an empty text is stored'] },
};

export const setPromptPartials: Operation<PromptParams, never, SetPartialsBody, Partials> = {
  id: 'set_prompt_partials',
  api: 'documented',
  method: 'PUT',
  path: '/prompts/{prompt}/partials',
  summary: 'Set partials for a prompt',
  scope: 'update:prompts',
  lifecycle: 'not shown',
  params,
  documentedParams,
  body: { ...setPartialsBody, encodings: ['application/json', 'application/x-www-form-urlencoded'] },
  response: partials,
  success: 200,
  quota: 'partials-write',
  basis: {
    source: 'documented',
    section: '4.4',
    assumed: [
      'scope',
      'success status',
      'response',
      'error responses',
      'keys and values of the partials',
      'length of a text',
      'unknown screens and insertion points are accepted',
      'keys of a form-encoded body',
    ],
  },
};

export const operations: readonly Operation[] = [getPromptPartials, setPromptPartials];
