import { operation, resource } from '#lib/api/route.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { continueContract } from '#lib/jobs/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(continueContract, (ctx, { body }) => continueJob(ctx, body), { ledger: lazyLedger }),
);
