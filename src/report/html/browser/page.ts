// The script of the HTML report: it filters the rows of each article, and opens them. Without it everything else is
// shown.

interface Row {
  readonly element: HTMLElement;
  readonly section: HTMLElement;
  readonly facets: DOMStringMap;
  readonly count: number;
  /** In lower case; made for the first search. */
  text: string | null;
}

for (const filters of document.querySelectorAll<HTMLElement>('.filters')) {
  const article = filters.closest('article');
  const query = filters.querySelector<HTMLInputElement>('input[type=search]');
  const shown = filters.querySelector('.shown');
  const choices = filters.querySelector('details');
  if (article !== null && query !== null && shown !== null && choices !== null)
    filterRows({ article, filters, query, shown, choices });
}

interface Parts {
  readonly article: HTMLElement;
  readonly filters: HTMLElement;
  readonly query: HTMLInputElement;
  readonly shown: Element;
  readonly choices: HTMLDetailsElement;
}

function filterRows({ article, filters, query, shown, choices }: Parts): void {
  const rows: readonly Row[] = [...article.querySelectorAll<HTMLElement>('[data-row]')].map((element) => ({
    element,
    section: element.closest('section') ?? element,
    facets: element.dataset,
    count: Number(element.dataset['count']),
    text: null,
  }));
  const sections = new Set(rows.map(({ section }) => section));
  const boxes = [...filters.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  const digits = new Intl.NumberFormat('en');
  const total = digits.format(rows.reduce((sum, { count }) => sum + count, 0));

  const apply = () => {
    const wanted = new Map<string, Set<string>>();
    for (const { name, value, checked } of boxes)
      if (checked) wanted.set(name, (wanted.get(name) ?? new Set()).add(value));
    const facets = [...wanted];
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filled = new Set<HTMLElement>();
    let count = 0;
    for (const row of rows) {
      const isShown =
        facets.every(([name, values]) => values.has(row.facets[name] ?? '')) &&
        words.every((word) => textOf(row).includes(word));
      if (row.element.hidden === isShown) row.element.hidden = !isShown;
      if (!isShown) continue;
      count += row.count;
      filled.add(row.section);
    }
    for (const section of sections) section.hidden = !filled.has(section);
    shown.textContent = `${digits.format(count)} of ${total} shown`;
  };

  const open = (isOpen: boolean) => {
    for (const { element } of rows)
      if (!element.hidden)
        for (const details of element.querySelectorAll<HTMLDetailsElement>('.row')) details.open = isOpen;
  };
  const clear = () => {
    for (const box of boxes) box.checked = false;
    query.value = '';
    apply();
    query.focus();
  };

  filters.addEventListener('input', apply);
  filters.addEventListener('click', ({ target }) => {
    const action = target instanceof HTMLElement ? target.dataset['do'] : undefined;
    if (action === 'clear') clear();
    else if (action !== undefined) open(action === 'open');
  });
  // A browser keeps what was chosen when it loads the page again.
  apply();
  filters.hidden = false;
  choices.open = matchMedia('(min-width: 48.01rem)').matches;
  // Below a long refusal, the first loss is worth more than the filters.
  if ((rows[0]?.element.getBoundingClientRect().bottom ?? 0) > innerHeight) choices.open = false;
}

function textOf(row: Row): string {
  row.text ??= (row.element.textContent ?? '').toLowerCase();
  return row.text;
}
