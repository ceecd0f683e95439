import { isInteger, isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { FIRST_VERSION_ONLY, METHODS } from './methods.ts';
import { JsonSyntaxError, readJson } from './readJson.ts';
import { type ApiVersion, type RpcContext, RpcError } from './types.ts';

/** What a call needs besides the API version, which the request itself names. */
export type CallContext = Omit<RpcContext, 'apiVersion'>;

const DEFAULT_API_VERSION: ApiVersion = 1;

/** The API version a request asks for; undefined when it is none this server speaks. */
export function apiVersionOf(request: JsonObject): ApiVersion | undefined {
  const { api_version: version } = request;
  if (version === undefined) return DEFAULT_API_VERSION;
  return isInteger(request, 'api_version') && (version === 1 || version === 2) ? version : undefined;
}

export type Outcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: JsonObject };

/** Only Clio has these. */
const CLIO_COMMANDS: ReadonlySet<string> = new Set(['mpt_holders']);

/** Whether a server of the network itself would answer the command with `unknownCmd`, as this one is to do. */
function isMissing({ node }: CallContext, command: string): boolean {
  if (CLIO_COMMANDS.has(command)) return node.isStrict || node.faults.current.lacksClioCommands;
  return node.isStrict && command.startsWith('sandbox_');
}

/** Runs one command; a failure comes back as the fields of its error. */
export function call(context: CallContext, command: string, request: JsonObject, apiVersion: ApiVersion): Outcome {
  try {
    const method = METHODS.get(command);
    const isGone = apiVersion > 1 && FIRST_VERSION_ONLY.has(command);
    if (!method || isGone || isMissing(context, command)) throw new RpcError('unknownCmd');
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

/** Fields that a request carries through to its answer. */
const ECHOED = ['id', 'jsonrpc', 'ripplerpc', 'api_version'] as const;

function echoed(request: JsonObject): JsonDraft {
  return Object.fromEntries(ECHOED.filter((name) => name in request).map((name) => [name, request[name]]));
}

const SECRETS = ['passphrase', 'secret', 'seed', 'seed_hex'] as const;

/** A refused request as its answer shows it. */
function masked(request: JsonObject): JsonObject {
  const hidden = SECRETS.filter((name) => name in request).map((name) => [name, '<masked>'] as const);
  return hidden.length === 0 ? request : { ...request, ...Object.fromEntries(hidden) };
}

/** The command of a WebSocket message, which may call it `method` as well; undefined when it names none, or two. */
function commandOf({ command, method }: JsonObject): string | undefined {
  if (command === undefined) return typeof method === 'string' ? method : undefined;
  return typeof command === 'string' && (method === undefined || method === command) ? command : undefined;
}

/** The server writes strings as C strings, which end at a NUL. */
const upToNul = (text: string): string => text.split('\0', 1)[0] ?? '';

function readRequest(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

export type WebSocketAnswer = Delivery & { readonly text: string };

const said = (message: JsonObject): WebSocketAnswer => ({ ...PROMPT, text: JSON.stringify(message) });

/** The sandbox's own commands take more in one request than a server reads. */
const isOfSandbox = (command: string | undefined): boolean => command?.startsWith('sandbox_') ?? false;

/** Answers one WebSocket message; one that is too long for a server is no JSON to it. */
export function answerMessage(context: CallContext, text: string, isTooLong = false): WebSocketAnswer {
  const request = readRequest(text);
  if (!isObject(request) || (isTooLong && !isOfSandbox(commandOf(request))))
    return said({ error: 'jsonInvalid', type: 'error', value: upToNul(text) });
  const envelope = { ...echoed(request), type: 'response' };
  const failed = (error: JsonObject, shown: JsonObject): JsonObject => ({
    ...error,
    request: shown,
    status: 'error',
    ...envelope,
  });
  const apiVersion = apiVersionOf(request);
  const command = commandOf(request);
  if (apiVersion === undefined) return said(failed({ error: 'invalid_API_version' }, request));
  if (command === undefined) return said(failed({ error: 'missingCommand' }, request));
  const outcome = call(context, command, request, apiVersion);
  const message = outcome.ok
    ? { result: outcome.result, status: 'success', ...envelope }
    : failed(outcome.error, masked(request));
  return { ...deliveryOf(context, command, request), text: JSON.stringify(message) };
}

export type HttpAnswer = Delivery & { readonly status: number; readonly body: string };

const refused = (problem: string): HttpAnswer => ({ ...PROMPT, status: 400, body: `${problem}\r\n` });

/** What the server takes for nothing: null, and what is empty. */
function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The parameters of a JSON-RPC request; undefined when they are nothing the server reads. */
function paramsOf({ params }: JsonObject): JsonObject | undefined {
  if (isBlank(params)) return {};
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [first] = params;
  if (first === null) return {};
  return isObject(first) ? first : undefined;
}

/** Answers one JSON-RPC request over HTTP: errors of a command are status 200. */
export function answerHttp(context: CallContext, body: string, isTooLong = false): HttpAnswer {
  let request: Json;
  try {
    request = readJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refused(`Unable to parse request: ${error.message}`);
  }
  const isRefused = isObject(request) && isTooLong && !isOfSandbox(commandOf(request));
  if (!isObject(request) || isBlank(request) || isRefused) return refused('Unable to parse request: ');
  const { method, params: given } = request;
  const first = Array.isArray(given) ? given[0] : undefined;
  const apiVersion = isObject(first) ? apiVersionOf(first) : DEFAULT_API_VERSION;
  if (apiVersion === undefined) return refused('invalid_API_version');
  if (method === undefined || method === null) return refused('Null method');
  if (typeof method !== 'string') return refused('method is not string');
  if (method === '') return refused('method is empty');
  const params = paramsOf(request);
  if (!params) return refused('params unparsable');
  const outcome = call(context, method, params, apiVersion);
  const result = outcome.ok
    ? { ...outcome.result, status: 'success' }
    : { ...outcome.error, request: { ...masked(params), command: method }, status: 'error' };
  const { jsonrpc, ripplerpc, id } = params;
  const body200 = `${JSON.stringify({ result, jsonrpc, ripplerpc, id })}\n\r\n`;
  return { ...deliveryOf(context, method, params), status: 200, body: body200 };
}
