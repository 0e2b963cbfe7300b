import { type FaultServer, type RecordedRequest, type ScriptedAnswer, startFaultServer } from './fault-server.ts';

export interface MovingItem {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A tenant with one listing, by cursor in the order of ids, that others change between two requests. */
export interface MovingTenant extends AsyncDisposable {
  readonly server: FaultServer;
  /** Paths of the requests so far, below the base URL. */
  paths(): string[];
}

export interface MovingOptions {
  /** `/rate-limit-policies`, and the key of its items. */
  readonly path: string;
  readonly items: string;
  readonly pageLength: number;
  /** Other clients: called after each response, with its number from 1, to change the items in place. */
  readonly change?: (items: MovingItem[], responses: number) => void;
}

export async function startMovingTenant(
  live: readonly MovingItem[],
  { path, items: itemsKey, pageLength, change = () => {} }: MovingOptions,
): Promise<MovingTenant> {
  const items = [...live];
  let responses = 0;
  const respond = (request: RecordedRequest): ScriptedAnswer => {
    const url = new URL(request.path, 'http://x');
    const below = url.pathname.slice('/api/v2'.length);
    if (below !== path) {
      const found = items.find(({ id }) => below === `${path}/${id}`);
      return found === undefined
        ? { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'The event stream does not exist.' } }
        : { body: found };
    }
    const { take: _take, from = '', ...filters } = Object.fromEntries(url.searchParams);
    const matching = items
      .filter((item) => Object.entries(filters).every(([field, value]) => item[field] === value))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .filter(({ id }) => id > from);
    const page = matching.slice(0, pageLength);
    const next = matching.length > pageLength ? { next: page.at(-1)?.id } : {};
    return { body: { [itemsKey]: page, ...next } };
  };
  const server = await startFaultServer((request) => {
    // As the service has seen it: what others change is in the next response.
    const answer = structuredClone(respond(request));
    responses += 1;
    change(items, responses);
    return answer;
  });
  return {
    server,
    paths: () => server.requests.map((request) => request.path.slice('/api/v2'.length)),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
