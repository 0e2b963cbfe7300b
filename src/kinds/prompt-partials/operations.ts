import { shape } from '../../contract/shape.ts';
import type { Operation } from '../../model/operation.ts';
import type { Partials, SetPartialsParams } from './types.generated.ts';
import { validatePartials, validateSetParams } from './validators.generated.ts';

const schema = 'prompt-partials.schema.json#/$defs';

export const setPromptPartials: Operation<SetPartialsParams, never, Partials, Partials> = {
  id: 'set_prompt_partials',
  api: 'documented',
  method: 'PUT',
  path: '/prompts/{prompt}/partials',
  summary: 'Set partials for a prompt',
  scope: 'update:prompts',
  lifecycle: 'not shown',
  params: shape<SetPartialsParams>(`${schema}/set_params`, validateSetParams),
  body: { ...shape<Partials>(`${schema}/partials`, validatePartials), encodings: ['application/json', 'application/x-www-form-urlencoded'] },
  answer: shape<Partials>(`${schema}/partials`, validatePartials),
  success: 200,
  basis: { section: '4.4', assumed: ['scope', 'success status', 'answer', 'error answers', 'keys and values of the partials', 'keys of a form-encoded body'] },
};

export const operations: readonly Operation[] = [setPromptPartials];
