export interface JsonLimits {
  readonly values: number;
  readonly levels: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which limit a JSON text exceeds, or null. Of a text that is not JSON, any result will do.
 *
 * The JSON parser cannot be interrupted, and takes seconds for some megabytes of brackets. This scan takes some
 * milliseconds for any text.
 */
export function jsonExcess(bytes: Buffer, most: JsonLimits): keyof JsonLimits | null {
  let values = 1;
  let levels = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
    } else if (byte === comma || byte === colon) values += 1;
    else if (byte === openList || byte === openObject) {
      values += 1;
      levels += 1;
      if (levels > most.levels) return 'levels';
    } else if (byte === closeList || byte === closeObject) levels -= 1;
  }
  return values > most.values ? 'values' : null;
}
