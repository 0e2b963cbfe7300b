// The words that follow from names.

const capitals = [
  'acr',
  'api',
  'aws',
  'cidr',
  'dpop',
  'html',
  'http',
  'https',
  'ip',
  'jwe',
  'jwks',
  'jwt',
  'mfa',
  'oidc',
  'otp',
  'par',
  'pkce',
  'saml',
  'sms',
  'sso',
  'tls',
  'uri',
  'url',
  'xml',
];

/** `redirect_uri` is `Redirect URI`, and `enabledDatabaseCustomization` is `Enabled database customization`. */
export function titleOf(name) {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (capitals.includes(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()));
  return capital(words.join(' '));
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `policies` is `policy`. */
export function singular(name) {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** `an API`, `a client`. */
export function withArticle(noun) {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names, last = 'and') {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** `/client-grants/{id}` and `get` are in the name `getClientGrant`. */
export function camel(name) {
  return name.replaceAll(/[-_](\w)/g, (_whole, letter) => letter.toUpperCase());
}

/** The members of these names that an object has. */
export function pick(object, names) {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}
