import packageJson from '@tranche/witness/package.json' with { type: 'json' };
import type * as z from 'zod';
import { createDocument } from 'zod-openapi';
import {
  faultAnswer,
  healthAnswer,
  MAX_REQUEST_BYTES,
  REFUSALS,
  signaturesAnswer,
  signaturesRequest,
  statusAnswer,
} from './protocol.ts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const fault = (description: string) => ({ description, content: json(faultAnswer) });

const refusals = Object.entries(REFUSALS)
  .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}.`)
  .join('\n');

/** The OpenAPI document of a witness. */
export const openapi = (): ReturnType<typeof createDocument> =>
  createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tranche witness',
      version: packageJson.version,
      description: `Co-signs what a token sale owes by its published rules. A candidate is signed or refused, with one of these reasons:\n\n${refusals}`,
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: {
      '/v1/signatures': {
        post: {
          operationId: 'sign',
          summary: 'Sign what of the candidates is owed; one result each, in their order',
          requestBody: { required: true, content: json(signaturesRequest) },
          responses: {
            200: { description: 'Every candidate was decided', content: json(signaturesAnswer) },
            400: fault('The body is no such request'),
            401: fault('The token is missing or wrong'),
            413: fault(`More than ${MAX_REQUEST_BYTES} bytes`),
            429: fault('Too many requests; `retry-after` says when to come back'),
            503: fault('Nothing was signed: the log could not be written'),
          },
        },
      },
      '/v1/status': {
        get: {
          operationId: 'getStatus',
          summary: 'Where the witness stands, and what it refused lately',
          responses: {
            200: { description: 'The status', content: json(statusAnswer) },
            401: fault('The token is missing or wrong'),
          },
        },
      },
      '/health': {
        get: {
          operationId: 'getHealth',
          summary: 'Whether it signs',
          security: [{}],
          responses: { 200: { description: 'The state in one word', content: json(healthAnswer) } },
        },
      },
    },
  });
