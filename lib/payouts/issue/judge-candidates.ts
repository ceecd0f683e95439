import type { Ctx } from '#lib/ctx.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { readAllowance, readMinor, spend } from '../ceiling.ts';
import { type Plan, planPayouts, readFacts } from '../check.ts';
import { loadOpenAttempts, type StoredPayout } from '../load.ts';
import { findPayer } from '../sign.ts';
import { BATCH, type Payout, type PayoutReason } from '../types.ts';

export interface Judged {
  /** The ledger would take them now. */
  payable: StoredPayout[];
  /** Of those, the ids that come after what the hour still allows their account. */
  beyondCeiling: Set<string>;
  /** The ledger, or what is known of the paying account, says why not. */
  postponed: Plan['postponed'];
  /** For a person, or for their turn within the hour: not asked about. */
  untouched: StoredPayout[];
  /** The time ran out before them. */
  unreached: StoredPayout[];
}

/** Why a payout is held that is over when the ledger would take it; any other hold is for a person to release. */
const CURABLE: ReadonlySet<string | null> = new Set<PayoutReason>([
  'destination_missing',
  'destination_tag_required',
  'deposit_authorization_required',
  'issuer_missing',
  'issuance_missing',
  'issuance_maximum',
  'transfer_fee',
  'transfer_not_allowed',
]);
const isCurable = (reason: string | null): boolean => CURABLE.has(reason) || (reason?.startsWith('tec') ?? false);

/** What is left alone: a hold that no ledger ends, a stop, and what the hourly ceiling put in line. */
const isUntouchable = ({ status, reason, stopped }: StoredPayout): boolean =>
  stopped !== null || (status === 'held' ? !isCurable(reason) : reason === 'hourly_ceiling');

/**
 * Judges candidates by what the ledger shows now, in their order, within `deadlineMs`. Reads only. Each counts what those
 * before it and those under way take. Throws PlatformError `ledger_unavailable`.
 */
export async function judgeCandidates(
  ctx: Ctx,
  candidates: readonly StoredPayout[],
  server: ServerState,
  deadlineMs: number,
): Promise<Judged> {
  const judged: Judged = {
    payable: [],
    beyondCeiling: new Set(),
    postponed: [],
    untouched: candidates.filter(isUntouchable),
    unreached: [],
  };
  const open = candidates.filter((candidate) => !isUntouchable(candidate));
  for (const [account, ofAccount] of Map.groupBy(open, ({ payout }) => payout.account)) {
    await judgeAccount(ctx, account, ofAccount, { server, deadlineMs, judged });
  }
  return judged;
}

async function judgeAccount(
  ctx: Ctx,
  account: string,
  candidates: readonly StoredPayout[],
  { server, deadlineMs, judged }: { server: ServerState; deadlineMs: number; judged: Judged },
): Promise<void> {
  const postponeAll = (reason: PayoutReason) =>
    void judged.postponed.push(
      ...candidates.map(({ payout }) => ({ payout, decision: { kind: 'later', reason } as const })),
    );
  const found = await findPayer(ctx, account);
  if (typeof found === 'string') return postponeAll(found);
  const { payer } = found;
  const taking: Payout[] = (await loadOpenAttempts(ctx.db, account)).map((attempt) => attempt.payout);
  const allowance = await readAllowance(ctx, account);
  const ids = candidates.map(({ payout }) => payout.id);
  const minor = await readMinor(ctx.db, ids, allowance);
  for (let from = 0; from < candidates.length; from += BATCH) {
    if (ctx.clock.nowMs() >= deadlineMs) {
      judged.unreached.push(...candidates.slice(from));
      return;
    }
    const batch = candidates.slice(from, from + BATCH);
    const examined = await readFacts(
      ctx.ledger,
      payer,
      server,
      batch.map(({ payout }) => payout),
    );
    const plan = planPayouts(examined, taking);
    judged.postponed.push(...plan.postponed);
    const payable = new Set(plan.payable.map(({ id }) => id));
    for (const candidate of batch.filter(({ payout }) => payable.has(payout.id))) {
      taking.push(candidate.payout);
      judged.payable.push(candidate);
      const isMinor = minor.has(candidate.payout.id);
      if (allowance.payouts <= 0 || (isMinor && allowance.minorPayouts <= 0)) {
        judged.beyondCeiling.add(candidate.payout.id);
      } else spend(allowance, [candidate.payout], isMinor ? 1 : 0);
    }
  }
}
