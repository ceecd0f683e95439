import { operation, resource } from '#lib/http/route.ts';
import { monitorTrustLines } from '#lib/jobs/monitor-trust-lines.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { trustlineMonitorContract } from '#lib/payouts/monitor/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(trustlineMonitorContract, (ctx) => monitorTrustLines(ctx), { ledger: lazyLedger }),
);
