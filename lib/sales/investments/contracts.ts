import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { opaqueCursor } from '#lib/base/cursor.ts';
import { tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { NO_ZERO, ZERO_FAULT } from '#lib/base/plain-text.ts';
import { projectInvestmentsContract } from '../contracts.ts';
import { projectId } from '../schemas.ts';

/** What a list of investors takes beside the project. */
export const investorsQuery = z.strictObject({
  search: z.string().trim().max(80).regex(NO_ZERO, ZERO_FAULT).optional(),
  cursor: opaqueCursor(200).optional(),
});

const viewer = {
  tag: 'owners',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
} as const;

// What a member reads is nobody else's: no cache keeps it.
const { cacheControl: _, ...listInvestments } = projectInvestmentsContract;

export const listOwnInvestmentsContract = defineContract({
  ...listInvestments,
  ...viewer,
  id: 'listOwnInvestments',
  path: '/api/owner/projects/{id}/investments',
  summary: 'List the investments in one of the tenant’s sales, newest first',
});

export const listOwnInvestorsContract = defineContract({
  ...viewer,
  id: 'listOwnInvestors',
  method: 'GET',
  path: '/api/owner/projects/{id}/investors',
  summary: 'List the wallets that bought in one of the tenant’s sales, those that invested most first',
  query: investorsQuery,
  responses: {
    200: z.lazy(() =>
      z.object({
        investors: z.array(
          z.object({
            wallet_address: z.string(),
            invested_xrp: xrpAmount.meta({ description: 'By confirmed payments; what a cancellation refunded counts' }),
            tokens: tokenAmount,
            payments: z.int(),
            last_paid_at: isoTime,
          }),
        ),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
  errors: ['project_not_found'],
});
