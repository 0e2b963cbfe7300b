// The pattern of each text format, for any validator but the one of this tool, and what an error says of it. The tool itself
// checks a format by its function in src/contract/formats.ts, which can refuse more and names the rule.
//
// A pattern that allows more than one spelling also accepts a value with `${var:NAME}`: nobody else substitutes variables.

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const address = `${octet}(?:\\.${octet}){3}`;
const piece = '[0-9A-Fa-f]{1,4}';
const last = `(?:${piece}:${piece}|${address})`;
const pieces = (count) => `(?:${piece}:){${count}}`;
const upTo = (count) => `(?:(?:${piece}:){0,${count}}${piece})?`;

/** An address of IPv6 (RFC 3986, 3.2.2): eight pieces, or fewer around one `::`. */
const address6 = [
  `${pieces(6)}${last}`,
  `::${pieces(5)}${last}`,
  ...[0, 1, 2, 3, 4].map((before) => `${upTo(before)}::${pieces(4 - before)}${last}`),
  `${upTo(5)}::${piece}`,
  `${upTo(6)}::`,
].join('|');

/** No number, also as the last label of a name: browsers read it as an address. */
const notNumber = '(?!(?:[^/?#:]*\\.)?(?:\\d+|0[xX][0-9A-Fa-f]*)\\.?(?:[:/?#]|$))';
const label = "[A-Za-z0-9_~!$&'()*+,;=-]+";
const host = `(?:\\[(?:${address6})\\]|${address}|${notNumber}${label}(?:\\.${label})*\\.?)`;
const port = '(?::(?:0*(?:[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]|[1-9]\\d{0,3}))?)?';
const characters = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*";
const https = '[hH][tT][tT][pP][sS]:';
const uri = `${https}//${host}${port}(?:[/?]${characters})?(?:#${characters})?$`;
const variable = '(?:^|[^$])\\$\\{(?:var|env):[A-Za-z_][A-Za-z0-9_]*\\}';
const segment = '^(?!\\.{1,2}$)';

export const formats = {
  'date-time': {},
  'strict-https-uri': {
    pattern: `^${uri}|${variable}`,
    message:
      'Write a complete https:// address with a host and without credentials; escape every other character, as in %C3%A9.',
  },
  'client-selector': {
    pattern: `^client_id:(?:(?!${https})[^\\s\\p{Cc}\\p{Cs}]+$|${uri})|${variable}`,
    message: 'Write client_id: and an id, or an https:// address, without spaces.',
  },
  'rate-limit-policy-id': { pattern: `${segment}[A-Za-z0-9._~-]+$` },
  'path-segment': {
    pattern: `${segment}[^/\\\\\\s\\p{Cc}\\p{Cs}]*$`,
    message: 'Write an id without slashes and spaces.',
  },
  'event-stream-id': { pattern: '^est_[A-Za-z0-9]{1,22}$' },
  'secret-reference': {
    pattern: '^\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}$',
    message: 'Write ${env:NAME} and nothing else.',
  },
};
