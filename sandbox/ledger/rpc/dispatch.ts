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

/** A server of the network itself answers these with `unknownCmd`. */
const CLIO_COMMANDS: ReadonlySet<string> = new Set(['mpt_holders']);

/** Runs one command; a failure comes back as the fields of its error. */
export function call(context: CallContext, command: string, request: JsonObject, apiVersion: ApiVersion): Outcome {
  try {
    const method = METHODS.get(command);
    const isMissing = CLIO_COMMANDS.has(command) && context.node.faults.current.lacksClioCommands;
    if (!method || isMissing) throw new RpcError('unknownCmd');
    return { ok: true, result: method({ ...context, apiVersion }, request) };
  } catch (error) {
    // One broken request must not end the server for everybody else.
    const known = error instanceof RpcError ? error : new RpcError('internal');
    return { ok: false, error: known.fields };
  }
}

/** How an answer leaves the server: later on a slow one, and lost when a fault says so. */
export type Delivery = { readonly delayMs: number; readonly lost: boolean };

const PROMPT: Delivery = { delayMs: 0, lost: false };
const SUBMITS = new Set(['submit', 'submit_multisigned']);

function deliveryOf({ node }: CallContext, command: string, request: JsonObject): Delivery {
  if (command === 'sandbox_faults') return PROMPT;
  const { faults } = node;
  const lost =
    (SUBMITS.has(command) && faults.losesSubmitAnswer()) || (request.marker !== undefined && faults.dropsPage());
  return { delayMs: faults.current.answerDelayMs, lost };
}

/** Answers one WebSocket message. */
export function answerMessage(context: CallContext, text: string): Delivery & { readonly message: JsonObject } {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    request = undefined;
  }
  if (!isObject(request)) return { ...PROMPT, message: { error: 'jsonInvalid', type: 'error', value: text } };
  const envelope: JsonDraft = { type: 'response' };
  if (request.id !== undefined) envelope.id = request.id;
  if (request.api_version !== undefined) envelope.api_version = request.api_version;
  const failed = (error: JsonObject): JsonObject => ({ ...envelope, ...error, request, status: 'error' });
  const command = request.command ?? request.method;
  if (typeof command !== 'string') return { ...PROMPT, message: failed({ error: 'missingCommand' }) };
  const apiVersion = apiVersionOf(request);
  if (apiVersion === undefined) return { ...PROMPT, message: failed({ error: 'invalid_API_version' }) };
  const outcome = call(context, command, request, apiVersion);
  const message = outcome.ok ? { ...envelope, result: outcome.result, status: 'success' } : failed(outcome.error);
  return { ...deliveryOf(context, command, request), message };
}

export type HttpAnswer = Delivery & { readonly status: number; readonly body: string };

const refused = (body: string): HttpAnswer => ({ ...PROMPT, status: 400, body });

const UNPARSABLE =
  'Unable to parse request: * Line 1, Column 1\n  Syntax error: value, object or array expected.\n\r\n';

/** Answers one JSON-RPC request over HTTP: errors of a command are status 200. */
export function answerHttp(context: CallContext, body: string): HttpAnswer {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return refused(UNPARSABLE);
  }
  if (!isObject(request)) return refused(UNPARSABLE);
  const { method } = request;
  if (method === undefined || method === null) return refused('Null method\r\n');
  if (typeof method !== 'string') return refused('method is not string\r\n');
  const first = Array.isArray(request.params) ? request.params[0] : undefined;
  const params = isObject(first) ? first : {};
  const apiVersion = apiVersionOf(params);
  if (apiVersion === undefined) return refused('invalid_API_version\r\n');
  const outcome = call(context, method, params, apiVersion);
  const result = outcome.ok
    ? { ...outcome.result, status: 'success' }
    : { ...outcome.error, request: { ...params, command: method }, status: 'error' };
  const body200 = `${JSON.stringify({ result })}\n\r\n`;
  return { ...deliveryOf(context, method, params), status: 200, body: body200 };
}
