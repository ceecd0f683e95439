import { z } from 'zod';
import { createDocument, type ZodOpenApiPathItemObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Contract } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { ERROR_STATUS, type ErrorCode } from '#lib/base/errors.ts';
import { platformVersion } from '#lib/ops/status/version.ts';
import { CONTRACTS } from './contracts.ts';
import { problemExamples } from './examples/problems.ts';
import { addExamples } from './examples/with-examples.ts';
import { type OpenapiDocument, operationsIn } from './openapi-document.ts';
import { problemCodesOf } from './openapi-errors.ts';
import { operationOf, SECURITY_SCHEME } from './openapi-operation.ts';
import { TAG_DESCRIPTIONS } from './openapi-tags.ts';
import { webhooksSection } from './openapi-webhooks.ts';

const problem = z.object({
  type: z.string().meta({ example: 'urn:tranche:problem:invalid_request' }),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  request_id: z.string().meta({ description: 'Quote it to support' }),
  errors: z
    .array(z.object({ field: z.string().meta({ example: 'url' }), message: z.string() }))
    .optional()
    .meta({ description: 'One entry a faulty field, for invalid_request' }),
});

const METHOD_KEY = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;

function pathsOf(contracts: readonly Contract[]): ZodOpenApiPathsObject {
  const paths: Record<string, ZodOpenApiPathItemObject> = {};
  const add = (path: string, contract: Contract, operationId: string) => {
    paths[path] = { ...paths[path], [METHOD_KEY[contract.method]]: operationOf(contract, operationId) };
  };
  for (const contract of contracts) {
    add(contract.path, contract, contract.id);
    if (contract.alias !== undefined) add(contract.alias, contract, `${contract.id}ByAlias`);
  }
  return paths;
}

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});

/** What of the document is of one deployment. */
export interface Deployment {
  version: string;
  serverUrl: string;
}

const thisDeployment = (): Deployment => ({ version: platformVersion(), serverUrl: env().BASE_URL });

/** Folds contracts and the event catalogue into an OpenAPI 3.1 document. */
export function foldOpenapi(
  contracts: readonly Contract[],
  { version, serverUrl }: Deployment = thisDeployment(),
): OpenapiDocument {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tranche',
      version,
      description:
        'Token sales on the XRP Ledger. Errors are application/problem+json (RFC 9457). Operations tagged `internal` and `admin` are refused to API keys.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'This deployment' }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(contracts),
    webhooks: webhooksSection(),
    components: {
      schemas: { Problem: problem },
      examples: problemExamples(new Set(contracts.flatMap(problemCodesOf))),
      headers: {
        XRequestId: header('Names this request in our logs', 'req_4qUZk0r2bJ8sVd1mX7nTqL'),
        RateLimit: header(
          'What remains of the limit, and seconds until it is whole again; of `read`, in the process that answered',
          '"read";r=599;t=60',
        ),
        RateLimitPolicy: header(
          'The limit: requests in a window of seconds; each process counts `read` for itself',
          '"read";q=600;w=60',
        ),
        CacheControl: header(
          'How long the answer may be kept, and by whom',
          'public, max-age=1, stale-while-revalidate=5',
        ),
        ETag: header('Names these bytes; give it back as If-None-Match', '"kq2mB7xN0aYh3uVtR8wZcQ1s"'),
        XAsOfLedger: header('Last ledger that the export counts', '90210000'),
        ContentDisposition: header('A name for the file', 'attachment; filename="demo-allocations-90210000.csv"'),
        IdempotencyReplayed: header('`true` where this is the kept answer to an earlier request with the key', 'true'),
        RetryAfter: header('Seconds to wait', '12'),
      },
      securitySchemes: {
        [SECURITY_SCHEME.api_key]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key from POST /api/api-keys/create',
        },
        [SECURITY_SCHEME.scheduler]: { type: 'http', scheme: 'bearer', description: 'CRON_SECRET of the deployment' },
        [SECURITY_SCHEME.administrator]: { type: 'http', scheme: 'bearer', description: 'An administrator’s token' },
        [SECURITY_SCHEME.queue]: {
          type: 'apiKey',
          in: 'header',
          name: 'Upstash-Signature',
          description: 'Signature of QStash over body and address',
        },
      },
    },
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const operation of operationsIn(item)) addExamples(operation, path, document.components?.schemas ?? {});
  }
  return document;
}

let folded: OpenapiDocument | undefined;

/** The document of this deployment, folded on first use. */
export function openapiDocument(): OpenapiDocument {
  folded ??= foldOpenapi(CONTRACTS);
  return folded;
}
