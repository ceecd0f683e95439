import { stringify } from 'csv-stringify/sync';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode } from '#lib/base/errors.ts';
import type { MediaTypes, OpenapiOperation } from '../openapi-schema.ts';
import type { Problem } from '../problem.ts';
import recordings from './recorded.json' with { type: 'json' };

/** What an operation was asked and answered in one sale on the sandbox (tests/support/examples/record.ts). */
interface Recorded {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** By their status. */
  answers: Readonly<Record<string, unknown>>;
}

/** Called by queues alone, with their signature, or without an answer of its own. */
const UNRECORDED: Readonly<Record<string, Recorded>> = {
  continueJob: {
    body: { job: 'process-payments', slice: 7 },
    answers: { 200: { job: 'process-payments', continued: false } },
  },
  attemptDelivery: {
    body: { delivery_id: 'del_4qUZk0r2bJ8sVd1mX7nTqL', attempt: 2, republished: 0 },
    answers: { 200: { outcome: 'success' } },
  },
  getOpenapi: { answers: { 200: { openapi: '3.1.0', paths: {} } } },
  // Shown by the events that its contract declares.
  streamEvents: { answers: {} },
};

const recordedOf = (operation: OpenapiOperation): Recorded | undefined => {
  const id = operation.operationId?.replace(/ByAlias$/, '') ?? '';
  return UNRECORDED[id] ?? (recordings as Readonly<Record<string, Recorded>>)[id];
};

const DETAIL: Record<ErrorCode, string> = {
  invalid_request:
    'wallet_address: is not a valid XRP Ledger account address: its checksum does not fit, so a character is wrong or missing. Copy it again from the wallet',
  malformed_json: 'The body is not valid JSON.',
  unauthorized: 'Send a valid credential as Authorization: Bearer <token>.',
  forbidden: 'This API key lacks the scope webhooks:write. Use a key that has it, or create one.',
  approval_required: 'A launch needs the approval of another operator. Ask for it: POST /api/admin/approvals.',
  not_eligible: 'The wallet holds too few tokens for a Platform ID.',
  invalid_proof: 'The signature does not fit the challenge and the key.',
  not_found: 'There is no such thing here.',
  project_not_found: 'There is no project with this id.',
  investment_not_found: 'There is no investment with this id.',
  webhook_not_found: 'There is no webhook with this id.',
  platform_id_not_found: 'This wallet has no Platform ID.',
  method_not_allowed: 'PUT is not allowed here; use GET, HEAD, OPTIONS.',
  conflict: 'It has changed meanwhile. Read it again.',
  transition_not_allowed: 'A completed project cannot be paused.',
  idempotency_key_in_use: 'The first request with this Idempotency-Key is still under way.',
  idempotency_key_reused: 'This Idempotency-Key came with another request before.',
  launch_not_ready: 'The distributor holds fewer tokens than the tiers sell.',
  limit_reached: 'At most 3 webhooks. Delete one, or prove the wallet.',
  gone: 'Its payload was pruned after the retention time.',
  payload_too_large: 'The body must be at most 65536 bytes.',
  unsupported_media_type: 'Send the body as Content-Type: application/json.',
  rate_limited: 'At most 120 requests a minute. Try again in 12 s.',
  internal_error: 'Something went wrong on our side. Try again; quote the request_id to support.',
  service_unavailable: 'This cannot be done right now. Try again in a minute.',
  ledger_unavailable: 'The ledger cannot be reached. Try again in a minute.',
};

/** A problem with this code as the platform answers it. */
function exampleProblem(code: ErrorCode): Problem {
  const [, field = '', message = ''] = /^(body\.\w+): (.*)$/.exec(DETAIL[code]) ?? [];
  return {
    type: `https://tranche.example/docs/errors/${code}`,
    title: ERROR_TITLE[code],
    status: ERROR_STATUS[code],
    detail: DETAIL[code],
    code,
    request_id: 'req_4qUZk0r2bJ8sVd1mX7nTqL',
    ...(field === '' ? {} : { errors: [{ field, message }] }),
  };
}

/** One example a code, by the code. */
export const problemExamples = (codes: ReadonlySet<ErrorCode>) =>
  Object.fromEntries(
    [...codes].toSorted().map((code) => [code, { summary: ERROR_TITLE[code], value: exampleProblem(code) }]),
  );

/** A row as the file has it: under its header line. */
const csvOf = (row: unknown): string => stringify([row], { header: true, record_delimiter: 'windows' });

const contentOf = (message: object | undefined): MediaTypes =>
  message !== undefined && 'content' in message ? (message.content as MediaTypes) : {};

/** What a schema shows itself: of a stream of events, some of them. */
const ownExample = ({ schema }: MediaTypes[string]): unknown =>
  typeof schema === 'object' ? schema.example : undefined;

/** Writes an example beside the required parameters, the body and the success answers of an operation that have none. */
export function addExamples(operation: OpenapiOperation): void {
  const recorded = recordedOf(operation);
  if (recorded === undefined) throw new Error(`${operation.operationId} has no recorded example`);
  for (const parameter of operation.parameters ?? []) {
    if (!('name' in parameter) || parameter.required !== true) continue;
    const given = parameter.in === 'path' ? recorded.params : recorded.query;
    const example = given?.[parameter.name];
    if (example !== undefined) parameter.example = example;
  }
  for (const media of Object.values(contentOf(operation.requestBody))) media.example ??= recorded.body;
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const answer = recorded.answers[status];
    const { 'application/problem+json': _, 'text/csv': csv, ...others } = contentOf(response);
    for (const media of Object.values(others)) media.example ??= ownExample(media) ?? answer;
    if (csv !== undefined) csv.example ??= csvOf(answer);
  }
}
