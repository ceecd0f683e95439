import { z } from 'zod';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { getVerification } from '#lib/sales/verification/get-verification.ts';
import { ownSource, transactionSources } from '../links.ts';
import { defineTool, projectInput } from './define.ts';

export const verifySaleTool = defineTool({
  name: 'verify_sale',
  description:
    'How anyone can check a sale: the hash of its terms and the launch transaction that anchors it, the command that recomputes every decision from the public ledger, and the verdict of the last run.',
  input: z.strictObject({ project_id: projectInput }),
  async run(ctx, { project_id }) {
    const [terms, verification] = await Promise.all([getTerms(ctx, project_id), getVerification(ctx, project_id)]);
    const { command, running, last_run } = verification;
    return {
      data: {
        project_id,
        terms_sha256: terms.sha256,
        anchor: terms.anchor,
        command,
        running,
        last_run:
          last_run === null
            ? null
            : {
                verdict: last_run.verdict,
                as_of_ledger: last_run.as_of_ledger,
                payments: last_run.payments,
                payouts: last_run.payouts,
                differences: last_run.differences,
                ended_at: last_run.ended_at,
              },
      },
      sources: [
        ownSource('The terms of the sale', `/api/projects/${project_id}/terms`),
        ownSource('The proof of the sale', `/api/projects/${project_id}/verification`),
        ...transactionSources(terms.anchor?.transaction_hash ?? null),
      ],
    };
  },
});
