// Generated from schemas/prompts.schema.json by npm run generate.

/**
 * Name of the prompt (service specification 4.4); confirmation is of the public facts alone (3.2), and a tenant may not have it.
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
 * The template text, inline or from a file below the tenant's folder.
 */
export type PartialText =
  | string
  | {
      file: string;
    };

/**
 * Prompts and their template partials.
 */
export interface PromptsSection {
  [k: string]: DeclaredPrompt;
}
export interface DeclaredPrompt {
  /**
   * Screen, insertion point, text: the whole object that the prompt shall hold.
   */
  partials?: {
    [k: string]: {
      [k: string]: PartialText;
    };
  };
}
/**
 * What a prompt holds: screen, insertion point, text (public facts 3.2).
 */
export interface Partials {
  [k: string]: {
    [k: string]: string;
  };
}
/**
 * Screen, insertion point, text: replaces what the prompt holds (public facts 3.3; service specification 2.5 does not show keys and values).
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
 * Section of the embedded tenant's seed: the partials of each prompt.
 */
export interface SeededPrompts {
  [k: string]: {
    partials: Partials;
  };
}
