import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiParameters, ZodOpenApiResponseObject } from 'zod-openapi';
import { type Access, type Contract, KEY_FORM } from '#lib/base/contract.ts';
import { ERROR_STATUS, type ErrorCode } from '#lib/base/errors.ts';
import { LIMITS_PER_MINUTE } from './rate-limit.ts';

/** What is said of a schema, or of the one that it makes when it is used. */
const metaOf = (schema: z.ZodType) =>
  z.globalRegistry.get(schema) ?? (schema instanceof z.ZodLazy ? z.globalRegistry.get(schema.unwrap()) : undefined);

/** An event as it stands on the wire. */
const shown = (name: string, hasId: boolean): string => `${hasId ? 'id: …\n' : ''}event: ${name}\ndata: {…}\n\n`;

/**
 * How the document describes server-sent events: JSON Schema knows no such body, so each event's data is described in words
 * and, for programs, by its schema in `x-events`.
 */
function eventText(events: Readonly<Record<string, z.ZodType>>, hasIds: boolean): z.ZodType {
  const names = Object.keys(events);
  const lines = Object.entries(events).map(([name, schema]) => `- \`${name}\`: ${metaOf(schema)?.description ?? ''}`);
  return z.string().meta({
    description: [
      'Server-sent events for `Accept: text/event-stream`; `data` is one line of JSON. Lines that begin with a colon only keep the connection open.',
      ...lines,
    ].join('\n'),
    example: names.map((name) => shown(name, hasIds && name !== 'error')).join(''),
    'x-events': Object.fromEntries(
      Object.entries(events).map(([name, schema]) => {
        // The webhooks section brings it into the document.
        const component = metaOf(schema)?.id;
        if (component !== undefined) return [name, ref('schemas', component)];
        const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'output' });
        return [name, described];
      }),
    ),
  });
}

/** Every problem code that the operation can answer with: its own, and those of the checks it passes through. */
export function problemCodesOf(contract: Contract): ErrorCode[] {
  const isPublicOnly = contract.access.every(({ kind }) => kind === 'public');
  const isQueue = contract.access.some(({ kind }) => kind === 'queue');
  // The last one while the database is away.
  const codes: ErrorCode[] = ['internal_error', 'invalid_request', 'service_unavailable'];
  if (contract.method !== 'GET') codes.push('payload_too_large', 'malformed_json');
  if (contract.body !== undefined) codes.push('unsupported_media_type');
  if (!isPublicOnly) codes.push('unauthorized');
  // Also where none is needed: one of another purpose passes for nobody.
  if (!isPublicOnly && !isQueue) codes.push('forbidden');
  // Internal operations limit refusals.
  if (LIMITS_PER_MINUTE[contract.rateLimit] !== null || !isPublicOnly) codes.push('rate_limited');
  if (contract.idempotent === true) codes.push('idempotency_key_in_use', 'idempotency_key_reused');
  return [...new Set([...codes, ...(contract.errors ?? [])])].toSorted();
}

/** The same, by HTTP status. */
function problemCodesByStatus(contract: Contract): Map<number, ErrorCode[]> {
  return Map.groupBy(problemCodesOf(contract), (code) => ERROR_STATUS[code]);
}

/** Names of the security schemes in the document's components. */
export const SECURITY_SCHEME: Record<Exclude<Access['kind'], 'public'>, string> = {
  api_key: 'apiKey',
  portal: 'portal',
  member: 'member',
  scheduler: 'scheduler',
  administrator: 'administrator',
  queue: 'queue',
};

const ref = (kind: 'examples' | 'headers' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A header by its name in the components, which hold no hyphens. */
const headers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name.replaceAll('-', ''))]));

/** Whether a client may ask again with If-None-Match (answer.ts). */
const isTagged = (contract: Contract): boolean =>
  contract.method === 'GET' &&
  contract.cacheControl !== undefined &&
  (contract.mediaTypes === undefined || contract.streamHeaders?.includes('ETag') === true);

const usualHeaders = (contract: Contract) =>
  headers(
    'X-Request-Id',
    'Cache-Control',
    ...(LIMITS_PER_MINUTE[contract.rateLimit] === null ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(isTagged(contract) ? ['ETag'] : []),
  );

const phrase = (status: number): string => STATUS_CODES[status] ?? String(status);

const csvFile = z.string().meta({ description: 'A header line, then one line a row, as RFC 4180 has it' });

/** The schema in every form of the answer; of a stream it describes one row, and of CSV no more than that it is text. */
const contentOf = (contract: Contract, schema: z.ZodType) => ({
  ...Object.fromEntries(
    (contract.mediaTypes ?? [contract.textType ?? 'application/json']).map((mediaType) => [
      mediaType,
      { schema: mediaType === 'text/csv' ? csvFile : schema },
    ]),
  ),
  ...(contract.events === undefined
    ? {}
    : { 'text/event-stream': { schema: eventText(contract.events, contract.lastEventId === true) } }),
});

function successResponses(contract: Contract): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(contract.responses).map(([status, schema]) => [
      status,
      {
        description:
          contract.mediaTypes === undefined ? phrase(Number(status)) : 'One row a line; the schema is of a row',
        headers: {
          ...usualHeaders(contract),
          ...headers(
            ...(contract.streamHeaders ?? []),
            ...(contract.idempotent === true ? ['Idempotency-Replayed'] : []),
          ),
        },
        ...(status === '204' ? {} : { content: contentOf(contract, schema) }),
      },
    ]),
  );
}

const MAY_SAY_WHEN: readonly ErrorCode[] = ['rate_limited', 'service_unavailable', 'idempotency_key_in_use'];

function problemResponses(contract: Contract): Record<string, ZodOpenApiResponseObject> {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const [status, codes] of problemCodesByStatus(contract)) {
    responses[status] = {
      description: `${phrase(status)}: ${codes.join(', ')}`,
      headers: {
        ...headers('X-Request-Id'),
        ...(codes.some((code) => MAY_SAY_WHEN.includes(code)) ? headers('Retry-After') : {}),
      },
      content: {
        'application/problem+json': {
          // One type for every problem: with the codes of each status in its schema, generators make a class of each.
          schema: ref('schemas', 'Problem'),
          examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
        },
      },
    };
  }
  return responses;
}

/** A status may be both an answer of its own and a problem (the system status at 503): then either body may come. */
function responsesOf(contract: Contract): Record<string, ZodOpenApiResponseObject> {
  const all = problemResponses(contract);
  if (isTagged(contract)) all['304'] = { description: phrase(304), headers: usualHeaders(contract) };
  for (const [status, response] of Object.entries(successResponses(contract))) {
    const problem = all[status];
    all[status] =
      problem === undefined ? response : { ...response, content: { ...problem.content, ...response.content } };
  }
  return all;
}

/** Public operations carry an empty requirement beside others: a credential is possible, not needed. */
const securityOf = (contract: Contract): Record<string, string[]>[] =>
  contract.access.map((access) => {
    if (access.kind === 'public') return {};
    return { [SECURITY_SCHEME[access.kind]]: 'scope' in access && access.scope !== null ? [access.scope] : [] };
  });

const IF_NONE_MATCH = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The ETag of the answer you have: 304 while it is good' }),
});

const LAST_EVENT_ID = z.object({
  'Last-Event-ID': z.string().max(200).optional().meta({
    description: 'The `id` that you received last: the stream goes on after it. It wins over `cursor`',
  }),
});

const IDEMPOTENCY_KEY = z.object({
  'Idempotency-Key': z.string().regex(KEY_FORM).optional().meta({
    description:
      'A unique value that you choose for each operation. A repeated request with the same key and body within 24 hours gets the first answer and has no further effect. Requires a credential.',
    example: '9f2d8c54-6a5e-4b0b-9d0c-0d6a1f5c2b7e',
  }),
});

function parametersOf(contract: Contract): ZodOpenApiParameters {
  const parameters: ZodOpenApiParameters = {};
  for (const [index, schema] of [
    ['path', contract.params],
    ['query', contract.query],
  ] as const) {
    if (schema === undefined) continue;
    if (!(schema instanceof z.ZodObject))
      throw new Error(`${contract.id}: ${index} parameters must be an object schema`);
    parameters[index] = schema;
  }
  if (isTagged(contract)) parameters.header = IF_NONE_MATCH;
  if (contract.idempotent === true) parameters.header = IDEMPOTENCY_KEY;
  if (contract.lastEventId === true) parameters.header = LAST_EVENT_ID;
  return parameters;
}

/** One contract as an OpenAPI operation. */
export function operationOf(contract: Contract, operationId = contract.id): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [contract.tag],
    summary: contract.summary,
    security: securityOf(contract),
    requestParams: parametersOf(contract),
    ...(contract.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: contract.body } } } }),
    responses: responsesOf(contract),
  };
}
