import { mapBounded } from '#lib/base/bounded.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import type { AccountState, Ledger, ServerState } from '#lib/xrpl/types.ts';
import type { AssetFacts, PayoutFacts } from './judge.ts';
import type { Asset, Payout } from './types.ts';

const CONCURRENT_PAYOUTS = 8;
/** Kept back from refunds for the fees of what is under way. */
export const FEE_FLOAT_DROPS: Drops = 1_000_000n;

/** XRP that the account can send: what stands above its reserve and a float for fees (docs/ledger-facts.md, 20). */
export function spendableDrops(payer: AccountState, server: ServerState): Drops {
  const reserve = server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(payer.ownerCount);
  const free = payer.balanceDrops - reserve - FEE_FLOAT_DROPS;
  return free > 0n ? free : 0n;
}

/** Remembers answers: many payouts share a destination, all of them the issuer and the payer. */
function once<T>(read: (...key: string[]) => Promise<T>): (...key: string[]) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (...key) => {
    const name = key.join(' ');
    const answer = answers.get(name) ?? read(...key);
    answers.set(name, answer);
    return answer;
  };
}

/** A payout with what the ledger shows about it, or why that could not be read. */
export type Examined = { payout: Payout; facts: PayoutFacts } | { payout: Payout; fault: unknown };

/**
 * What the newest validated ledger shows about each payout of one payer, in their order. A question that the ledger
 * refuses, or answers oddly, is the fault of its own payout only; without the ledger it throws.
 */
export async function readFacts(
  ledger: Ledger,
  payer: AccountState,
  server: ServerState,
  payouts: readonly Payout[],
): Promise<Examined[]> {
  const account = once((address = '') => ledger.account(address));
  const line = once((holder = '', issuer = '', currency = '') => ledger.trustLine(holder, issuer, currency));
  const issuance = once((id = '') => ledger.mptIssuance(id));
  const holding = once((holder = '', id = '') => ledger.mptHolding(holder, id));
  const authorized = once((destination = '') => ledger.depositAuthorized(payer.address, destination));

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

  async function examine(payout: Payout): Promise<Examined> {
    const [destination, asset] = await Promise.all([
      account(payout.destination),
      assetFacts(payout.asset, payout.destination),
    ]);
    const guarded = destination !== null && hasAccountFlag(destination, 'depositAuthorization');
    const depositAuthorized = guarded ? await authorized(payout.destination) : true;
    return { payout, facts: { destination, depositAuthorized, asset } };
  }

  return mapBounded(payouts, CONCURRENT_PAYOUTS, async (payout): Promise<Examined> => {
    try {
      return await examine(payout);
    } catch (fault) {
      if (fault instanceof PlatformError && fault.code === 'ledger_unavailable') throw fault;
      return { payout, fault };
    }
  });
}
