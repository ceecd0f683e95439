import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, investments, payments, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { CURRENCY, DECIMALS } from './acts.ts';
import type { Scene } from './scene.ts';

/** Who pays which token. */
const SALES = {
  proj_line: { token: 'iou', payer: 'distributor' },
  proj_issued: { token: 'iou', payer: 'issuer' },
  proj_mpt: { token: 'mpt', payer: 'distributor' },
  proj_mpt_issued: { token: 'mpt', payer: 'issuer' },
} as const;
type SaleId = keyof typeof SALES;
const SALE_IDS = Object.keys(SALES) as [SaleId, ...SaleId[]];

/** Something that must be paid once. Its amount is no other obligation's of the run, so a payment shows what it paid. */
export interface Obligation {
  id: string;
  kind: 'distribution' | 'refund' | 'release' | 'lock' | 'unlock';
  asset: 'xrp' | 'iou' | 'mpt';
  payer: string;
  destination: string;
  destinationTag: number | null;
  /** Drops, or token units of 10^-6. */
  amount: bigint;
  dueAt: Date;
  /** Of a lock or unlock: in whole seconds; else null. */
  lockedUntil: Date | null;
  /** False for a release, lock or unlock, and for the refund of a payment that belongs to no sale. */
  isReported: boolean;
  sale: string;
  investment: number;
  part: number;
  /** The payment that it is owed for, where it stands on the ledger: whoever is witnessed owes for no other. */
  paid?: { drops: bigint; hash: string; ledgerIndex: number; transactionIndex: number };
}

const YEAR_MS = 365 * 86_400_000;
/** Investments whose distribution is vested: the second part falls due while the run goes on, the third in a year. */
const VESTED = 0.15;

/** In a world where everything is: parts that fall due one after the other, and as many seconds between them at most. */
const MANY_PARTS = 4;
const MAX_SECONDS_BETWEEN_PARTS = 12;
const RELEASES = 4;

/** Draws what the sale owes: 20 to 40 obligations, and releases. `ledgerTimeMs` is the close time before the first payout. */
export function drawObligations(scene: Scene, draw: Draw, ledgerTimeMs: number): Obligation[] {
  const drawn: Obligation[] = [];
  const wanted = draw.between(20, 40);
  for (let investment = 0; drawn.length < wanted; investment++) {
    const sale = draw.pick(SALE_IDS);
    const isRefund = draw.chance(0.3);
    const holder = draw.pick(scene.holders);
    const common = {
      destination: holder.wallet.address,
      destinationTag: draw.chance(0.4) ? draw.between(0, 2 ** 32 - 1) : null,
      sale,
      investment,
    };
    const amount = () => 10n ** BigInt(draw.between(0, isRefund ? 4 : 7)) * 1_000n + BigInt(drawn.length);
    const add = (part: number, dueAtMs: number): void => {
      const { token, payer } = SALES[sale];
      const due = { dueAt: new Date(dueAtMs), lockedUntil: null };
      const shared = { ...common, ...due, id: `pay_${drawn.length}`, amount: amount(), part };
      drawn.push(
        isRefund
          ? { ...shared, kind: 'refund', asset: 'xrp', payer: scene.deposit.address, isReported: draw.chance(0.7) }
          : { ...shared, kind: 'distribution', asset: token, payer: scene[payer].address, isReported: true },
      );
    };
    add(1, ledgerTimeMs - 60_000);
    if (isRefund) continue;
    if (scene.world === 'vesting') {
      let dueAtMs = ledgerTimeMs;
      for (let part = 2; part <= MANY_PARTS; part++) {
        dueAtMs += draw.between(1, MAX_SECONDS_BETWEEN_PARTS) * 1_000;
        add(part, dueAtMs);
      }
      add(MANY_PARTS + 1, ledgerTimeMs + YEAR_MS);
    } else if (draw.chance(VESTED)) {
      add(2, ledgerTimeMs + draw.between(1, 20) * 1_000);
      add(3, ledgerTimeMs + YEAR_MS);
    }
  }
  if (scene.world === 'releases') drawn.push(...drawReleases(scene, draw, drawn, ledgerTimeMs));
  const locks = locksOf(scene, drawn, ledgerTimeMs);
  return [...drawn, ...locks, ...vestingLocksOf(locks, draw, ledgerTimeMs)];
}

/** What each sale of the distributor did not sell. No other obligation is as much. */
function locksOf(scene: Scene, others: readonly Obligation[], ledgerTimeMs: number): Obligation[] {
  const firstInvestment = 1 + Math.max(...others.map(({ investment }) => investment));
  const sales = SALE_IDS.filter((id) => SALES[id].payer === 'distributor');
  return sales.map((sale, index) => ({
    id: `pay_${others.length + index}`,
    kind: 'lock',
    asset: SALES[sale].token,
    payer: scene.distributor.address,
    destination: scene.distributor.address,
    destinationTag: null,
    amount: 3_000_000_000n + BigInt(others.length + index),
    dueAt: new Date(ledgerTimeMs - 60_000),
    lockedUntil: new Date(Math.ceil((ledgerTimeMs + YEAR_MS) / 1_000) * 1_000),
    isReported: false,
    sale,
    investment: firstInvestment + index,
    part: 1,
  }));
}

/** Seconds from the first payout to the end of an escrow of what vesting owes: some are never made, and some end in the rounds. */
const LOCKED_SECONDS = { least: 5, most: 240 };

/** What each of these sales owes later, and the end of its escrow. No other lock is as much. */
function vestingLocksOf(locks: readonly Obligation[], draw: Draw, ledgerTimeMs: number): Obligation[] {
  return locks.flatMap((unsold, index): Obligation[] => {
    const lockedMs = draw.between(LOCKED_SECONDS.least, LOCKED_SECONDS.most) * 1_000;
    const lockedUntil = new Date(Math.ceil((ledgerTimeMs + lockedMs) / 1_000) * 1_000);
    const lock = { ...unsold, id: `${unsold.id}_2`, amount: 2_000_000_000n + BigInt(index), lockedUntil, part: 2 };
    return [lock, { ...lock, id: `${unsold.id}_end`, kind: 'unlock', dueAt: lockedUntil }];
  });
}

/** What the treasury is owed: most of what the account may have, so that its floor matters. */
function drawReleases(scene: Scene, draw: Draw, others: readonly Obligation[], ledgerTimeMs: number): Obligation[] {
  const firstInvestment = 1 + Math.max(...others.map(({ investment }) => investment));
  return Array.from({ length: draw.between(2, RELEASES) }, (_, index) => ({
    id: `pay_${others.length + index}`,
    kind: 'release',
    asset: 'xrp',
    payer: scene.deposit.address,
    destination: scene.holders[0].wallet.address,
    destinationTag: null,
    // No refund is as much.
    amount: BigInt(draw.between(11, 2_000)) * 1_000_000n + BigInt(others.length + index),
    dueAt: new Date(ledgerTimeMs - 60_000),
    lockedUntil: null,
    isReported: false,
    sale: 'proj_line',
    investment: firstInvestment + index,
    part: 1,
  }));
}

/** Writes the sales of the run. */
export async function writeSales(db: Db, scene: Scene): Promise<void> {
  await db.insert(depositAccounts).values({
    address: scene.deposit.address,
    networkId: NETWORK_ID,
    registeredLedger: 1,
    cursorLedger: 1,
    cursorHash: '0'.repeat(64),
    confirmedLedger: 1,
    // The books explain whatever the ledger shows: of the two the lesser counts.
    recordedBalanceDrops: 10n ** 16n,
    recordedFromLedger: 1,
    refundMinDrops: 1_000n,
  });
  await db.insert(projects).values(
    SALE_IDS.map((id, index) => {
      const { token, payer } = SALES[id];
      return {
        id,
        name: id,
        slug: id,
        status: 'active' as const,
        tokenKind: token,
        ...(token === 'iou' ? { currency: CURRENCY, issuer: scene.issuer.address } : { issuanceId: scene.issuanceId }),
        decimals: DECIMALS,
        distributor: scene[payer].address,
        depositAddress: scene.deposit.address,
        destinationTag: 77 + index,
        refundMinDrops: 1_000n,
        vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
      };
    }),
  );
}

/** All others follow from no payment. */
const isOfPayment = ({ kind }: Obligation): boolean => kind === 'distribution' || kind === 'refund';

async function writeOfNoPayment(db: Db, owed: readonly Obligation[]): Promise<void> {
  if (owed.length === 0) return;
  await db.insert(payouts).values(
    owed.map(({ id, kind, sale, part, payer, destination, destinationTag, amount, dueAt, lockedUntil }) => ({
      id,
      kind,
      projectId: sale,
      part,
      account: payer,
      destination,
      destinationTag,
      amount,
      dueAt,
      lockedUntil,
    })),
  );
}

/** Writes obligations as the sale does when it confirms or ends, and releases as an operator who asks for them. */
export async function owe(db: Db, scene: Scene, owed: readonly Obligation[]): Promise<void> {
  const firsts = owed.filter((each) => each.part === 1 && isOfPayment(each));
  if (owed.length === 0) return;
  await writeOfNoPayment(
    db,
    owed.filter((each) => !isOfPayment(each)),
  );
  if (firsts.length === 0) return;
  const paymentOf = ({ investment, paid }: Pick<Obligation, 'investment' | 'paid'>) =>
    paid?.hash ?? investment.toString(16).padStart(64, 'F');
  const paidAt = new Date(Date.now() - 120_000);
  await db.insert(payments).values(
    firsts.map((obligation) => ({
      txHash: paymentOf(obligation),
      account: scene.deposit.address,
      ledgerIndex: obligation.paid?.ledgerIndex ?? 10,
      transactionIndex: obligation.paid?.transactionIndex ?? obligation.investment,
      closedAt: paidAt,
      sender: obligation.destination,
      sourceTag: obligation.destinationTag,
      receivedDrops: obligation.paid?.drops ?? obligation.amount,
      ...(obligation.kind === 'refund'
        ? { outcome: 'refunded' as const, refundedDrops: obligation.amount }
        : { outcome: 'invested' as const, investedDrops: obligation.paid?.drops ?? obligation.amount }),
      projectId: obligation.isReported ? obligation.sale : null,
    })),
  );
  const invested = firsts.filter(({ isReported }) => isReported);
  if (invested.length > 0) {
    await db.insert(investments).values(
      invested.map((obligation) => ({
        id: `inv_${obligation.investment}`,
        txHash: paymentOf(obligation),
        projectId: obligation.sale,
        investorAccount: obligation.destination,
        amountDrops: obligation.amount,
        quoteTier: 1,
        quotePrice: 1n,
        quoteUnits: obligation.amount,
        paidAt,
      })),
    );
  }
  await db.insert(payouts).values(
    owed
      .filter(isOfPayment)
      .map(({ id, kind, part, destination, destinationTag, amount, dueAt, payer, ...obligation }) => ({
        id,
        kind,
        projectId: obligation.isReported ? obligation.sale : null,
        investmentId: obligation.isReported ? `inv_${obligation.investment}` : null,
        paymentHash: paymentOf(obligation),
        part,
        account: payer,
        destination,
        destinationTag,
        amount,
        dueAt,
      })),
  );
}
