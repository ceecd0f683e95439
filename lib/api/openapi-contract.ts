import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';

export const getOpenapiContract = defineContract({
  id: 'getOpenapi',
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'system',
  summary: 'This interface as an OpenAPI 3.1 document',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }) },
  cacheControl: 'public, max-age=300',
});
