import type { ProxySettings } from '../model/client.ts';
import { InternalError } from '../model/internal-error.ts';
import { tried } from '../values/tried.ts';
import { isLoopback } from './formats.ts';

/** A proxy, and how it is authenticated to. */
export interface HttpProxy {
  readonly url: URL;
  /** The value of its Proxy-Authorization header; undefined if its URL has no user. */
  readonly authorization: string | undefined;
}

/** The variables that most programs share. The names in small letters go first, as in curl. */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const variable = (name: string) => env[name.toLowerCase()] || env[name];
  return { https: variable('HTTPS_PROXY'), http: variable('HTTP_PROXY'), exceptions: variable('NO_PROXY') };
}

const hint =
  'set it to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with the user and the password percent-encoded, such as %40 for @';

/** A variable that cannot be used. No text repeats any of its value. */
interface ProxyProblem {
  readonly name: string;
  readonly why: string;
  readonly hint: string;
}

/** Why the proxy for a URL cannot be used; null if it can, or if there is none. */
export function proxyProblem(target: string, settings?: ProxySettings): ProxyProblem | null {
  const text = proxyText(new URL(target), settings);
  const name = target.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return text === undefined || proxyUrl(text) !== null
    ? null
    : { name, why: 'it is not the URL of an http proxy', hint };
}

/** The proxy that requests to a URL go through; null without one. */
export function proxyFor(target: string, settings?: ProxySettings): HttpProxy | null {
  const text = proxyText(new URL(target), settings);
  if (text === undefined) return null;
  const url = proxyUrl(text);
  if (url === null) throw new InternalError('the URL of the proxy was not checked');
  const user = userOf(url);
  return { url, authorization: user && `Basic ${Buffer.from(user).toString('base64')}` };
}

/** Why requests to a URL go through no proxy although a variable names one; undefined if none does, and for loopback. */
export function whyDirect(target: string, settings: ProxySettings = {}): string | undefined {
  const url = new URL(target);
  if (isThisMachine(url) || proxyText(url, settings) !== undefined) return undefined;
  if (proxyText(url, { ...settings, exceptions: '' })) return 'NO_PROXY excludes the host from the proxy';
  return settings.http && !settings.https ? 'HTTP_PROXY is not for https, HTTPS_PROXY is' : undefined;
}

/** What no output may show: the passwords as they are written, as they are meant, and as they are sent. */
export function proxySecrets({ https, http }: ProxySettings = {}): readonly string[] {
  const urls = [https, http].flatMap((text) => (text === undefined ? [] : (proxyUrl(text) ?? [])));
  return urls.flatMap((url) => {
    const user = userOf(url);
    if (url.password === '' || user === undefined) return [];
    return [url.password, decoded(url.password), Buffer.from(user).toString('base64')];
  });
}

/** What listens on this machine is never reached through a proxy. */
function proxyText(target: URL, { https, http, exceptions = '' }: ProxySettings = {}): string | undefined {
  const isDirect = isThisMachine(target) || exceptions.split(/[\s,]+/).some((entry) => covers(entry, target));
  return (!isDirect && (target.protocol === 'https:' ? https : http)) || undefined;
}

/** Loopback by its address, by a name that may have to be looked up, and the address of every interface. */
function isThisMachine({ hostname }: URL): boolean {
  const others = /^(?:(?:.+\.)?localhost\.?|0\.0\.0\.0|\[::\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
  return isLoopback(hostname) || others.test(hostname);
}

/** `*`, or a domain with all below it, with or without a dot or `*.` before it and a port behind. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', onlyPort] = /^(?:\*?\.)?(\[.*\]|[^:]+)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return (
    name !== '' && `.${hostname.replace(/\.$/, '')}`.endsWith(`.${name}`) && (onlyPort ?? targetPort) === targetPort
  );
}

/**
 * A proxy is reached over http or https. Without a scheme, it is http. A URL with a path, a query, a fragment or a second `@`
 * may have a password that is not percent-encoded: its host would be a part of the password.
 */
function proxyUrl(text: string): URL | null {
  const [, scheme = 'http://', rest = ''] = /^(https?:\/\/)?((?:[^@/\\?#]*@)?[^@/\\?#]+)\/?$/i.exec(text) ?? [];
  return /[\s\p{Cc}]/u.test(text) ? null : (tried(() => new URL(scheme + rest)) ?? null);
}

function userOf({ username, password }: URL): string | undefined {
  return username === '' ? undefined : `${decoded(username)}:${decoded(password)}`;
}

function decoded(text: string): string {
  return tried(() => decodeURIComponent(text)) ?? text;
}
