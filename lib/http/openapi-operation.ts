import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiParameters, ZodOpenApiResponseObject } from 'zod-openapi';
import type { Access, Contract } from '#lib/platform/contract.ts';
import type { ErrorCode } from '#lib/platform/errors.ts';
import { problemCodesByStatus } from './openapi-errors.ts';
import { LIMITS_PER_MINUTE } from './rate-limit.ts';

/** Names of the security schemes in the document's components. */
export const SECURITY_SCHEME: Record<Exclude<Access['kind'], 'public'>, string> = {
  api_key: 'apiKey',
  scheduler: 'scheduler',
  administrator: 'administrator',
  queue: 'queue',
};

const ref = (kind: 'headers' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });

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

/** The same schema in every form of the answer; of a stream it describes one row. */
const contentOf = (contract: Contract, schema: z.ZodType) =>
  Object.fromEntries((contract.mediaTypes ?? ['application/json']).map((mediaType) => [mediaType, { schema }]));

function successResponses(contract: Contract): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(contract.responses).map(([status, schema]) => [
      status,
      {
        description:
          contract.mediaTypes === undefined ? phrase(Number(status)) : 'One row a line; the schema is of a row',
        headers: { ...usualHeaders(contract), ...headers(...(contract.streamHeaders ?? [])) },
        ...(status === '204' ? {} : { content: contentOf(contract, schema) }),
      },
    ]),
  );
}

const MAY_SAY_WHEN: readonly ErrorCode[] = ['rate_limited', 'service_unavailable'];

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
          schema: { allOf: [ref('schemas', 'Problem'), { properties: { code: { enum: codes } } }] },
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
    return { [SECURITY_SCHEME[access.kind]]: access.kind === 'api_key' ? [access.scope] : [] };
  });

const IF_NONE_MATCH = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The ETag of the answer you have: 304 while it is good' }),
});

function parametersOf(contract: Contract): ZodOpenApiParameters {
  const parameters: ZodOpenApiParameters = {};
  for (const [place, schema] of [
    ['path', contract.params],
    ['query', contract.query],
  ] as const) {
    if (schema === undefined) continue;
    if (!(schema instanceof z.ZodObject))
      throw new Error(`${contract.id}: ${place} parameters must be an object schema`);
    parameters[place] = schema;
  }
  if (isTagged(contract)) parameters.header = IF_NONE_MATCH;
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
