/**
 * A text as one word of a POSIX shell. Characters that a report cannot print as they are become escapes, which bash and
 * zsh understand.
 *
 *   roles/Support       roles/Support
 *   roles/Support EU    'roles/Support EU'
 *   it's                'it'\''s'
 */
export function shellWord(text: string): string {
  if (/^[\w./:=,@%+-]+$/.test(text)) return text;
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}|##\[/u.test(text))
    return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${[...text].map(escaped).join('')}'`;
}

function escaped(character: string): string {
  if (/[\w ./:=,@%+-]/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
