import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';
import { PlatformError } from '#lib/base/errors.ts';
import { handleEncodedAnswers, sendEncodedAs } from './encoded-answers.ts';
import { COMMON_HEADERS, NO_PAGE, NO_PAGE_POLICY } from './headers.ts';
import { newRequestId, problemParts } from './problem.ts';
import { handleActionRequest } from './server-action.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
const ALLOW = METHODS.join(', ');

/** A connection on which neither side sends anything for so long is closed: a client that reads nothing does not keep one. */
const IDLE_MS = 120_000;

/** What Next.js reads before any code of ours, and answers with a bare 500 where it cannot. */
function hasReadableRouterState({ headers }: IncomingMessage): boolean {
  if (headers.rsc === undefined) return true;
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree']);
    return true;
  } catch {
    return false;
  }
}

/** The path of a request's target, which may be a whole URL (RFC 9112 section 3.2); null for what is neither. */
function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? `${url.pathname}${url.search}` : null;
}

/** Why Next.js must not see a request, or null; the request's target gets its usual form. */
function faultOf(request: IncomingMessage): PlatformError | null {
  const { method = '', url: target = '' } = request;
  if (!METHODS.includes(method)) {
    const detail = `This method is not allowed here; use ${ALLOW}.`;
    return new PlatformError('method_not_allowed', detail, { headers: { allow: ALLOW } });
  }
  const path = pathOf(target);
  if (path === null) return new PlatformError('invalid_request', 'The request names no path.');
  request.url = path;
  return hasReadableRouterState(request)
    ? null
    : new PlatformError('invalid_request', 'next-router-state-tree: is not the state of a router');
}

/** Answers without Next.js, and without reading what the request carries. */
function send(response: ServerResponse, status: number, headers: Record<string, string>, body?: string): void {
  response.writeHead(status, { ...COMMON_HEADERS, ...NO_PAGE_POLICY, ...headers, connection: 'close' });
  response.end(body);
}

/**
 * Puts the problem `invalid_request` in the place of a 500 that Next.js answers before an action of ours began: it could
 * not read what the client sent. It writes such an answer itself, and offers no hook.
 */
function blameClient(response: ServerResponse, isClientsFault: () => boolean): void {
  const { writeHead, write, end } = response;
  let problem: string | null = null;
  const settle = () => {
    if (!response.headersSent && response.statusCode >= 500) response.writeHead(response.statusCode);
  };
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (status < 500 || problem !== null || !isClientsFault())
      return Reflect.apply(writeHead, response, [status, ...rest]);
    const error = new PlatformError('invalid_request', 'What the form sent could not be read. Load the page again.');
    const { body, headers } = problemParts(error, newRequestId());
    problem = body;
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) response.removeHeader(name);
    return Reflect.apply(writeHead, response, [error.status, { ...headers, ...NO_PAGE_POLICY }]);
  }) as typeof writeHead;
  response.write = ((...written: unknown[]) => {
    settle();
    return problem === null ? Reflect.apply(write, response, written) : true;
  }) as typeof write;
  response.end = ((...written: unknown[]) => {
    settle();
    return Reflect.apply(end, response, problem === null ? written : [problem]);
  }) as typeof end;
}

type Handle = () => boolean;

function handle(request: IncomingMessage, response: ServerResponse, pass: Handle): boolean {
  request.socket.setTimeout(IDLE_MS);
  if (request.method === 'OPTIONS' && request.url === '*') {
    send(response, 204, { allow: ALLOW });
    return true;
  }
  const fault = faultOf(request);
  if (fault !== null) {
    const { body, headers } = problemParts(fault, newRequestId());
    send(response, fault.status, headers, request.method === 'HEAD' ? undefined : body);
    return true;
  }
  sendEncodedAs(response);
  if (NO_PAGE.test(request.url ?? '')) return pass();
  if (request.method !== 'POST') return pass();
  const action = { hasBegun: false };
  blameClient(response, () => !action.hasBegun);
  return handleActionRequest(action, pass);
}

const INSTALLED = Symbol.for('tranche.request-filter');

/**
 * Stands before Next.js in this process, as tracing libraries do: what Next.js would answer with a bare 500, or with a stack
 * trace in the log, is answered here as the client's fault. Proxies and routes never see such requests.
 */
export function filterRequests(): void {
  const prototype = Server.prototype as Server & { [INSTALLED]?: true };
  if (prototype[INSTALLED]) return;
  prototype[INSTALLED] = true;
  handleEncodedAnswers();
  const { emit } = prototype;
  prototype.emit = function filtered(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const pass = () => Reflect.apply(emit, this, [event, ...args]);
    return event === 'request' ? handle(args[0] as IncomingMessage, args[1] as ServerResponse, pass) : pass();
  } as typeof emit;
}
