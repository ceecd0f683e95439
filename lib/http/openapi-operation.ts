import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiParameters, ZodOpenApiResponseObject } from 'zod-openapi';
import type { Access, Contract } from '#lib/platform/contract.ts';
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

function headersOf(contract: Contract) {
  const requestId = { 'X-Request-Id': ref('headers', 'XRequestId') };
  if (LIMITS_PER_MINUTE[contract.rateLimit] === null) return requestId;
  return {
    ...requestId,
    RateLimit: ref('headers', 'RateLimit'),
    'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
  };
}

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
        headers: headersOf(contract),
        ...(status === '204' ? {} : { content: contentOf(contract, schema) }),
      },
    ]),
  );
}

function problemResponses(contract: Contract): Record<string, ZodOpenApiResponseObject> {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const [status, codes] of problemCodesByStatus(contract)) {
    responses[status] = {
      description: `${phrase(status)}: ${codes.join(', ')}`,
      headers: {
        'X-Request-Id': ref('headers', 'XRequestId'),
        ...(codes.includes('rate_limited') ? { 'Retry-After': ref('headers', 'RetryAfter') } : {}),
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
