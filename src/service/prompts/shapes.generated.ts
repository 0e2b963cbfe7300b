// Generated from schemas/prompts.schema.json by npm run generate.
import { readShape, shape } from '../../contract/shape.ts';
import { exactPartials } from './exact-validators.generated.ts';
import { tolerantPartials } from './tolerant-validators.generated.ts';
import { validateSection } from './section-validators.generated.ts';
import type { DocumentedPromptParams, Partials, PromptParams, SetPartialsBody } from './types.generated.ts';
import { validateDocumentedPromptParams, validatePartials, validatePromptParams, validateSetBody } from './validators.generated.ts';

export const shapes = {
  section: shape<unknown>('prompts.schema.json', validateSection),
  partials: readShape<Partials>('prompts.schema.json#/$defs/partials', validatePartials, { exact: exactPartials, tolerant: tolerantPartials }),
  setBody: shape<SetPartialsBody>('prompts.schema.json#/$defs/set_body', validateSetBody),
  promptParams: shape<PromptParams>('prompts.schema.json#/$defs/prompt_params', validatePromptParams),
  documentedPromptParams: shape<DocumentedPromptParams>('prompts.schema.json#/$defs/documented_prompt_params', validateDocumentedPromptParams),
};
