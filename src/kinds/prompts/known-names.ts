/** Screens of each prompt. Which ones `confirmation` has is not known (public facts 3.2). */
export const knownScreens: ReadonlyMap<string, readonly string[]> = new Map([
  ['login', ['login']],
  ['login-id', ['login-id']],
  ['login-password', ['login-password']],
  ['login-passwordless', ['login-passwordless-email-code', 'login-passwordless-sms-otp']],
  ['signup', ['signup']],
  ['signup-id', ['signup-id']],
  ['signup-password', ['signup-password']],
  ['customized-consent', ['customized-consent']],
  ['passkeys', ['passkey-enrollment', 'passkey-enrollment-local']],
]);

/** Insertion points of screens. A screen may have fewer; which ones is not shown for every screen (public facts 3.2). */
export const knownInsertionPoints: readonly string[] = [
  'form-content',
  'form-content-start',
  'form-content-end',
  'form-footer-start',
  'form-footer-end',
  'secondary-actions-start',
  'secondary-actions-end',
];
