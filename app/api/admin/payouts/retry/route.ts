import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { retryPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { retryPayouts } from '#lib/payouts/operate/retry-payouts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(retryPayoutsContract, (ctx, { body }) => thenWake(ctx, retryPayouts(ctx, body))),
);
