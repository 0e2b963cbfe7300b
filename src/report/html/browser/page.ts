// The script of the HTML report: it searches in the rows of each article, and opens them. Without it everything else is
// shown.

interface Row {
  readonly element: HTMLElement;
  readonly section: HTMLElement;
  readonly count: number;
  /** In lower case; made for the first search. */
  text: string | null;
}

for (const filters of document.querySelectorAll<HTMLElement>('.filters')) {
  const article = filters.closest('article');
  const query = filters.querySelector<HTMLInputElement>('input[type=search]');
  const shown = filters.querySelector('.shown');
  if (article !== null && query !== null && shown !== null) filterRows({ article, filters, query, shown });
}

interface Parts {
  readonly article: HTMLElement;
  readonly filters: HTMLElement;
  readonly query: HTMLInputElement;
  readonly shown: Element;
}

function filterRows({ article, filters, query, shown }: Parts): void {
  const rows: readonly Row[] = [...article.querySelectorAll<HTMLElement>('[data-row]')].map((element) => ({
    element,
    section: element.closest('section') ?? element,
    count: Number(element.dataset['count']),
    text: null,
  }));
  const sections = new Set(rows.map(({ section }) => section));
  const digits = new Intl.NumberFormat('en');
  const total = digits.format(rows.reduce((sum, { count }) => sum + count, 0));

  const apply = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filled = new Set<HTMLElement>();
    let count = 0;
    for (const row of rows) {
      const isShown = words.every((word) => textOf(row).includes(word));
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
  // A browser keeps what was searched for when it loads the page again.
  apply();
  filters.hidden = false;
}

function textOf(row: Row): string {
  row.text ??= (row.element.textContent ?? '').toLowerCase();
  return row.text;
}
