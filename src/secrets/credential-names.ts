const words =
  /password|passwd|passphrase|secret|token|credential|apikey|accesskey|privatekey|authorization|assertion|signature/;

/**
 * True for a name that suggests a credential, however it is spelled: api_key, clientSecret, X-Auth-Token. For data of
 * unknown shape, where leaving out too much is the smaller mistake.
 */
export function namesCredential(name: string): boolean {
  return words.test(name.replaceAll(/[^A-Za-z]/g, '').toLowerCase());
}

/** True for a text that has the form of a credential: a JSON Web Token, or the value of an Authorization header. */
export function isCredential(text: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text) || /^(?:Bearer|Basic)\s+\S/i.test(text);
}
