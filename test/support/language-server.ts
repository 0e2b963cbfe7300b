import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Completion {
  readonly label: string;
  readonly insertText: string;
  readonly documentation: string;
}

export interface Problem {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export interface LanguageServer {
  /** Opens a file of the disk, or replaces its text in the editor; returns what the editor underlines. */
  open(path: string, text?: string): Promise<readonly Problem[]>;
  complete(path: string, position: Position): Promise<readonly Completion[]>;
  /** The hover text as Markdown; '' for none. */
  hover(path: string, position: Position): Promise<string>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const server = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');

/**
 * The YAML language server that editors run, over its protocol, in a process of its own. Its settings are those of an
 * editor without any: schemas come from the comments of the files alone.
 */
export async function startLanguageServer(root: string): Promise<LanguageServer> {
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (message: Message) => void>();
  const problems = new Map<string, (found: readonly Problem[]) => void>();
  const versions = new Map<string, number>();
  let ids = 0;
  let buffer = Buffer.alloc(0);

  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let message = next(); message !== null; message = next()) receive(message);
  });

  function next(): Message | null {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('ascii', 0, end))?.[1]);
    if (buffer.length < end + 4 + length) return null;
    const message = JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length)) as Message;
    buffer = buffer.subarray(end + 4 + length);
    return message;
  }

  function receive({ id, method, params, ...message }: Message): void {
    if (method === undefined) {
      waiting.get(id ?? -1)?.(message);
      waiting.delete(id ?? -1);
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { readonly uri: string; readonly diagnostics: readonly Problem[] };
      problems.get(uri)?.(diagnostics);
    } else if (id !== undefined) {
      // Settings and registrations that the server asks for.
      const asked = (params as { readonly items?: readonly unknown[] }).items ?? [];
      send({ id, result: method === 'workspace/configuration' ? asked.map(() => null) : null });
    }
  }

  function send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  function request(method: string, params: unknown): Promise<unknown> {
    ids += 1;
    const id = ids;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
      send({ id, method, params });
    });
  }

  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'root' }],
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown', 'plaintext'] } },
        hover: { contentFormat: ['markdown'] },
        publishDiagnostics: {},
      },
      workspace: { configuration: true },
    },
  });
  send({ method: 'initialized', params: {} });

  const at = (path: string, position: Position) => ({ textDocument: { uri: pathToFileURL(path).href }, position });
  return {
    async open(path, given) {
      const uri = pathToFileURL(path).href;
      const text = given ?? (await readFile(path, 'utf8'));
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      const found = new Promise<readonly Problem[]>((resolve) => problems.set(uri, resolve));
      if (version === 1)
        send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version, text } } });
      else
        send({
          method: 'textDocument/didChange',
          params: { textDocument: { uri, version }, contentChanges: [{ text }] },
        });
      return found;
    },
    async complete(path, position) {
      const result = (await request('textDocument/completion', at(path, position))) as {
        readonly items: readonly (Omit<Completion, 'documentation'> & {
          readonly documentation?: string | { readonly value: string };
        })[];
      };
      return result.items.map(({ label, insertText, documentation = '' }) => ({
        label,
        insertText,
        documentation: typeof documentation === 'string' ? documentation : documentation.value,
      }));
    },
    async hover(path, position) {
      const result = (await request('textDocument/hover', at(path, position))) as {
        readonly contents: { readonly value: string };
      } | null;
      return result?.contents.value ?? '';
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await request('shutdown', null);
      send({ method: 'exit' });
      child.stdin.end();
      const timer = setTimeout(() => child.kill(), 3000);
      await ended;
      clearTimeout(timer);
    },
  };
}
