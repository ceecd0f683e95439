import { operation, resource } from '#lib/api/route.ts';
import { trustlineMonitorContract } from '#lib/payouts/monitor/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    trustlineMonitorContract,
    (ctx) => import('#lib/jobs/monitor-trust-lines.ts').then(({ monitorTrustLines }) => monitorTrustLines(ctx)),
    { ledger: lazyLedger },
  ),
);
