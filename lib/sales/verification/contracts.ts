import { depositAccount, projectId } from '@tranche/verifier/published.ts';
import { verificationReport } from '@tranche/verifier/report.ts';
import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';

const anchor = { transaction_hash: z.string(), ledger_index: z.int() };

export const verificationContract = defineContract({
  id: 'getVerification',
  method: 'GET',
  path: '/api/projects/{id}/verification',
  tag: 'projects',
  summary: 'Get what anyone needs to verify a sale, and the result of the platform’s last verification',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      z.object({
        project_id: projectId,
        deposit_account: depositAccount,
        anchors: z.object({
          launch: z.object({ ...anchor, terms_hash: z.string() }).nullable(),
          lists: z.array(z.object({ ...anchor, list_id: z.string(), list_hash: z.string(), applied_at: isoTime })),
        }),
        command: z.string().meta({ description: 'Verifies the sale from anywhere; it needs no secret' }),
        running: z.boolean().meta({ description: 'A run of the platform’s own is under way' }),
        last_run: z
          .object({
            id: z.string(),
            as_of_ledger: z.int(),
            verdict: verificationReport.unwrap().shape.verdict,
            payments: z.int(),
            payouts: z.int(),
            differences: z.int(),
            started_at: isoTime,
            ended_at: isoTime,
            report: verificationReport,
          })
          .nullable(),
      }),
    ),
  },
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});
