import type { Custody } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import canonicalize from 'canonicalize';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Ledgers } from '#tests/faults/ledgers.ts';
import type { Witnesses } from '#tests/faults/witnesses.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { CURRENCY, DECIMALS, submitBy } from './acts.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';

/** Witnesses believe only the ledger: here every obligation follows from a payment into a sale that is launched there. */

const REFUND_MIN_DROPS = 1_000n;
/** A drop buys ten units of a token of six decimals at this price, without any change. */
const PRICE = '0.10';
const UNITS_A_DROP = 10n;
const DEAR_XRP = '100000.000000';

const idOf = (letter: string): string => `proj_${letter.repeat(22)}`;
const SALES = [
  { id: idOf('L'), tag: 77, token: 'iou', minimum: null },
  { id: idOf('M'), tag: 78, token: 'mpt', minimum: null },
  /** Whoever pays in here pays too little, and has it back. */
  { id: idOf('D'), tag: 79, token: 'iou', minimum: DEAR_XRP },
] as const;
type Sale = (typeof SALES)[number];

/** The sales of a witnessed run, launched on the ledger and written as they are there. */
export async function launchSales(db: Db, scene: Scene, ledgers: Ledgers, witnesses: Witnesses): Promise<void> {
  const { deposit, distributor } = scene;
  await witnesses.takeCustodyOf([deposit, distributor]);
  const custody: Custody = { ...witnesses.set, from_ledger: ledgers.newest(), refund_min_xrp: '0.001000' };
  await db.insert(depositAccounts).values({
    address: deposit.address,
    networkId: NETWORK_ID,
    registeredLedger: 1,
    cursorLedger: 1,
    cursorHash: '0'.repeat(64),
    confirmedLedger: 1,
    recordedBalanceDrops: 10n ** 16n,
    recordedFromLedger: 1,
    refundMinDrops: REFUND_MIN_DROPS,
    custody,
  });
  const written = SALES.map((sale) => ({ sale, terms: termsOf(sale, scene, custody) }));
  await db.insert(projects).values(
    written.map(({ sale: { id, tag, token }, terms }) => ({
      id,
      name: id,
      slug: id.toLowerCase(),
      status: 'active' as const,
      tokenKind: token,
      ...(token === 'iou' ? { currency: CURRENCY, issuer: scene.issuer.address } : { issuanceId: scene.issuanceId }),
      decimals: DECIMALS,
      distributor: distributor.address,
      depositAddress: deposit.address,
      destinationTag: tag,
      refundMinDrops: REFUND_MIN_DROPS,
      vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
      launchedAt: new Date(),
      terms,
      termsHash: sha256Hex(terms),
      custody,
    })),
  );
  for (const { sale, terms } of written) witnesses.approve(sale.id, terms);
  for (const { sale, terms } of written) {
    await witnesses.act(deposit.address, { v: 1, project: sale.id, move: 'launch', terms_hash: sha256Hex(terms) });
  }
}

function termsOf({ id, tag, token, minimum }: Sale, scene: Scene, custody: Custody): string {
  const { issuer, distributor, deposit, issuanceId } = scene;
  return (
    canonicalize({
      v: 1,
      project: id,
      name: id,
      token:
        token === 'iou'
          ? { kind: 'iou', currency: CURRENCY, issuer: issuer.address, decimals: DECIMALS }
          : { kind: 'mpt', issuance_id: issuanceId, decimals: DECIMALS },
      distributor: distributor.address,
      deposit_address: deposit.address,
      destination_tag: tag,
      tiers: [{ tier: 1, price_per_token: PRICE, total_tokens: '1000000000.000000', access: 'open', starts_at: null }],
      starts_at: null,
      ends_at: null,
      claim_days: 0,
      soft_cap_xrp: null,
      min_investment_xrp: minimum,
      max_per_wallet_xrp: null,
      refund_min_xrp: '0.001000',
      access: 'open',
      distribution: 'immediate',
      vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
      treasury: issuer.address,
      operating_accounts: [issuer.address],
      custody,
    }) ?? ''
  );
}

/** Draws who pays what into which sale, or into none: 15 to 30 payments. They are paid in by and by. */
export function drawInvestments(scene: Scene, draw: Draw): Obligation[] {
  const holders = scene.holders.filter(({ manner }) => manner !== 'deleted') as [Scene['holders'][0]];
  return Array.from({ length: draw.between(15, 30) }, (_, investment): Obligation => {
    const isRefund = draw.chance(0.35);
    const isReported = !isRefund || draw.chance(0.6);
    const sale: Sale = isRefund ? SALES[2] : draw.pick<Sale>([SALES[0], SALES[1]]);
    const holder = draw.pick(holders);
    const drops = 10n ** BigInt(draw.between(0, isRefund ? 4 : 5)) * 1_000n + BigInt(investment);
    return {
      id: `pay_${investment}`,
      kind: isRefund ? 'refund' : 'distribution',
      asset: isRefund ? 'xrp' : sale.token,
      payer: isRefund ? scene.deposit.address : scene.distributor.address,
      destination: holder.wallet.address,
      destinationTag: draw.chance(0.4) ? draw.between(0, 2 ** 32 - 1) : null,
      amount: isRefund ? drops : drops * UNITS_A_DROP,
      // Not before it is paid in.
      dueAt: new Date(0),
      lockedUntil: null,
      isReported,
      sale: sale.id,
      investment,
      part: 1,
      paid: { drops, hash: '', ledgerIndex: 0, transactionIndex: 0 },
    };
  });
}

/** Has investors pay in what these obligations are for, in ledgers that are closed then. */
export async function payIn(scene: Scene, ledgers: Ledgers, portion: readonly Obligation[]): Promise<void> {
  const submit = submitBy(scene.client);
  for (const { paid, destination, destinationTag, isReported, sale } of portion) {
    const holder = scene.holders.find(({ wallet }) => wallet.address === destination);
    if (paid === undefined || holder === undefined) throw new Error('Nobody pays this in');
    const tag = isReported ? SALES.find(({ id }) => id === sale)?.tag : undefined;
    const { hash, result } = await submit(holder.wallet, {
      TransactionType: 'Payment',
      Destination: scene.deposit.address,
      Amount: String(paid.drops),
      ...(tag === undefined ? {} : { DestinationTag: tag }),
      ...(destinationTag === null ? {} : { SourceTag: destinationTag }),
    });
    if (result !== 'tesSUCCESS') throw new Error(`The campaign's payment got ${result}`);
    paid.hash = hash;
  }
  ledgers.accept();
  for (const obligation of portion) {
    const { paid } = obligation;
    if (paid === undefined) continue;
    const { result } = await scene.client.request({ command: 'tx', transaction: paid.hash });
    const meta = result.meta as { TransactionIndex: number };
    paid.ledgerIndex = result.ledger_index ?? 0;
    paid.transactionIndex = meta.TransactionIndex;
    obligation.dueAt = new Date(result.close_time_iso ?? 0);
  }
}
