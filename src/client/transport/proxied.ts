import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { HttpProxy } from '../../contract/proxies.ts';
import { proxyRefusal } from './exchange.ts';

/**
 * Opens connections through a proxy. To https it is a tunnel (RFC 9110, 9.3.6), so that the proxy sees neither requests nor
 * tokens. For http it is a connection to the proxy, which finds the target in each request.
 */
export function proxyConnector({ url, authorization }: HttpProxy, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout });
  const { hostname, host, protocol, port } = url;
  const proxyHost = hostname.replaceAll(/[[\]]/g, '');
  // Without it, the certificate of the proxy would have to name the target.
  const servername = isIP(proxyHost) === 0 ? proxyHost : '';
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  return (target, callback) => {
    if (target.protocol !== 'https:') return connect({ hostname, host, protocol, port }, callback);
    const path = `${target.hostname}:${target.port || 443}`;
    const asked = request({
      host: proxyHost,
      port,
      servername,
      method: 'CONNECT',
      path,
      headers: { host: path, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      agent: false,
    });
    const late = Object.assign(new Error('no tunnel'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
    const timer = setTimeout(() => asked.destroy(late), timeout);
    const fail = (error: Error) => {
      clearTimeout(timer);
      callback(error, null);
    };
    asked.on('error', fail);
    asked.once('connect', ({ statusCode = 0, headers }, socket: Socket) => {
      asked.off('error', fail).on('error', () => {});
      // TLS reports what happens to the connection below it.
      socket.on('error', () => {});
      if (statusCode < 300) {
        clearTimeout(timer);
        return connect({ ...target, httpSocket: socket }, callback);
      }
      socket.destroy();
      return fail(proxyRefusal(statusCode, headers));
    });
    asked.end();
  };
}
