import type { Ctx } from '#lib/ctx.ts';
import type { Maintenance } from '#lib/ops/status/maintenance/contracts.ts';
import { endMaintenance, startMaintenance } from '#lib/ops/status/maintenance/maintenance.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';

/** Opens a maintenance and has its event sent at once. Throws as `startMaintenance` does. */
export async function announceStart(ctx: Ctx, input: Parameters<typeof startMaintenance>[1]): Promise<Maintenance> {
  const maintenance = await startMaintenance(ctx, input);
  await wakeDispatch(ctx);
  return maintenance;
}

/** Ends the open maintenance and has its event sent at once. Throws as `endMaintenance` does. */
export async function announceEnd(ctx: Ctx, input: Parameters<typeof endMaintenance>[1]): Promise<Maintenance> {
  const maintenance = await endMaintenance(ctx, input);
  await wakeDispatch(ctx);
  return maintenance;
}
