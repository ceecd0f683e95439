import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { decideApprovalContract } from '#lib/sales/approvals/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    decideApprovalContract,
    (ctx, { params: { id, decision }, body: { reason } }) => {
      const decided = import('#lib/sales/approvals/decide-approval.ts').then((verbs) =>
        verbs[decision](ctx, { id, reason }),
      );
      return decision === 'approve' ? thenWake(ctx, decided) : decided;
    },
    { ledger: lazyLedger },
  ),
);
