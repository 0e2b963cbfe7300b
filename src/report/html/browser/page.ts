// The script of the HTML report. It filters the rows and folds them; without it, everything is readable and shown.

interface Row {
  readonly element: HTMLElement;
  readonly section: HTMLElement;
  readonly facets: Readonly<Record<string, string | undefined>>;
  readonly count: number;
  /** In lower case; made for the first search. */
  text: string | null;
}

const element = <Wanted extends HTMLElement>(id: string) => document.getElementById(id) as Wanted | null;
const filters = element('filters');
const query = element<HTMLInputElement>('query');
const shown = element('shown');

if (filters !== null && query !== null && shown !== null) {
  const rows: readonly Row[] = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => ({
    element: row,
    section: row.closest('section') ?? row,
    facets: { ...row.dataset },
    count: Number(row.dataset['count'] ?? 1),
    text: null,
  }));
  const sections = new Set(rows.map(({ section }) => section));
  const boxes = [...filters.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const digits = new Intl.NumberFormat('en');

  const apply = () => {
    const wanted = new Map<string, Set<string>>();
    for (const { name, value, checked } of boxes)
      if (checked) wanted.set(name, (wanted.get(name) ?? new Set()).add(value));
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filled = new Set<HTMLElement>();
    let count = 0;
    for (const row of rows) {
      const isShown =
        [...wanted].every(([name, values]) => values.has(row.facets[name] ?? '')) &&
        (words.length === 0 || words.every((word) => textOf(row).includes(word)));
      if (row.element.hidden === isShown) row.element.hidden = !isShown;
      if (isShown) {
        count += row.count;
        filled.add(row.section);
      }
    }
    for (const section of sections) section.hidden = !filled.has(section);
    shown.textContent = `${digits.format(count)} of ${digits.format(total)} shown`;
  };

  filters.addEventListener('input', apply);
  element('clear')?.addEventListener('click', () => {
    for (const box of boxes) box.checked = false;
    query.value = '';
    apply();
    query.focus();
  });
  const fold = (isOpen: boolean) => () => {
    for (const row of rows) {
      const details = row.element.hidden ? null : row.element.querySelector('details');
      if (details !== null) details.open = isOpen;
    }
  };
  element('expand')?.addEventListener('click', fold(true));
  element('collapse')?.addEventListener('click', fold(false));
  // Browsers keep what was typed when a page is loaded again.
  apply();
  filters.hidden = false;
}

function textOf(row: Row): string {
  row.text ??= (row.element.textContent ?? '').toLowerCase();
  return row.text;
}
