import { expect } from 'vitest';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import type { FieldError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import type { ProjectPatch } from '#lib/sales/projects/project-input.ts';
import { payingNeedDrops } from '#lib/xrpl/server-state.ts';
import { changeRows } from '#tests/support/rows.ts';
import type { Sale, Stage } from './stage.ts';
import type { UnsoldParties } from './unsold-sale.ts';

// What tests of the terms that promise locks, and of the launch with them, have in common.

/** The faults for which something is refused with `code`. */
export async function errorsOf(asked: Promise<unknown>, code: string): Promise<FieldError[]> {
  const error = (await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )) as { code?: string; errors?: FieldError[] } | null;
  expect(error?.code).toBe(code);
  return error?.errors ?? [];
}

/** Why a draft cannot be launched. */
export const launchFaultsOf = (stage: Stage, sale: Sale) => errorsOf(stage.act(sale, 'launch'), 'launch_not_ready');

export const patch = (stage: Stage, { project: { id } }: Sale, change: ProjectPatch) =>
  patchProject(stage.ctx, { id, patch: change, reason: 'a change of the locks' });

export const termsOf = async (stage: Stage, { project: { id } }: Sale) =>
  JSON.parse((await getTerms(stage.ctx, id)).canonical);

/** The issuer allows no escrows of its token any more. */
export const forbidEscrows = (stage: Stage, { issuer }: Pick<UnsoldParties, 'issuer'>) =>
  stage.desk.write([
    issuer,
    {
      TransactionType: 'AccountSet',
      Account: issuer.address,
      ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
    },
  ]);

/** A draft under custody, which none that promises locks could become by the API. */
export async function putUnderCustody(stage: Stage, { project: { id }, deposit, issuer }: Sale): Promise<void> {
  const custody = {
    quorum: 2,
    platform: { account: deposit.address, weight: 1 },
    witnesses: [{ account: issuer.address, weight: 1, operator: 'Somebody' }],
  };
  await changeRows(stage.database.db, 'projects', { id }, { custody: custody as never });
}

const FEE_DROPS = 10n;

export const payDrops = (stage: Stage, from: Wallet, to: Wallet, drops: bigint) =>
  stage.desk.write([
    from,
    {
      TransactionType: 'Payment',
      Account: from.address,
      Destination: to.address,
      Amount: drops.toString(),
      Fee: FEE_DROPS.toString(),
    },
  ]);

/** What a distributor needs for escrows beside all that it has on the ledger. */
export async function reserveOf(stage: Stage, { distributor, issuer }: Pick<UnsoldParties, 'distributor' | 'issuer'>) {
  const server = await stage.ctx.ledger.serverState();
  const held = await stage.ctx.ledger.account(distributor.address);
  const needDrops = (escrows: number) => payingNeedDrops((held?.ownerCount ?? 0) + escrows, server);
  return {
    /** Leaves it what so many escrows need, less `missingDrops`: the issuer gets the rest. */
    leave: (escrows: number, missingDrops = 0n) =>
      payDrops(stage, distributor, issuer, (held?.balanceDrops ?? 0n) - needDrops(escrows) - FEE_DROPS + missingDrops),
    lacking: (escrows: number): FieldError => ({
      field: 'distributor',
      message: `needs at least ${formatDrops(needDrops(escrows))} XRP for reserves, tickets and fees`,
    }),
  };
}
