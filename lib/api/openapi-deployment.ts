import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';

export const getOpenapiContract = defineContract({
  id: 'getOpenapi',
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'system',
  summary: 'Get this API as an OpenAPI 3.1 document',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }) },
  cacheControl: 'public, max-age=300',
});

/** Of its own: under the tag of operations some generators write the events over them. */
export const EVENTS_TAG = 'events';

/** What of the document is of one deployment. */
export interface Deployment {
  version: string;
  serverUrl: string;
}

/** The document's first fields: they alone say where it is served. All others follow from the code. */
export const openapiHead = ({ version, serverUrl }: Deployment) => ({
  openapi: '3.1.0' as const,
  info: {
    title: 'Tranche',
    version,
    description:
      'Token sales on the XRP Ledger. Errors are application/problem+json (RFC 9457). Operations tagged `internal` and `admin` are refused to API keys.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: serverUrl, description: 'This deployment' }],
});
