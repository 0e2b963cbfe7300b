type Encode = (text: string) => string;

const percent: Encode = encodeURIComponent;
const smallPercent: Encode = (text) => percent(text).replaceAll(/%../g, (byte) => byte.toLowerCase());
const form: Encode = (text) => new URLSearchParams({ '': text }).toString().slice(1);
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const html: Encode = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const base64: Encode = (text) => Buffer.from(text).toString('base64');
const base64url: Encode = (text) => Buffer.from(text).toString('base64url');

/** Every form in which a program may repeat a text, by its name. */
export const encodings: Readonly<Record<string, Encode>> = {
  'as it is': (text) => text,
  'percent-encoded': percent,
  'percent-encoded with small letters': smallPercent,
  'in a form': form,
  'in JSON': json,
  'in HTML': html,
  'in the id of an action': (text) => text.replaceAll(/[%#{}]/g, percent),
  'in base64': base64,
  'in base64url': base64url,
  'in basic authorization': (text) => base64(`u:${text}`),
  'in basic authorization of a longer user': (text) => base64(`us:${text}`),
  'in base64 within a text': (text) => base64url(`"${text}"`),
  'percent-encoded base64': (text) => percent(base64(text)),
};
