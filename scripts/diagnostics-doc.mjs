// docs/diagnostics.md from the table of codes. `--check` fails when it is stale.
import { groups, introduction } from './codes.mjs';
import { keepCurrent } from './generated-doc.mjs';

const width = 120;

keepCurrent('diagnostics.md', render());

function render() {
  return [
    '<!-- Generated from src/diagnostics/codes.yaml by npm run docs. -->',
    '# Diagnostics',
    '',
    introduction,
    ...groups.flatMap(({ group, text, entries }) => [
      `## ${group}`,
      '',
      ...(text === '' ? [] : [text]),
      ...entries.flatMap(section),
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function section({ code, severity, cause, fix, exit_code }) {
  return [
    `### ${code}`,
    '',
    ...item(severity === null ? exit_code : `Severity: ${severity}. ${exit_code}`),
    ...item(`Cause: ${cause}`),
    ...item(`Fix: ${fix}`),
    '',
  ];
}

/** A list item in lines of the width of the other pages. Code below it is indented with it. */
function item(text) {
  const [paragraph, ...blocks] = text.split('\n\n');
  const lines = [''];
  for (const word of paragraph.split(/\s+/)) {
    const line = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (line.length + 2 <= width || lines.at(-1) === '') lines[lines.length - 1] = line;
    else lines.push(word);
  }
  const below = blocks.flatMap((block) => ['', ...block.split('\n')]);
  return [...lines, ...below].map((line, index) => (line === '' ? '' : `${index === 0 ? '- ' : '  '}${line}`));
}
