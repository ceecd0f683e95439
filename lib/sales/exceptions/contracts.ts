import { exceptionResource, projectId } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';

export const exceptionsContract = defineContract({
  id: 'listExceptions',
  method: 'GET',
  path: '/api/projects/{id}/exceptions',
  tag: 'projects',
  summary: 'List the exceptions of a sale: assigned payments, late discoveries and operators’ refunds, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    ...cursorQuery,
    cursor: z
      .string()
      .regex(/^\d{1,10}-\d{1,9}(-\d{1,6})?$/, 'is not a cursor of this list')
      .optional()
      .meta({ description: 'Opaque; `next_cursor` of the page before' }),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        exceptions: z.array(exceptionResource),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});
