type Encode = (text: string) => string;

const percent: Encode = encodeURIComponent;
const everyPercent: Encode = (text) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const smallPercent: Encode = (text) => percent(text).replaceAll(/%../g, (byte) => byte.toLowerCase());
const form: Encode = (text) => new URLSearchParams({ '': text }).toString().slice(1);
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const asciiJson: Encode = (text) =>
  json(text).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const html: Encode = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('/', '&#47;');
const numbers: Encode = (text) => [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join('');
const hex: Encode = (text) => Buffer.from(text).toString('hex');
const base64: Encode = (text) => Buffer.from(text).toString('base64');
const base64url: Encode = (text) => Buffer.from(text).toString('base64url');

/** Every form in which a program may repeat a text, by its name. */
export const encodings: Readonly<Record<string, Encode>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'percent-encoded': percent,
  'percent-encoded with small letters': smallPercent,
  'percent-encoded completely': everyPercent,
  'percent-encoded twice': (text) => percent(percent(text)),
  'in a form': form,
  'in JSON': json,
  'in ASCII JSON': asciiJson,
  'in JSON twice': (text) => json(json(text)),
  'in ASCII JSON twice': (text) => json(asciiJson(text)),
  'in HTML': html,
  'in HTML twice': (text) => html(html(text)),
  'in numbers of HTML': numbers,
  'in hexadecimal': hex,
  'in hexadecimal with capitals': (text) => hex(text).toUpperCase(),
  'in base64': base64,
  'in base64url': base64url,
  'in basic authorization': (text) => base64(`u:${text}`),
  'in basic authorization of a longer user': (text) => base64(`us:${text}`),
  'in base64 within a text': (text) => base64url(`"${text}"`),
  'percent-encoded base64': (text) => percent(base64(text)),
};
