import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import type { Asset } from '@tranche/rules/transactions.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { type Drops, divideCeil, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import { hasRoom } from '#lib/xrpl/trust-lines.ts';
import type { AccountState, Ledger, MptHolding, MptIssuance, ServerState, TrustLine } from '#lib/xrpl/types.ts';
import { type Decision, FEE_FLOAT_DROPS, type Payout, type PayoutReason } from './types.ts';

type AssetFacts =
  | { kind: 'xrp'; reserveBaseDrops: Drops; spendableDrops: Drops }
  /** `payerLine` is null when the payer is the issuer, or has no line. */
  | { kind: 'iou'; issuer: AccountState | null; line: TrustLine | null; payerLine: TrustLine | null }
  | { kind: 'mpt'; issuance: MptIssuance | null; holding: MptHolding | null; payerHolding: MptHolding | null };

/** What the newest validated ledger shows about one payout. */
export interface PayoutFacts {
  destination: Pick<AccountState, 'flags'> | null;
  /** True also when the destination asks for no deposit authorisation. */
  depositAuthorized: boolean;
  asset: AssetFacts;
}

const CONCURRENT_PAYOUTS = 50;

/** XRP that the account can send: what stands above its reserve and a float for fees (docs/ledger-facts.md, 20). */
export function spendableDrops(payer: AccountState, server: ServerState): Drops {
  const reserve = server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(payer.ownerCount);
  const free = payer.balanceDrops - reserve - FEE_FLOAT_DROPS;
  return free > 0n ? free : 0n;
}

/** Asks the ledger each question once: many payouts share a destination, all of them the issuer and the payer. */
export function askOnce<Question extends string[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...question) => {
    const key = question.join(' ');
    const answer = answers.get(key) ?? ask(...question);
    answers.set(key, answer);
    return answer;
  };
}

/** A payout with what the ledger shows about it, or why that could not be read. */
export type CheckedPayout = { payout: Payout; facts: PayoutFacts } | { payout: Payout; fault: unknown };

/**
 * What the newest validated ledger shows about each payout of one payer, in their order. A question that the ledger
 * refuses, or answers oddly, is the fault of its own payout only; without the ledger it throws.
 */
export async function readFacts(
  ledger: Ledger,
  payer: AccountState,
  server: ServerState,
  payouts: readonly Payout[],
): Promise<CheckedPayout[]> {
  const account = askOnce(ledger.account);
  const flags = askOnce(ledger.accountFlags);
  const line = askOnce((holder: string, issuer: string, currency: string) =>
    ledger.trustLine(holder, issuer, currency),
  );
  const issuance = askOnce(ledger.mptIssuance);
  const holding = askOnce((holder: string, issuanceId: string) => ledger.mptHolding(holder, issuanceId));
  const authorized = askOnce((destination: string) => ledger.depositAuthorized(payer.address, destination));

  async function assetFacts(asset: Asset, holder: string): Promise<AssetFacts> {
    if (asset.kind === 'xrp') {
      return { kind: 'xrp', reserveBaseDrops: server.reserveBaseDrops, spendableDrops: spendableDrops(payer, server) };
    }
    if (asset.kind === 'iou') {
      const { issuer, currency } = asset;
      const [issuerState, holderLine, payerLine] = await Promise.all([
        account(issuer),
        // The ledger has no line of an account to itself, and refuses the question.
        holder === issuer ? null : line(holder, issuer, currency),
        payer.address === issuer ? null : line(payer.address, issuer, currency),
      ]);
      return { kind: 'iou', issuer: issuerState, line: holderLine, payerLine };
    }
    const [issued, held, payerHeld] = await Promise.all([
      issuance(asset.issuanceId),
      holding(holder, asset.issuanceId),
      holding(payer.address, asset.issuanceId),
    ]);
    return { kind: 'mpt', issuance: issued, holding: held, payerHolding: payerHeld };
  }

  async function check(payout: Payout): Promise<CheckedPayout> {
    const [destination, asset] = await Promise.all([
      flags(payout.destination),
      assetFacts(payout.asset, payout.destination),
    ]);
    const guarded = destination !== null && hasAccountFlag(destination, 'depositAuthorization');
    const depositAuthorized = guarded ? await authorized(payout.destination) : true;
    return { payout, facts: { destination, depositAuthorized, asset } };
  }

  return mapBounded(payouts, CONCURRENT_PAYOUTS, async (payout): Promise<CheckedPayout> => {
    try {
      return await check(payout);
    } catch (fault) {
      if (fault instanceof PlatformError && fault.code === 'ledger_unavailable') throw fault;
      return { payout, fault };
    }
  });
}

interface Postponed {
  payout: Payout;
  decision: Refusal;
  /** For the log: what was wrong with the ledger's answer. */
  fault?: unknown;
}

export interface Plan {
  payable: Payout[];
  postponed: Postponed[];
}

const assetKey = (asset: Asset): string => {
  if (asset.kind === 'xrp') return 'xrp';
  return asset.kind === 'mpt' ? asset.issuanceId : `${asset.currency}.${asset.issuer}`;
};

/** Projects may sell one token with different decimals: sums are kept in the finest unit there is. */
const scaleOf = (asset: Asset): bigint =>
  asset.kind === 'iou' ? 10n ** BigInt(WIRE_TOKEN_DECIMALS - asset.decimals) : 1n;

/** What payments use up of the payer's balances and of the holders' room, in the finest unit of each asset. */
class Usage {
  readonly #sums = new Map<string, bigint>();

  #keys({ asset, destination }: Payout) {
    return { fromPayer: assetKey(asset), byHolder: `${destination} ${assetKey(asset)}` };
  }

  /** An unlock takes nothing: it gives tokens back. */
  add(payout: Payout): void {
    if (payout.kind === 'unlock') return;
    const amount = payout.amount * scaleOf(payout.asset);
    for (const key of Object.values(this.#keys(payout))) this.#sums.set(key, (this.#sums.get(key) ?? 0n) + amount);
  }

  /** In the payout's own unit, rounded up. */
  before(payout: Payout): Taken {
    const { fromPayer, byHolder } = this.#keys(payout);
    const units = (key: string) => divideCeil(this.#sums.get(key) ?? 0n, scaleOf(payout.asset));
    return { fromPayer: units(fromPayer), byHolder: units(byHolder) };
  }
}

/**
 * Sorts due payouts of one account into those to pay and those to postpone, in the order given. Each counts what the
 * ones before it and those in flight will take from the payer's balance and the holder's room. Pure.
 */
export function planPayouts(due: readonly CheckedPayout[], inFlight: readonly Payout[]): Plan {
  const usage = new Usage();
  for (const payout of inFlight) usage.add(payout);
  const plan: Plan = { payable: [], postponed: [] };
  for (const checked of due) {
    const { payout } = checked;
    try {
      if ('fault' in checked) throw checked.fault;
      const decision = decidePayout(payout, checked.facts, usage.before(payout));
      if (decision.kind === 'pay') {
        plan.payable.push(payout);
        // A lock goes only when the balance covers all that is owed (keep-owed-tokens.ts): what stands behind it loses nothing by it.
        if (payout.kind !== 'lock') usage.add(payout);
      } else plan.postponed.push({ payout, decision });
    } catch (fault) {
      // An answer that cannot be read is the fault of this payout only.
      plan.postponed.push({ payout, decision: later('facts_unreadable'), fault });
    }
  }
  return plan;
}

/** An answer that cannot be read is worth a look by a person; its payout waits meanwhile. */
export function logFaults(ctx: Pick<Ctx, 'log'>, { postponed }: Plan): void {
  for (const { payout, fault } of postponed) {
    if (fault === undefined) continue;
    ctx.log.error({ err: fault, payout_id: payout.id }, 'unexpected answer of the ledger server about a payout');
  }
}

/** What payments already under way will take, in the payout's own unit: from the payer, and of the holder's room. */
interface Taken {
  fromPayer: bigint;
  byHolder: bigint;
}

type Refusal = Exclude<Decision, { kind: 'pay' }>;

const wait = (reason: PayoutReason): Refusal => ({ kind: 'wait', reason });
const later = (reason: PayoutReason): Refusal => ({ kind: 'later', reason });
const hold = (reason: PayoutReason): Refusal => ({ kind: 'hold', reason });
const PAY: Decision = { kind: 'pay' };

/** Why the destination's account refuses any payment; null when it does not. */
function accountFault(payout: Payout, { destination, depositAuthorized }: PayoutFacts): PayoutReason | null {
  if (destination === null) return 'destination_missing';
  if (hasAccountFlag(destination, 'requireDestinationTag') && payout.destinationTag === null) {
    return 'destination_tag_required';
  }
  return depositAuthorized ? null : 'deposit_authorization_required';
}

function decideXrp(payout: Payout, facts: PayoutFacts, asset: AssetFacts & { kind: 'xrp' }, taken: Taken): Decision {
  const fault = accountFault(payout, facts);
  // A sender that was deleted meanwhile comes back with a payment of at least its reserve. A treasury that is gone is not revived.
  const revives =
    payout.kind === 'refund' && fault === 'destination_missing' && payout.amount >= asset.reserveBaseDrops;
  if (fault !== null && !revives) return hold(fault);
  return asset.spendableDrops < payout.amount + taken.fromPayer ? later('payer_underfunded') : PAY;
}

/** Why a holder's line takes no `units` of the token now; null when it does (docs/ledger-facts.md, 21). */
export function lineFault(
  token: Asset & { kind: 'iou' },
  units: bigint,
  issuer: AccountState,
  line: TrustLine | null,
): PayoutReason | null {
  if (line === null) return 'trust_line_missing';
  if (hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized) return 'trust_line_unauthorized';
  if (line.frozen) return 'trust_line_frozen';
  return hasRoom(line, units, token.decimals) ? null : 'trust_line_limit';
}

function decideIou(
  payout: Payout,
  token: Asset & { kind: 'iou' },
  facts: AssetFacts & { kind: 'iou' },
  taken: Taken,
): Decision {
  const { issuer, line, payerLine } = facts;
  const payerIsIssuer = payout.account === token.issuer;
  if (issuer === null) return hold('issuer_missing');
  if (!payerIsIssuer && issuer.transferRate !== NO_TRANSFER_FEE) return hold('transfer_fee');
  const fault = lineFault(token, payout.amount + taken.byHolder, issuer, line);
  if (fault !== null) return wait(fault);
  if (payerIsIssuer) return PAY;
  if (hasAccountFlag(issuer, 'globalFreeze')) return later('issuer_frozen');
  const balance = payerLine === null ? 0n : parseLedgerValue(payerLine.balance, token.decimals);
  if (balance < payout.amount + taken.fromPayer) return later('payer_underfunded');
  return payerLine?.frozen ? later('payer_frozen') : PAY;
}

function decideMpt(
  payout: Payout,
  token: Asset & { kind: 'mpt' },
  facts: AssetFacts & { kind: 'mpt' },
  taken: Taken,
): Decision {
  const { issuance, holding, payerHolding } = facts;
  if (issuance === null) return hold('issuance_missing');
  if (payout.destination === issuance.issuer) return hold('destination_is_issuer');
  if (issuance.assetScale !== token.decimals) return hold('asset_scale_differs');
  const payerIsIssuer = payout.account === issuance.issuer;
  if (!payerIsIssuer && !issuance.canTransfer) return hold('transfer_not_allowed');
  if (!payerIsIssuer && issuance.transferFee > 0) return hold('transfer_fee');
  if (holding === null) return wait('token_not_opted_in');
  if (issuance.requiresAuthorization && !holding.authorized) return wait('token_unauthorized');
  if (holding.locked) return wait('token_locked');
  if (issuance.locked) return later('issuance_locked');
  const amount = payout.amount + taken.fromPayer;
  if (payerIsIssuer) return issuance.outstanding + amount > issuance.maximum ? hold('issuance_maximum') : PAY;
  if ((payerHolding?.amount ?? 0n) < amount) return later('payer_underfunded');
  return payerHolding?.locked ? later('payer_frozen') : PAY;
}

/** Why the ledger would take no escrow of the payer's own tokens now (docs/ledger-facts.md, 36); null when it would. */
function escrowFault(token: Asset, facts: AssetFacts, amount: bigint): Refusal | null {
  if (token.kind === 'iou' && facts.kind === 'iou') {
    const { issuer, payerLine } = facts;
    if (issuer === null) return hold('issuer_missing');
    if (!hasAccountFlag(issuer, 'allowTrustLineLocking')) return hold('escrow_not_allowed');
    if (payerLine === null) return later('payer_underfunded');
    if (hasAccountFlag(issuer, 'requireAuthorization') && !payerLine.authorized)
      return later('trust_line_unauthorized');
    if (hasAccountFlag(issuer, 'globalFreeze')) return later('issuer_frozen');
    if (payerLine.frozen) return later('payer_frozen');
    return parseLedgerValue(payerLine.balance, token.decimals) < amount ? later('payer_underfunded') : null;
  }
  if (token.kind === 'mpt' && facts.kind === 'mpt') {
    const { issuance, payerHolding } = facts;
    if (issuance === null) return hold('issuance_missing');
    if (issuance.assetScale !== token.decimals) return hold('asset_scale_differs');
    if (!issuance.canEscrow) return hold('escrow_not_allowed');
    if (!issuance.canTransfer) return hold('transfer_not_allowed');
    if (payerHolding === null || payerHolding.amount < amount) return later('payer_underfunded');
    if (issuance.requiresAuthorization && !payerHolding.authorized) return later('token_unauthorized');
    if (issuance.locked) return later('issuance_locked');
    return payerHolding.locked ? later('payer_frozen') : null;
  }
  throw new Error(`Facts about ${facts.kind} do not fit a lock in ${token.kind}`);
}

/** Why the payer could not take its own tokens back from escrow now (docs/ledger-facts.md, 36); null when it could. */
function unlockFault(token: Asset, facts: AssetFacts): Refusal | null {
  if (token.kind === 'iou' && facts.kind === 'iou') {
    const { issuer, payerLine } = facts;
    if (issuer === null) return hold('issuer_missing');
    if (payerLine === null) return null;
    if (hasAccountFlag(issuer, 'requireAuthorization') && !payerLine.authorized)
      return later('trust_line_unauthorized');
    // Only a deep freeze keeps them there, which nothing here tells from another: under either they could not be paid on.
    return payerLine.frozen ? later('payer_frozen') : null;
  }
  if (token.kind === 'mpt' && facts.kind === 'mpt') {
    const { issuance, payerHolding } = facts;
    if (issuance === null) return hold('issuance_missing');
    if (issuance.requiresAuthorization && !payerHolding?.authorized) return later('token_unauthorized');
    if (issuance.locked) return later('issuance_locked');
    return payerHolding?.locked ? later('payer_frozen') : null;
  }
  throw new Error(`Facts about ${facts.kind} do not fit an unlock in ${token.kind}`);
}

/**
 * Whether a payout would arrive if it were sent now (docs/ledger-facts.md, 21 and 24). Pure. XRP that its
 * destination's account refuses is held; a distribution waits for its holder. A lock or unlock has none: its tokens stay the payer's.
 */
function decidePayout(payout: Payout, facts: PayoutFacts, taken: Taken): Decision {
  const { asset: token } = payout;
  const { asset } = facts;
  if (payout.kind === 'unlock') return unlockFault(token, asset) ?? PAY;
  if (payout.kind === 'lock') return escrowFault(token, asset, payout.amount + taken.fromPayer) ?? PAY;
  if (payout.destination === payout.account) return hold('destination_is_payer');
  if (token.kind === 'xrp' && asset.kind === 'xrp') return decideXrp(payout, facts, asset, taken);
  if (token.kind === 'iou' && payout.destination === token.issuer) return hold('destination_is_issuer');
  const fault = accountFault(payout, facts);
  if (fault !== null) return wait(fault);
  if (token.kind === 'iou' && asset.kind === 'iou') return decideIou(payout, token, asset, taken);
  if (token.kind === 'mpt' && asset.kind === 'mpt') return decideMpt(payout, token, asset, taken);
  throw new Error(`Facts about ${asset.kind} do not fit a payout in ${token.kind}`);
}
