'use server';

import { announceEnd, announceStart } from '#lib/jobs/announce-maintenance.ts';
import { endMaintenanceContract, startMaintenanceContract } from '#lib/ops/status/maintenance/contracts.ts';
import { act, type Outcome, textOf } from '../act.ts';
import { timeOf } from '../time-of.ts';

export async function beginMaintenance(_: Outcome, form: FormData): Promise<Outcome> {
  const end = textOf(form, 'expected_end_at');
  const body = {
    message: textOf(form, 'message'),
    reason: textOf(form, 'reason'),
    ...(end === '' ? {} : { expected_end_at: timeOf(end) }),
  };
  return act(
    startMaintenanceContract,
    { body },
    (ctx, input) => announceStart(ctx, input.body),
    'Maintenance is announced.',
  );
}

export async function finishMaintenance(_: Outcome, form: FormData): Promise<Outcome> {
  const body = { reason: textOf(form, 'reason') };
  return act(endMaintenanceContract, { body }, (ctx, input) => announceEnd(ctx, input.body), 'Maintenance has ended.');
}
