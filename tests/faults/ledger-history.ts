import type { Client } from 'xrpl';
import { CURRENCY, DECIMALS } from './payouts/acts.ts';

/** A transaction as the ledger shows it. */
export interface Shown {
  hash: string;
  ledgerIndex: number;
  transactionIndex: number;
  /** ISO 8601. */
  closedAt: string;
  type: string;
  /** `tesSUCCESS`, or how it failed and took its fee. */
  result: string;
  sender: string;
  destination: string | undefined;
  destinationTag: number | null;
  sourceTag: number | null;
  /** What was delivered: `xrp`, `iou` and `mpt` are the campaign's, anything else is a text that names it. */
  asset: string;
  /** Drops, or token units of 10^-6. */
  units: string;
  /** Neither paths nor a partial payment. */
  isPlain: boolean;
  /** Of an EscrowCreate or EscrowFinish, whose asset and units are what it locks: the ledger's second before which nobody can finish it. */
  finishAfter: number | null;
}

const PARTIAL_PAYMENT = 0x0002_0000;

/** Token units of a decimal value, written out here so that nothing of the product's own arithmetic is trusted. */
function unitsOf(value: string): string {
  const [mantissa = '', exponent = '0'] = value.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) + DECIMALS - fraction.length;
  const digits = BigInt(whole + fraction);
  if (scale >= 0) return String(digits * 10n ** BigInt(scale));
  const divisor = 10n ** BigInt(-scale);
  return digits % divisor === 0n ? String(digits / divisor) : `${value} (finer than a unit)`;
}

/** The campaign's token, as issued currency and as MPT. */
interface Token {
  issuer: { address: string };
  issuanceId: string;
}
type Delivered = string | { currency?: string; issuer?: string; value: string; mpt_issuance_id?: string };

function deliveredOf(delivered: Delivered | undefined, token: Token): Pick<Shown, 'asset' | 'units'> {
  if (delivered === undefined) return { asset: 'nothing', units: '0' };
  if (typeof delivered === 'string') return { asset: 'xrp', units: delivered };
  const { currency, issuer, value, mpt_issuance_id: issuanceId } = delivered;
  if (issuanceId === token.issuanceId) return { asset: 'mpt', units: value };
  const isOwn = currency === CURRENCY && issuer === token.issuer.address;
  return isOwn ? { asset: 'iou', units: unitsOf(value) } : { asset: JSON.stringify(delivered), units: value };
}

/** Every transaction of an account after a ledger, in ledger order, by plain xrpl.js from a server without faults. */
export async function readHistory(
  client: Client,
  account: string,
  { startLedger, ...token }: Token & { startLedger: number },
): Promise<Shown[]> {
  const shown: Shown[] = [];
  const created = new Map<number, Pick<Shown, 'destination' | 'asset' | 'units' | 'finishAfter'>>();
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      ledger_index_min: startLedger + 1,
      forward: true,
      limit: 200,
      ...(marker === undefined ? {} : { marker }),
    });
    for (const entry of result.transactions) {
      const { tx_json: tx, meta, hash = '', ledger_index: ledgerIndex = 0 } = entry;
      if (tx === undefined || typeof meta !== 'object') {
        throw new Error('The ledger shows a transaction without its outcome');
      }
      const isPayment = tx.TransactionType === 'Payment';
      const escrow = tx.TransactionType === 'EscrowCreate' ? tx : null;
      const { delivered_amount: delivered } = meta as { delivered_amount?: Delivered };
      const locks = {
        destination: isPayment ? tx.Destination : escrow?.Destination,
        ...deliveredOf(escrow === null ? delivered : (escrow.Amount as Delivered), token),
        finishAfter: escrow?.FinishAfter ?? null,
      };
      if (escrow !== null && escrow.Account === account && meta.TransactionResult === 'tesSUCCESS') {
        created.set(escrow.TicketSequence ?? escrow.Sequence ?? 0, locks);
      }
      const isFinish = tx.TransactionType === 'EscrowFinish' && tx.Owner === account;
      shown.push({
        hash,
        ledgerIndex,
        transactionIndex: meta.TransactionIndex,
        closedAt: (entry as typeof entry & { close_time_iso: string }).close_time_iso,
        type: tx.TransactionType,
        result: meta.TransactionResult,
        sender: tx.Account,
        destinationTag: (isPayment ? tx.DestinationTag : undefined) ?? null,
        sourceTag: tx.SourceTag ?? null,
        ...locks,
        ...(isFinish ? created.get(Number(tx.OfferSequence)) : {}),
        isPlain: !isPayment || (tx.Paths === undefined && (Number(tx.Flags ?? 0) & PARTIAL_PAYMENT) === 0),
      });
    }
    marker = result.marker;
  } while (marker !== undefined);
  return shown.sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
}
