import { isObject, type JsonDraft, type JsonObject } from '../json.ts';
import { METHODS } from './methods.ts';
import { type ApiVersion, type RpcContext, RpcError } from './types.ts';

/** What a call needs besides the API version, which the request itself names. */
export type CallContext = Omit<RpcContext, 'apiVersion'>;

const DEFAULT_API_VERSION: ApiVersion = 1;

/** The API version a request asks for; undefined when it is none this server speaks. */
export function apiVersionOf(request: JsonObject): ApiVersion | undefined {
  const { api_version: version = DEFAULT_API_VERSION } = request;
  return version === 1 || version === 2 ? version : undefined;
}

export type Outcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: JsonObject };

/** Runs one command; a failure comes back as the fields of its error. */
export function call(context: CallContext, command: string, request: JsonObject, apiVersion: ApiVersion): Outcome {
  try {
    const method = METHODS.get(command);
    if (!method) throw new RpcError('unknownCmd');
    return { ok: true, result: method({ ...context, apiVersion }, request) };
  } catch (error) {
    // One broken request must not end the server for everybody else.
    const known = error instanceof RpcError ? error : new RpcError('internal');
    return { ok: false, error: known.fields };
  }
}

/** Answers one WebSocket message. */
export function answerMessage(context: CallContext, text: string): JsonObject {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    request = undefined;
  }
  if (!isObject(request)) return { error: 'jsonInvalid', type: 'error', value: text };
  const envelope: JsonDraft = { type: 'response' };
  if (request.id !== undefined) envelope.id = request.id;
  if (request.api_version !== undefined) envelope.api_version = request.api_version;
  const failed = (error: JsonObject): JsonObject => ({ ...envelope, ...error, request, status: 'error' });
  const command = request.command ?? request.method;
  if (typeof command !== 'string') return failed({ error: 'missingCommand' });
  const apiVersion = apiVersionOf(request);
  if (apiVersion === undefined) return failed({ error: 'invalid_API_version' });
  const outcome = call(context, command, request, apiVersion);
  return outcome.ok ? { ...envelope, result: outcome.result, status: 'success' } : failed(outcome.error);
}

export type HttpAnswer = { readonly status: number; readonly body: string };

const UNPARSABLE =
  'Unable to parse request: * Line 1, Column 1\n  Syntax error: value, object or array expected.\n\r\n';

/** Answers one JSON-RPC request over HTTP: errors of a command are status 200. */
export function answerHttp(context: CallContext, body: string): HttpAnswer {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return { status: 400, body: UNPARSABLE };
  }
  if (!isObject(request)) return { status: 400, body: UNPARSABLE };
  const { method } = request;
  if (method === undefined || method === null) return { status: 400, body: 'Null method\r\n' };
  if (typeof method !== 'string') return { status: 400, body: 'method is not string\r\n' };
  const first = Array.isArray(request.params) ? request.params[0] : undefined;
  const params = isObject(first) ? first : {};
  const apiVersion = apiVersionOf(params);
  if (apiVersion === undefined) return { status: 400, body: 'invalid_API_version\r\n' };
  const outcome = call(context, method, params, apiVersion);
  const result = outcome.ok
    ? { ...outcome.result, status: 'success' }
    : { ...outcome.error, request: { ...params, command: method }, status: 'error' };
  return { status: 200, body: `${JSON.stringify({ result })}\n\r\n` };
}
