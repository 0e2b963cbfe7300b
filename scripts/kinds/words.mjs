// The words that follow from names.

const capitals = new Set(
  'acr api aws cidr dpop html http https ip jwe jwks jwt mfa oidc otp par pkce saml sms sso tls uri url xml'.split(' '),
);

/** `redirect_uri` is `Redirect URI`, and `enabledDatabaseCustomization` is `Enabled database customization`. */
export function titleOf(name) {
  const words =
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return capital(words.map((word) => (capitals.has(word) ? word.toUpperCase() : word)).join(' '));
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

/** `list_query` is `listQuery`. */
export function camel(name) {
  return name.replaceAll(/[-_](\w)/g, (_whole, letter) => letter.toUpperCase());
}

/** The members of these names that an object has. */
export function pick(object, names) {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}
