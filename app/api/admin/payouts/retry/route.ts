import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { retryPayouts } from '#lib/payouts/operate/act-on-payout.ts';
import { retryPayoutsContract } from '#lib/payouts/operate/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(retryPayoutsContract, (ctx, { body }) => thenWake(ctx, retryPayouts(ctx, body))),
);
