import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect } from 'vitest';
import { AccountSetAsfFlags, type EscrowFinish, type SubmittableTransaction, type Wallet } from 'xrpl';
import type { payouts } from '#drizzle/schema/payouts.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { readTokenLiabilities } from '#lib/token-liabilities.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { holders } from './cancelled-sales.ts';
import { ledgerSeconds, passLedgerSeconds, RIPPLE_EPOCH_SECONDS } from './escrows.ts';
import { openStage, type ProjectBody, type Stage } from './stage.ts';
import { tokenAmount, type UnsoldParties, type UnsoldSale, unsoldDraft } from './unsold-sale.ts';

export const DAY_MS = 86_400_000;
/** A quarter at once, and as much after 20, 30 and 40 days: parts 2, 3 and 4, of distributions and of locks alike. */
export const QUARTERS = { immediate_bps: 2_500, cliff_days: 10, period_days: 10, periods: 3 };

/** Of the test file that has called `openVestingStage`. */
export let stage: Stage;
export function openVestingStage(): void {
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.end());
}

interface VestingSale extends UnsoldSale {
  investors: Wallet[];
}

/** A running sale that locks what vesting owes; each investor has paid 10 XRP for 100 tokens. */
export async function launched(
  body: Partial<ProjectBody> = {},
  { investors: count = 2, parties }: { investors?: number; parties?: UnsoldParties } = {},
): Promise<VestingSale> {
  const terms = { distribution: 'at_end', vesting: QUARTERS, unsold_until: null, ...body } as const;
  const sale = await unsoldDraft(stage, terms, parties);
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { vestingLocked: true });
  const investors = await holders(stage, sale, count);
  for (const investor of investors) await stage.pay(investor, sale, 10);
  await stage.settle(sale.deposit);
  return { ...sale, investors };
}

export const later = () => stage.ctx.clock.nowMs() + 60_000;
export const planned = async (ctx: TestCtx = stage.ctx) => {
  await planDistributions(ctx, later());
};
export const end = async (sale: VestingSale, action: 'end' | 'cancel' = 'end') => {
  await stage.act(sale, action);
  await stage.settle(sale.deposit);
};
export const ended = async (...given: Parameters<typeof launched>): Promise<VestingSale> => {
  const sale = await launched(...given);
  await end(sale);
  await planned();
  return sale;
};

export type Kind = (typeof payouts.$inferSelect)['kind'];
export const rows = async ({ project }: UnsoldSale, kind: Kind, ctx: TestCtx = stage.ctx) =>
  (await rowsOf(ctx.db, 'payouts', { projectId: project.id, kind })).toSorted((a, b) => a.part - b.part);
export const one = async (sale: UnsoldSale, kind: Kind, part: number) => {
  const found = (await rows(sale, kind)).find((row) => row.part === part);
  if (found === undefined) throw new Error(`${sale.project.id} has no ${kind} ${part}`);
  return found;
};
export const statuses = async (sale: UnsoldSale, kind: Kind) => (await rows(sale, kind)).map(({ status }) => status);

export const slice = (sale: UnsoldSale, ctx: TestCtx = stage.ctx) =>
  runPayouts(ctx, { account: sale.distributor.address, deadlineMs: ctx.clock.nowMs() + 60_000 });

/** Slices with a ledger between them, each payout looked at in each but those that `soon` puts off. */
export async function slices(sale: UnsoldSale, ctx: TestCtx = stage.ctx, count = 4): Promise<void> {
  for (let n = 0; n < count; n++) {
    await ctx.db.execute(sql`update payouts set next_check_at = least(next_check_at, now())
      where status <> 'validated' and next_check_at < now() + interval '1 hour'`);
    await slice(sale, ctx);
    stage.desk.close();
  }
}

interface Escrow {
  Account: string;
  Destination: string;
  Amount: unknown;
  FinishAfter: number;
}
/** The escrows that an account owns, as the ledger has them, the first to end first. */
export async function escrowsOf({ distributor: { address } }: UnsoldParties): Promise<Escrow[]> {
  const { result } = await stage.desk.client.request({
    command: 'account_objects',
    account: address,
    type: 'escrow',
    ledger_index: 'validated',
  });
  return (result.account_objects as unknown[] as Escrow[])
    .filter(({ Account }) => Account === address)
    .sort((a, b) => a.FinishAfter - b.FinishAfter);
}
export const held = async (wallet: Wallet, { issuer }: UnsoldParties) =>
  (await stage.ctx.ledger.trustLine(wallet.address, issuer.address, 'DMO'))?.balance;
export const owedBy = async ({ distributor }: UnsoldParties) =>
  (await readTokenLiabilities(stage.ctx.db, { shownBy: await stage.ctx.ledger.serverState() }))
    .filter((each) => each.distributor === distributor.address)
    .map(({ micros }) => micros);

/** Signed outside the platform. */
export async function byHand(wallet: Wallet, transaction: SubmittableTransaction): Promise<string> {
  const hash = await stage.desk.send(wallet, transaction);
  stage.desk.close();
  return hash;
}
export const giveBack = ({ distributor, issuer }: UnsoldParties, value: string) =>
  byHand(distributor, {
    TransactionType: 'Payment',
    Account: distributor.address,
    Destination: issuer.address,
    Amount: tokenAmount(issuer, value),
  });
export const give = ({ distributor, issuer }: UnsoldParties, value: string) =>
  byHand(issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: tokenAmount(issuer, value),
  });
export const allowEscrows = async ({ issuer }: UnsoldParties, allowed: boolean) =>
  allowed
    ? stage.setFlag(issuer, 'asfAllowTrustLineLocking')
    : byHand(issuer, {
        TransactionType: 'AccountSet',
        Account: issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      });

/**
 * The day of one part is a minute of the ledger away: its locks end then. Its distributions are due then, and are not looked at before
 * `comes`: the database's clock is ahead of the ledger of these tests. Gives the time in the ledger's seconds.
 */
export async function soon({ project }: UnsoldSale, part: number): Promise<number> {
  const seconds = (await ledgerSeconds(stage)) + 60;
  const at = new Date((seconds + RIPPLE_EPOCH_SECONDS) * 1_000);
  const { db } = stage.database;
  const projectId = project.id;
  await changeRows(db, 'payouts', { projectId, kind: 'lock', part }, { lockedUntil: at });
  await changeRows(db, 'payouts', { projectId, kind: 'unlock', part }, { lockedUntil: at, dueAt: at });
  await changeRows(db, 'payouts', { projectId, kind: 'distribution', part }, { dueAt: at, nextCheckAt: inADay() });
  return seconds;
}
export const inADay = () => new Date(Date.now() + DAY_MS);

/** That time has come. */
export async function comes({ project }: UnsoldSale, part: number, seconds: number): Promise<void> {
  await passLedgerSeconds(stage, seconds);
  const likes = { projectId: project.id, kind: 'distribution', part } as const;
  await changeRows(stage.database.db, 'payouts', likes, { nextCheckAt: new Date() });
}

/** A sale whose locks stand and whose part 2 is due now, of a distributor that has nothing else. */
export async function due(): Promise<VestingSale> {
  const sale = await ended();
  await giveBack(sale, '5800');
  const seconds = await soon(sale, 2);
  await slices(sale);
  expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
  expect(await held(sale.distributor, sale)).toBe('0');
  await comes(sale, 2, seconds);
  return sale;
}

export async function finishByStranger(sale: VestingSale, part = 2): Promise<string> {
  const [stranger] = (await stage.desk.accounts(1)) as [Wallet];
  const { txHash } = await one(sale, 'lock', part);
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: txHash ?? '' });
  const { TicketSequence: OfferSequence = 0 } = result.tx_json as { TicketSequence?: number };
  return byHand(stranger, {
    TransactionType: 'EscrowFinish',
    Account: stranger.address,
    Owner: sale.distributor.address,
    OfferSequence,
  } as EscrowFinish);
}
