import { visibleText } from '../escape.ts';

/** A piece of HTML. Only this file makes one from a string, so that everything else is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | readonly Content[];

/** Everything that is put in is text, also in the value of an attribute in quotes; lists are joined, null is nothing. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (let index = 0; index < contents.length; index++) text += htmlOf(contents[index] ?? null) + parts[index + 1];
  return new Markup(text);
}

function htmlOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'string') return escaped(visibleText(content));
  if (typeof content === 'number') return String(content);
  let text = '';
  for (const one of content) text += htmlOf(one);
  return text;
}

/** Code of a line: tabs are kept. */
export function codeMarkup(code: string): Markup {
  return new Markup(code.includes('\t') ? code.split('\t').map(codeText).join('\t') : codeText(code));
}

function codeText(code: string): string {
  return escaped(visibleText(code));
}

/** The style of the page, which is ours. */
export function ownMarkup(text: string): Markup {
  return new Markup(text);
}

const special = /[&<>"']/;
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Also without `##[`: a page that is printed in a workflow has no command for its runner. */
function escaped(text: string): string {
  const plain = special.test(text) ? text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '') : text;
  return plain.includes('##[') ? plain.replaceAll('##[', '##&#91;') : plain;
}
