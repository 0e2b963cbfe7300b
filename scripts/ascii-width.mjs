/** The width of a text on a terminal, for texts that are ASCII beside escape sequences of colour. */
export default function asciiWidth(text) {
  // biome-ignore lint/complexity/useRegexLiterals: the escape character is written out
  return text.replaceAll(new RegExp('\\u001b\\[[0-9;]*m', 'g'), '').length;
}
