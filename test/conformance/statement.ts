import type { ApiLevel } from '../../src/model/operation.ts';

/**
 * A statement of the service specification in our own words, and the checks that hold it: requests to the embedded
 * tenant, values for the client's own schemas, and cells of its operations. Rows are plain data, because they are also
 * printed (docs/internals/conformance.md).
 */
export interface Statement {
  /** Section of the service specification. */
  readonly section: string;
  readonly text: string;
  readonly checks: readonly Check[];
}

export type Check = RequestCheck | PagesCheck | ValueCheck | PolicyCheck | RowCheck | ScopeCheck;

export interface RequestCheck {
  readonly request: ConformanceRequest;
  readonly expected: Expected;
}

export interface ConformanceRequest {
  readonly method: string;
  /** Below the base URL; with `from: 'origin'`, from the host on. */
  readonly path: string;
  readonly from?: 'origin';
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as a form. */
  readonly body?: string | object;
  /** Default: a client with every scope. Otherwise the name of a client, or a token that no client has. */
  readonly token?: string;
  /** The operations that the tenant serves. Default: documented. */
  readonly api?: ApiLevel;
  /** How many times the request is sent, to a tenant that allows one; the last response counts. */
  readonly times?: number;
}

export interface Expected {
  readonly status: number;
  /** What the body contains. */
  readonly body?: object;
  /** A part of the message. */
  readonly message?: string;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  /** Number of items under this key. */
  readonly length?: readonly [string, number];
  /** The only keys that may occur at this JSON pointer. */
  readonly keys?: readonly [string, readonly string[]];
  /** Names of headers. */
  readonly headers?: readonly string[];
  readonly contentType?: string;
  /** A part of the tenant's state afterwards; undefined if there is nothing at the JSON pointer. */
  readonly state?: readonly [string, unknown];
}

/** A listing is read to its end, `next` of each page as `from` of the following one. */
export interface PagesCheck {
  readonly pages: string;
  readonly items: string;
  readonly expected: { readonly pages: number; readonly items: number };
}

/** A value against a schema of the client. Of a policy or a live stream, only what differs from a valid one. */
export interface ValueCheck {
  readonly shape: string;
  readonly value: unknown;
  readonly valid: boolean;
}

/**
 * A policy with a change: valid in the files, in a POST and when it is read, or refused in the files and in a POST.
 * A field that is undefined is left out.
 */
export interface PolicyCheck {
  readonly policy: object;
  readonly valid: boolean;
}

/** Cells of an operation row. */
export interface RowCheck {
  readonly operation: string;
  readonly cells: object;
}

/** Scopes of a client in the seed: all accepted, or each refused. */
export interface ScopeCheck {
  readonly scopes: readonly string[];
  readonly valid: boolean;
}

/** `say('2.1', 'An id is required.', check, …)` */
export function section(name: string) {
  return (text: string, ...checks: readonly Check[]): Statement => ({ section: name, text, checks });
}

type Options = Omit<ConformanceRequest, 'method' | 'path' | 'body'>;

export function get(path: string, expected: Expected | number, options: Options = {}): RequestCheck {
  return { request: { method: 'GET', path, ...options }, expected: expectedOf(expected) };
}

export function send(
  method: string,
  path: string,
  body: string | object | undefined,
  expected: Expected | number,
  options: Options = {},
): RequestCheck {
  return {
    request: { method, path, ...(body === undefined ? {} : { body }), ...options },
    expected: expectedOf(expected),
  };
}

function expectedOf(expected: Expected | number): Expected {
  return typeof expected === 'number' ? { status: expected } : expected;
}

export const accepts = (shape: string, ...values: readonly unknown[]): Check[] =>
  values.map((value) => ({ shape, value, valid: true }));
export const refuses = (shape: string, ...values: readonly unknown[]): Check[] =>
  values.map((value) => ({ shape, value, valid: false }));
export const policy = (change: object): PolicyCheck => ({ policy: change, valid: true });
export const noPolicy = (change: object): PolicyCheck => ({ policy: change, valid: false });
export const row = (operation: string, cells: object): RowCheck => ({ operation, cells });

export const policies = '/rate-limit-policies';
export const streams = '/event-streams';
export const support = '/roles/rol_support/permissions';
export const pair = (name: string) => ({
  resource_server_identifier: 'https://orders.example/',
  permission_name: name,
});
export const formPair = (index: number, name: string) =>
  `permissions[${index}][resource_server_identifier]=https://orders.example/&permissions[${index}][permission_name]=${name}`;
