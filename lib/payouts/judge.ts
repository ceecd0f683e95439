import type { Drops } from '#lib/base/money.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import type { AccountState, MptHolding, MptIssuance, TrustLine } from '#lib/xrpl/types.ts';
import { hasRoom, parseLedgerValue } from '#lib/xrpl/value.ts';
import type { Asset, Payout, PayoutReason, Verdict } from './types.ts';

export type AssetFacts =
  | { kind: 'xrp'; reserveBaseDrops: Drops; spendableDrops: Drops }
  /** `payerLine` is null when the payer is the issuer, or has no line. */
  | { kind: 'iou'; issuer: AccountState | null; line: TrustLine | null; payerLine: TrustLine | null }
  | { kind: 'mpt'; issuance: MptIssuance | null; holding: MptHolding | null; payerHolding: MptHolding | null };

/** What the newest validated ledger shows about one payout. */
export interface PayoutFacts {
  destination: AccountState | null;
  /** True also when the destination asks for no deposit authorisation. */
  depositAuthorized: boolean;
  asset: AssetFacts;
}

/** What payments already under way will take, in the payout's own unit: from the payer, and of the holder's room. */
export interface Taken {
  fromPayer: bigint;
  byHolder: bigint;
}

const wait = (reason: PayoutReason): Verdict => ({ kind: 'wait', reason });
const later = (reason: PayoutReason): Verdict => ({ kind: 'later', reason });
const hold = (reason: PayoutReason): Verdict => ({ kind: 'hold', reason });
const PAY: Verdict = { kind: 'pay' };

/** Why the destination's account refuses, whatever is sent; null when it does not. */
function accountFault(payout: Payout, { destination, depositAuthorized }: PayoutFacts): PayoutReason | null {
  if (destination === null) return 'destination_missing';
  if (hasAccountFlag(destination, 'requireDestinationTag') && payout.destinationTag === null) {
    return 'destination_tag_required';
  }
  return depositAuthorized ? null : 'deposit_authorization_required';
}

function judgeXrp(payout: Payout, facts: PayoutFacts, asset: AssetFacts & { kind: 'xrp' }, taken: Taken): Verdict {
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

function judgeLine(
  payout: Payout,
  token: Asset & { kind: 'iou' },
  facts: AssetFacts & { kind: 'iou' },
  taken: Taken,
): Verdict {
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

function judgeMpt(
  payout: Payout,
  token: Asset & { kind: 'mpt' },
  facts: AssetFacts & { kind: 'mpt' },
  taken: Taken,
): Verdict {
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

/**
 * Whether a payout would arrive if it were sent now (docs/ledger-facts.md, 21 and 24). Pure. XRP that its
 * destination's account refuses is held; a distribution waits for its holder.
 */
export function judgePayout(payout: Payout, facts: PayoutFacts, taken: Taken): Verdict {
  const { asset: token } = payout;
  const { asset } = facts;
  if (payout.destination === payout.account) return hold('destination_is_payer');
  if (token.kind === 'xrp' && asset.kind === 'xrp') return judgeXrp(payout, facts, asset, taken);
  if (token.kind === 'iou' && payout.destination === token.issuer) return hold('destination_is_issuer');
  const fault = accountFault(payout, facts);
  if (fault !== null) return wait(fault);
  if (token.kind === 'iou' && asset.kind === 'iou') return judgeLine(payout, token, asset, taken);
  if (token.kind === 'mpt' && asset.kind === 'mpt') return judgeMpt(payout, token, asset, taken);
  throw new Error(`Facts about ${asset.kind} do not fit a payout in ${token.kind}`);
}
