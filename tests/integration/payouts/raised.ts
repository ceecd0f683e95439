import { and, asc, eq } from 'drizzle-orm';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { ReleaseAnswer } from '#lib/payouts/release/contracts.ts';
import { type ReleaseRequest, releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { launchedUnder, type Rules } from '#tests/integration/sales/cancelled-sales.ts';
import type { ProjectBody, Sale, Stage } from '#tests/integration/sales/stage.ts';
import { XRP } from '#tests/support/sale.ts';

/** A running sale that names a treasury, on a deposit account that owns little beside what it raises. */
export interface RaisingSale extends Sale {
  treasury: Wallet;
}

export const DEPOSIT_XRP = 40;

export async function raising(
  stage: Stage,
  rules: Rules = {},
  body: Partial<ProjectBody> = {},
  parties: Partial<Pick<RaisingSale, 'deposit' | 'issuer' | 'treasury'>> = {},
): Promise<RaisingSale> {
  const treasury = parties.treasury ?? (await stage.account());
  const [poor] = (await stage.desk.accounts(1, DEPOSIT_XRP)) as [Wallet];
  const deposit = parties.deposit ?? poor;
  const sale = await launchedUnder(stage, rules, { treasury: treasury.address, ...body }, { ...parties, deposit });
  return { ...sale, treasury };
}

/** Asks for a release of `xrp`, or of all that may go. */
export const release = (
  stage: Stage,
  { project }: Pick<Sale, 'project'>,
  xrp?: number,
  over: Partial<ReleaseRequest> = {},
): Promise<ReleaseAnswer> =>
  releaseRaised(stage.ctx, {
    projectId: project.id,
    amountDrops: xrp === undefined ? undefined : BigInt(Math.round(xrp * 1_000_000)),
    dryRun: false,
    reason: 'asked for',
    ...over,
  });

export const releasesOf = (stage: Stage, { project }: Pick<Sale, 'project'>) =>
  stage.database.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.kind, 'release'), eq(payouts.projectId, project.id)))
    .orderBy(asc(payouts.createdAt), asc(payouts.id));

export const balanceOf = async (stage: Stage, { address }: Pick<Wallet, 'address'>): Promise<bigint> =>
  (await stage.ctx.ledger.account(address))?.balanceDrops ?? 0n;

/** What an account was funded with by the stage, and no more. */
export const FUNDED_DROPS = 1_000n * XRP;
