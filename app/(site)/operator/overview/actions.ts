'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { haltAccountContract, resumeAccountContract } from '#lib/sales/accounts/contracts.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { act, type Outcome, textOf } from '../act.ts';

const givenOf = (form: FormData) => ({
  params: { address: textOf(form, 'address') },
  body: { reason: textOf(form, 'reason') },
});

export async function halt(_: Outcome, form: FormData): Promise<Outcome> {
  return act(
    haltAccountContract,
    givenOf(form),
    (ctx, { params, body }) => setHalted(ctx, { address: params.address, halted: true, reason: body.reason }),
    'The account is halted.',
  );
}

export async function resume(_: Outcome, form: FormData): Promise<Outcome> {
  return act(
    resumeAccountContract,
    givenOf(form),
    (ctx, { params, body }) =>
      thenWake(ctx, setHalted(ctx, { address: params.address, halted: false, reason: body.reason })),
    'The account is resumed.',
  );
}
