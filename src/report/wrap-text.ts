/** Words in lines of at most `width` characters; a longer word has a line of its own. Later lines get `hanging`. */
export function wrapText(text: string, width: number, hanging = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const next = line === '' || line === hanging ? line + word : `${line} ${word}`;
    if (next.length > width && line.trim() !== '') {
      lines.push(line);
      line = hanging + word;
    } else line = next;
  }
  return line === '' ? lines : [...lines, line];
}
