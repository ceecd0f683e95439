import { derivedId } from '@tranche/rules/ids.ts';
import { eq, sql } from 'drizzle-orm';
import { type PayoutRow, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Approval, assertMayActAlone } from '#lib/two-person.ts';
import {
  type ReleaseFacts,
  reasonNotAllReleasable,
  reasonNotReleasable,
  releasableDrops,
  toReleaseAmounts,
} from './amounts.ts';
import type { ReleaseAnswer } from './contracts.ts';
import { depositAddressOf, withBalance } from './read-amounts.ts';
import { type DepositAccount, readReleaseFacts } from './read-release.ts';

export interface ReleaseRequest {
  projectId: string;
  /** Everything that is releasable when omitted. */
  amountDrops?: Drops | undefined;
  /** The client's own name for it: the same one is never released twice. */
  releaseId?: string | undefined;
  dryRun: boolean;
  reason: string;
  /** The approval that it carries out. */
  approval?: Approval<{ destination: string; amountDrops: Drops; payoutId: string }>;
}

/**
 * Owes raised XRP to the treasury that the anchored terms name; the payer of the deposit account sends it like a refund,
 * after all refunds. Decided under the deposit account's lock, under which the feed, cancellations and other releases are
 * written too: what is decided beside it (a payment that is settled) only ever leaves more. Throws `project_not_found`, `approval_required`,
 * `conflict` when nothing may go or the `release_id` stands for another amount, `limit_reached` when less may go than asked.
 */
export async function releaseRaised(ctx: Ctx, request: ReleaseRequest): Promise<ReleaseAnswer> {
  const depositAddress = await depositAddressOf(ctx.db, request.projectId);
  if (!request.dryRun && request.approval === undefined) assertMayActAlone(ctx.actor, 'release');
  return withBalance(ctx, depositAddress, (onLedger, ledgerIndex) =>
    ctx.db.transaction((tx) => release(ctx, tx, request, { depositAddress, onLedger, ledgerIndex })),
  );
}

async function release(
  ctx: Ctx,
  tx: Tx,
  request: ReleaseRequest,
  account: DepositAccount & { ledgerIndex: number },
): Promise<ReleaseAnswer | null> {
  await tx
    .select({ address: depositAccounts.address })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, account.depositAddress))
    .for('no key update');
  const facts = await readReleaseFacts(tx, request.projectId, account);
  if (facts.commitments.ledgerIndex !== account.ledgerIndex) return null;
  const before = await findReleased(tx, request);
  if (before !== null) {
    if (request.amountDrops !== undefined && request.amountDrops !== before.amount) {
      throw new PlatformError('conflict', `release_id: stands for a release of ${formatDrops(before.amount)} XRP.`);
    }
    return answer(request, before.amount, before, facts);
  }
  const amountDrops = amountToRelease(request, facts);
  if (request.dryRun) return answer(request, amountDrops, null, facts);
  const row = await writeRelease(ctx, tx, request, facts, amountDrops);
  return answer(request, amountDrops, row, await readReleaseFacts(tx, request.projectId, account));
}

const idOf = ({ projectId, releaseId }: ReleaseRequest): string | null =>
  releaseId === undefined ? null : derivedId('pay', 'release', projectId, releaseId);

async function findReleased(db: Db, request: ReleaseRequest): Promise<PayoutRow | null> {
  const id = idOf(request);
  if (id === null) return null;
  const [row] = await db.select().from(payouts).where(eq(payouts.id, id));
  return row ?? null;
}

function amountToRelease({ amountDrops }: ReleaseRequest, facts: ReleaseFacts): Drops {
  const obstacle = reasonNotReleasable(facts.raised, facts.commitments);
  if (obstacle !== null) throw new PlatformError('conflict', obstacle);
  const releasable = releasableDrops(facts);
  if (releasable === 0n)
    throw new PlatformError('conflict', `Nothing is releasable now. ${reasonNotAllReleasable(facts) ?? ''}`.trim());
  if (amountDrops !== undefined && amountDrops > releasable) {
    throw new PlatformError(
      'limit_reached',
      `amount_xrp: at most ${formatDrops(releasable)} XRP is releasable now. GET this path shows what must stay, and why.`,
    );
  }
  return amountDrops ?? releasable;
}

async function writeRelease(
  ctx: Ctx,
  tx: Tx,
  request: ReleaseRequest,
  { raised }: ReleaseFacts,
  amountDrops: Drops,
): Promise<PayoutRow> {
  const { treasury, depositAddress } = raised;
  if (treasury === null) throw new Error(`The terms of ${raised.id} name no treasury`);
  const [row] = await tx
    .insert(payouts)
    .values({
      id: idOf(request) ?? newId('pay', ctx.random),
      kind: 'release',
      projectId: raised.id,
      account: depositAddress,
      destination: treasury,
      amount: amountDrops,
      // By the clock that says when it has come: an app whose own is ahead would only put it off.
      dueAt: sql`now()`,
    })
    .returning();
  if (row === undefined) throw new Error(`The release of ${raised.id} was not written`);
  await request.approval?.close(tx, { destination: treasury, amountDrops, payoutId: row.id });
  await appendAudit(tx, ctx, {
    action: 'project.release',
    subject: raised.id,
    reason: request.reason,
    before: { released_xrp: formatDrops(raised.releasedDrops) },
    after: {
      payout: row.id,
      release_id: request.releaseId ?? null,
      destination: treasury,
      amount_xrp: formatDrops(amountDrops),
      ...(request.approval === undefined ? {} : { approval: request.approval.id }),
    },
  });
  return row;
}

const answer = (
  { dryRun, releaseId }: ReleaseRequest,
  amountDrops: Drops,
  row: PayoutRow | null,
  facts: ReleaseFacts,
): ReleaseAnswer => ({
  dry_run: dryRun,
  amount_xrp: formatDrops(amountDrops),
  release:
    row === null
      ? null
      : {
          id: row.id,
          release_id: releaseId ?? null,
          amount_xrp: formatDrops(row.amount),
          destination: row.destination,
          status: row.status,
          reason: row.reason,
          transaction_hash: row.txHash,
          ledger_index: row.ledgerIndex,
          created_at: row.createdAt.toISOString(),
        },
  figures: toReleaseAmounts(facts),
});
