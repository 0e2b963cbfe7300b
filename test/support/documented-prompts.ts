/** The prompts that the service specification lists. */
export const documentedPrompts = [
  'login',
  'login-id',
  'login-password',
  'login-passwordless',
  'signup',
  'signup-id',
  'signup-password',
  'customized-consent',
  'passkeys',
] as const;
