import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A forge on loopback, with pages of lists as GitHub and GitLab have them. */
export abstract class FakeForge {
  url = '';
  #next = 1;
  readonly #server = createServer((request, response) => {
    this.respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  /** The path of the API, below which every request is. */
  protected abstract readonly apiPath: string;
  protected abstract respond(request: IncomingMessage, response: ServerResponse): Promise<void>;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.apiPath}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  protected nextId(): number {
    return this.#next++;
  }
}

/** The JSON of the body; an empty object without one. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of requests, as they come
export async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Responds with the result, or with the page of it that the query names. */
export function sendPage(
  { method }: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  { result, pageSize }: { readonly result: unknown; readonly pageSize: number },
): void {
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('per_page') ?? pageSize);
  const shown = Array.isArray(result) ? result.slice((page - 1) * size, page * size) : result;
  response.writeHead(method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(shown));
}
