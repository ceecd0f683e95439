import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { Contract } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { ERROR_STATUS, type ErrorCode } from '#lib/base/errors.ts';
import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '#lib/events/catalogue.ts';
import { typeName } from '#lib/events/envelope.ts';
import { platformVersion } from '#lib/ops/status/version.ts';
import { exampleOf } from '#lib/webhooks/testing/samples.ts';
import { CONTRACTS } from './contracts.ts';
import { addExamples, problemExamples } from './examples/examples.ts';
import { type Deployment, EVENTS_TAG, openapiHead } from './openapi-deployment.ts';
import { encodeRest, type OpenapiRest } from './openapi-forms.ts';
import { operationOf, problemCodesOf, SECURITY_SCHEME } from './openapi-operation.ts';
import { type OpenapiDocument, operationsIn } from './openapi-schema.ts';

/** What each group of operations is for; in this order they are shown. */
const TAG_DESCRIPTIONS: Readonly<Record<Contract['tag'], string>> = {
  projects: 'Sales as everyone sees them: terms, tiers, progress, quotes, and all that it takes to check them.',
  investments: 'What became of a payment: its allocation, payouts and refunds.',
  'platform-id': 'Identity and profile of a wallet.',
  'api-keys': 'Keys for developers. A wallet proof makes a key the wallet’s own.',
  webhooks: 'Signed events to your URL, with a delivery log, resend and replay.',
  owners:
    'For owners of sales and the members whom they invite: drafting, running and reading their own sales. Signed in by a wallet proof.',
  assistant: 'The AI assistant.',
  system: 'Health of the platform, and this document.',
  admin:
    'For administrators: creating and running sales. Every action is audited with its reason. Refused to API keys.',
  internal: 'For the scheduler, the queue and administrators: background jobs. Refused to API keys.',
};

const text = (description: string) => z.string().meta({ description });

const signatureHeaders = z.object({
  'X-Platform-Signature': text('Lowercase hex HMAC-SHA-256 of the body, keyed with the whole secret string'),
  'webhook-id': text('Standard Webhooks: the event id'),
  'webhook-timestamp': text('Standard Webhooks: seconds since the Unix epoch of this attempt'),
  'webhook-signature': text('Standard Webhooks: one or more `v1,<base64>` signatures, separated by spaces'),
});

/** The `webhooks` section: one entry an event type. */
function webhooksSection(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${typeName(type)}`,
          tags: [EVENTS_TAG],
          summary: `Sent to webhooks that subscribe to ${type}`,
          description: EVENT_DESCRIPTIONS[type],
          // The receiver knows us by the signature; no credential is sent.
          security: [{}],
          requestParams: { header: signatureHeaders },
          requestBody: {
            required: true,
            content: {
              'application/json': {
                // By its name: it is an answer of GET /api/events/{id}, too.
                schema: { $ref: `#/components/schemas/${typeName(type)}Event` },
                example: exampleOf(type),
              },
            },
          },
          responses: {
            200: { description: 'Accepted; any 2xx counts' },
            401: { description: 'The signature does not match' },
          },
        },
      },
    ]),
  );
}

const problem = z.object({
  type: z.url().meta({
    description: 'The page that explains the code',
    example: 'https://tranche.example/docs/errors/invalid_request',
  }),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  request_id: z.string().meta({ description: 'Quote it when you contact support' }),
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

const thisDeployment = (): Deployment => ({ version: platformVersion(), serverUrl: env().BASE_URL });

const MOST_OF_32_BITS = 2 ** 31 - 1;

/** What generated code needs to read our answers: it takes an integer for one of 32 bits, and writes a time in its own form. */
const forGenerators: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  const { type, maximum = 0 } = jsonSchema;
  if (type === 'integer' && maximum > MOST_OF_32_BITS) jsonSchema.format = 'int64';
  if (io === 'output' && jsonSchema.format === 'date-time') delete jsonSchema.pattern;
};

/** Folds contracts and the event catalogue into an OpenAPI 3.1 document. */
export function foldOpenapi(
  contracts: readonly Contract[],
  { version, serverUrl }: Deployment = thisDeployment(),
): OpenapiDocument {
  const document = createDocument(
    {
      ...openapiHead({ version, serverUrl }),
      tags: [
        ...Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
        { name: EVENTS_TAG, description: 'Sent to your webhooks, signed.' },
      ],
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
          IdempotencyReplayed: header(
            '`true` where this is the kept answer to an earlier request with the key',
            'true',
          ),
          RetryAfter: header('Seconds to wait', '12'),
        },
        securitySchemes: {
          [SECURITY_SCHEME.api_key]: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key from POST /api/api-keys/create',
          },
          [SECURITY_SCHEME.portal]: {
            type: 'http',
            scheme: 'bearer',
            description: 'A session of the webhook portal, from POST /api/portal-sessions',
          },
          [SECURITY_SCHEME.member]: {
            type: 'http',
            scheme: 'bearer',
            description: 'The session of a member of a tenant, from POST /api/owner/sessions',
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
    },
    { override: forGenerators },
  );
  for (const item of Object.values(document.paths ?? {})) operationsIn(item).forEach(addExamples);
  return document;
}

/** The document without its first fields, in the forms in which it is served. */
export function foldRest(): OpenapiRest {
  const { openapi: _, info: __, servers: ___, ...rest } = foldOpenapi(CONTRACTS, { version: '', serverUrl: '/' });
  return encodeRest(rest);
}
