import { stringify } from 'csv-stringify/sync';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode } from '#lib/base/errors.ts';
import {
  componentName,
  type JsonSchema,
  type MediaTypes,
  type ObjectSchema,
  type OpenapiOperation,
  resolveSchema,
  type Schemas,
} from '../openapi-schema.ts';
import type { Problem } from '../problem.ts';
import { candidatesFor, EXAMPLE_TIME, exampleId } from './fields.ts';

/** Where a value stands: the name of its field, and the component, list or collection that it belongs to. */
interface Position {
  name: string;
  owner: string;
}

function admitsType(schema: ObjectSchema, value: unknown): boolean {
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return false;
  const own =
    value === null ? 'null' : Number.isInteger(value) ? 'integer' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(own) || (own === 'integer' && types.includes('number'));
}

/** Whether a plain value fits; of composed schemas, whether it fits any part. */
function admits(schema: JsonSchema, value: unknown, schemas: Schemas): boolean {
  const own = resolveSchema(schema, schemas);
  const parts = own.anyOf ?? own.oneOf;
  if (parts !== undefined) return parts.some((part) => admits(part, value, schemas));
  if (own.const !== undefined) return own.const === value;
  if (own.enum !== undefined) return own.enum.includes(value);
  if (!admitsType(own, value)) return false;
  if (typeof value === 'number') return value >= (own.minimum ?? -Infinity) && value <= (own.maximum ?? Infinity);
  if (typeof value !== 'string') return value === null;
  if (value.length > (own.maxLength ?? Infinity) || value.length < (own.minLength ?? 0)) return false;
  return own.format === undefined && (own.pattern === undefined || new RegExp(own.pattern, 'u').test(value));
}

function textFor(schema: ObjectSchema): string {
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1];
  return prefix === undefined ? 'text' : exampleId(prefix);
}

/**
 * An example of a schema: what it shows itself, else by its fields' names, else the least that its type admits. The same
 * for the same schema, always.
 */
function deriveExample(schema: JsonSchema, schemas: Schemas, position: Position): unknown {
  const own = resolveSchema(schema, schemas);
  const component = componentName(schema);
  const at = component === null ? position : { ...position, owner: component };
  if (own.example !== undefined) return own.example;
  if (own.examples?.[0] !== undefined) return own.examples[0];
  for (const value of candidatesFor(at.name, at.owner)) if (admits(own, value, schemas)) return value;
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  if (own.default !== undefined) return own.default;
  const part = (own.anyOf ?? own.oneOf)?.find((one) => resolveSchema(one, schemas).type !== 'null');
  if (part !== undefined) return deriveExample(part, schemas, at);
  if (own.allOf !== undefined) {
    return Object.assign({}, ...own.allOf.map((one) => deriveExample(one, schemas, at)));
  }
  return deriveByType(own, schemas, at);
}

function deriveByType(schema: ObjectSchema, schemas: Schemas, at: Position): unknown {
  const [type] = [schema.type ?? 'object'].flat();
  switch (type) {
    case 'object':
      return deriveObject(schema, schemas, at);
    case 'array':
      return schema.items !== undefined
        ? [deriveExample(schema.items, schemas, { name: at.name, owner: at.name })]
        : [];
    case 'string':
      return textFor(schema);
    case 'integer':
    case 'number':
      return Math.max(0, schema.minimum ?? 0);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function deriveObject(schema: ObjectSchema, schemas: Schemas, at: Position): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0 && typeof schema.additionalProperties === 'object') {
    return { key: deriveExample(schema.additionalProperties, schemas, { name: 'key', owner: at.name }) };
  }
  return Object.fromEntries(
    fields.map(([name, field]) => [name, deriveExample(field, schemas, { name, owner: at.owner })]),
  );
}

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const PROJECT = exampleId('proj');

/** Bodies whose rules no schema tells, or that say more in a form of their own; all others are derived from their schema. */
const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  actOnPayout: { reason: 'The holder has set the trust line' },
  addAllowlistEntries: { entries: [{ wallet_address: ACCOUNT, cap_xrp: '1000.000000' }] },
  chatWithAssistant: { message: 'Which sales are open?' },
  continueJob: { job: 'process-payments', slice: 7 },
  createAllowlistFromPlatformIds: {
    min_level: 'silver',
    cap_xrp: '1000.000000',
    ledger_index: 90_210_000,
    reason: 'The round of the members, as the dry run showed it',
  },
  createApiKey: { wallet_address: ACCOUNT, name: 'Production receiver', expires_in_days: 365 },
  createProject: {
    name: 'Demo sale',
    token: { kind: 'iou', currency: 'DMO', issuer: ACCOUNT, decimals: 6 },
    distributor: ACCOUNT,
    deposit_address: ACCOUNT,
    tiers: [
      { price_per_token: '0.10', total_tokens: '1000000.000000' },
      { price_per_token: '0.20', total_tokens: '500000.000000' },
    ],
    ends_at: '2027-01-31T12:00:00Z',
  },
  createWalletChallenge: { wallet_address: ACCOUNT, action: 'create_key' },
  generatePlatformId: { wallet_address: ACCOUNT },
  issueTokens: { project_id: PROJECT, dry_run: true, reason: 'A look before the weekend' },
  patchProject: {
    description: 'A sale of demo tokens in two tiers',
    ends_at: '2027-02-28T12:00:00Z',
    reason: 'The owner asked for a month more',
  },
  processTransactions: {
    transaction_hashes: ['E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879'],
    dry_run: true,
    reason: 'An investor misses this payment',
  },
  releaseRaised: { amount_xrp: '250.000000', dry_run: true, reason: 'First part of what was raised' },
  retryPayouts: { project_id: PROJECT, waiting_reason: 'trust_line_missing', reason: 'Holders were told' },
  refundPayments: {
    held_reason: 'late_discovery',
    min_amount_xrp: '1',
    dry_run: true,
    reason: 'Too late for the sale',
  },
  revokeApiKey: { api_key: 'tr_live_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b' },
  startMaintenance: {
    message: 'The database is moved. Payments stay safe and are processed afterwards.',
    reason: 'Move to a larger database',
  },
  startReplay: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
  updateWebhook: { events: ['investment.confirmed'], active: true },
};

const DETAIL: Record<ErrorCode, string> = {
  invalid_request:
    'wallet_address: is not a valid XRP Ledger account address: its checksum does not fit, so a character is wrong or missing. Copy it again from the wallet',
  malformed_json: 'The body is not valid JSON.',
  unauthorized: 'Send a valid credential as Authorization: Bearer <token>.',
  forbidden: 'This API key lacks the scope webhooks:write. Use a key that has it, or create one.',
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
    request_id: exampleId('req'),
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

/** Lists are named by what they hold: the collection that the path begins with. */
const collectionOf = (path: string): string => /^(?:\/api)?(?:\/admin)?\/([\w-]+)/.exec(path)?.[1] ?? '';

/** The bodies of a request or answer that is written out where it stands, as all of ours are. */
const contentOf = (message: object | undefined): MediaTypes =>
  message !== undefined && 'content' in message ? (message.content as MediaTypes) : {};

/** Writes an example beside every schema of the operation that has none: required parameters, body and success answers. */
export function addExamples(operation: OpenapiOperation, path: string, schemas: Schemas): void {
  const owner = collectionOf(path);
  const derive = (schema: JsonSchema, name = '') => deriveExample(schema, schemas, { name, owner });
  for (const parameter of operation.parameters ?? []) {
    if ('name' in parameter && parameter.required === true && parameter.schema !== undefined) {
      parameter.example ??= derive(parameter.schema, parameter.name);
    }
  }
  const request = REQUEST_EXAMPLES[operation.operationId?.replace(/ByAlias$/, '') ?? ''];
  for (const media of Object.values(contentOf(operation.requestBody))) {
    if (media.schema !== undefined) media.example ??= request ?? derive(media.schema);
  }
  for (const response of Object.values(operation.responses ?? {})) {
    const { 'application/problem+json': _, 'text/csv': csv, ...others } = contentOf(response);
    for (const media of Object.values(others)) {
      if (media.schema !== undefined) media.example ??= derive(media.schema);
    }
    if (csv !== undefined) csv.example ??= csvOf(Object.values(others)[0]?.example);
  }
}
