// Generated from schemas/prompts.schema.json by npm run generate.

import type { Absent, Unmanaged } from '../../model/item.generated.ts';

/**
 * Name of a prompt (service specification 4.4). confirmation is known from public facts only (3.2); a tenant may not have it.
 */
export type Prompt =
  | 'login'
  | 'login-id'
  | 'login-password'
  | 'login-passwordless'
  | 'signup'
  | 'signup-id'
  | 'signup-password'
  | 'customized-consent'
  | 'passkeys'
  | 'confirmation';
/**
 * The template: text, or { file: PATH } for a file in the folder of the tenant.
 */
export type PartialText =
  | string
  | {
      /**
       * A file with the template. The path is relative to this YAML file, and must be inside the folder of the tenant.
       */
      file: string;
    };

/**
 * Prompts and their partials. Prompts that are not listed are left alone, and read only if undeclared reports them.
 */
export interface PromptsSection {
  [k: string]: DeclaredPrompt;
}
/**
 * A prompt with its partials.
 */
export interface DeclaredPrompt {
  /**
   * All partials of the prompt: screen, insertion point, text. Live partials that are not listed are removed.
   */
  partials?: {
    /**
     * A screen of the prompt: insertion points with their texts.
     */
    [k: string]: {
      [k: string]: PartialText;
    };
  };
  absent?: Absent;
  unmanaged?: Unmanaged;
}
/**
 * Partials of a prompt: screen, insertion point, text (public facts 3.2).
 */
export interface Partials {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * Screen, insertion point, text; replaces all partials of the prompt (public facts 3.3; service specification 2.5 does not show keys and values).
 */
export interface SetPartialsBody {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * Service specification 4.4.
 */
export interface PromptParams {
  prompt: Prompt;
}
/**
 * The nine prompts of the service specification (4.4).
 */
export interface DocumentedPromptParams {
  prompt?:
    | 'login'
    | 'login-id'
    | 'login-password'
    | 'login-passwordless'
    | 'signup'
    | 'signup-id'
    | 'signup-password'
    | 'customized-consent'
    | 'passkeys';
  [k: string]: unknown;
}
/**
 * Section of the embedded tenant's seed: the partials of each prompt.
 */
export interface SeededPrompts {
  [k: string]: {
    partials: Partials;
  };
}
