// Operations that only the peer asks for and that the embedded tenant does not have: what a tenant without any such thing answers.
const none = (name) => () => ({ [name]: [], start: 0, limit: 100, total: 0 });
const echo = (body) => body;

const operations = [
  ['GET', /^\/clients$/, none('clients')],
  ['GET', /^\/actions\/actions$/, none('actions')],
  [
    'GET',
    /^\/prompts$/,
    () => ({ universal_login_experience: 'new', identifier_first: false, webauthn_platform_first_factor: false }),
  ],
  ['PATCH', /^\/prompts$/, echo],
  ['GET', /^\/prompts\/rendering$/, none('configs')],
  ['GET', /^\/prompts\/[^/]+\/custom-text\/[^/]+$/, () => ({})],
  ['GET', /^\/tenants\/settings$/, () => ({ enabled_locales: ['en'] })],
];

/** How to answer such a request from its decoded body, or undefined when the embedded tenant has to answer it. */
export function neutralAnswer(method, path) {
  return operations.find(([known, pattern]) => known === method && pattern.test(path))?.[2];
}
