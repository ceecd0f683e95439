import type { IncomingHttpHeaders } from 'node:http';
import { type HttpAnswer, HttpError, type HttpRequest } from '../http-server.ts';
import type { PublishHeaders } from './publish-headers.ts';

/** What a handler gets: the request, the part of the path its pattern captured, and the query. */
export interface RouteCall {
  request: HttpRequest;
  captured: string;
  query: URLSearchParams;
}

/** A method, a pattern over the raw request target (one capture at most), and what answers. */
export interface Route {
  method: string;
  pattern: RegExp;
  handle(call: RouteCall): HttpAnswer | Promise<HttpAnswer>;
}

/** Finds the route of a request and has it answer. @throws HttpError 404 or 405 */
export async function dispatch(routes: readonly Route[], request: HttpRequest): Promise<HttpAnswer> {
  let isKnownPath = false;
  for (const { method, pattern, handle } of routes) {
    const match = pattern.exec(request.target);
    if (match === null) continue;
    isKnownPath = true;
    if (method !== request.method) continue;
    const query = new URLSearchParams(request.target.split('?', 2)[1] ?? '');
    return handle({ request, captured: match[1] ?? '', query });
  }
  throw new HttpError(isKnownPath ? 405 : 404, `no such endpoint: ${request.method} ${request.target}`);
}

/** Headers with lower-case names, one value each, wherever they come from. */
export function publishHeaders(headers: IncomingHttpHeaders): PublishHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}
