import { encodeObject } from '../binary/encode.ts';
import type { Metadata } from '../engine/metadata.ts';
import type { Entry } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import { type LedgerHeader, RIPPLE_EPOCH_OFFSET, type ValidatedTransaction } from '../history.ts';
import type { JsonDraft, JsonObject } from '../json.ts';
import { issuanceId } from '../keylets.ts';
import type { Transaction, TransactionFields } from '../transaction.ts';
import type { ApiVersion } from './types.ts';

/** `2026-11-21T02:13:02Z` */
export function isoTime(closeTime: number): string {
  return new Date((closeTime + RIPPLE_EPOCH_OFFSET) * 1000).toISOString().replace('.000Z', 'Z');
}

/** `2026-Nov-21 02:13:02.000000000 UTC`, with as many decimals of a second as asked. */
export function humanTime(timeMs: number, fraction = '000000000'): string {
  const [weekday, day, month, year, time] = new Date(timeMs).toUTCString().split(' ');
  return weekday ? `${year}-${month}-${day} ${time}.${fraction} UTC` : '';
}

/** Compact transaction ID: ledger, place in it and network. */
export function ctid(entry: ValidatedTransaction, networkId: number): string {
  return `C${uintHex(entry.ledger.ledgerIndex, 4).slice(1)}${uintHex(entry.meta.TransactionIndex, 2)}${uintHex(networkId, 2)}`;
}

/** Payments show Amount as DeliverMax: beside Amount in version 1, instead of it in version 2. */
export function shownFields(fields: TransactionFields, apiVersion: ApiVersion): JsonDraft {
  const shown: JsonDraft = { ...(fields as JsonObject) };
  if (fields.TransactionType !== 'Payment' || fields.Amount === undefined) return shown;
  shown.DeliverMax = fields.Amount;
  if (apiVersion === 2) delete shown.Amount;
  return shown;
}

/** Metadata as answers show it, with what the server adds to the stored one. */
export function shownMeta(meta: Metadata, fields: TransactionFields): JsonObject {
  const shown: JsonDraft = { ...meta };
  if (meta.TransactionResult !== 'tesSUCCESS') return shown;
  if (fields.TransactionType === 'Payment' || fields.TransactionType === 'CheckCash')
    shown.delivered_amount = meta.DeliveredAmount ?? fields.Amount;
  else if (meta.DeliveredAmount !== undefined) shown.delivered_amount = meta.DeliveredAmount;
  if (fields.TransactionType === 'MPTokenIssuanceCreate') {
    shown.mpt_issuance_id = issuanceId(fields.TicketSequence ?? fields.Sequence, fields.Account);
  }
  return shown;
}

export const metaBlob = (meta: Metadata): string => encodeObject(meta);
export const entryBlob = (entry: Entry): string => encodeObject(entry);

/** An entry as answers show it. */
export function shownEntry(entry: Entry, index: string): JsonObject {
  if (entry.LedgerEntryType !== 'MPTokenIssuance') return { ...entry, index };
  return { ...entry, index, mpt_issuance_id: issuanceId(entry.Sequence, entry.Issuer) };
}

/** Fields that place a version 2 answer in its ledger. */
export function positionFields(ledger: LedgerHeader): JsonObject {
  return {
    close_time_iso: isoTime(ledger.closeTime),
    ledger_hash: ledger.hash,
    ledger_index: ledger.ledgerIndex,
  };
}

/** The transaction of a validated entry with the extras both versions put among its fields. */
export function shownTransaction(entry: ValidatedTransaction, apiVersion: ApiVersion, networkId: number): JsonObject {
  const shown = shownFields(entry.tx.fields, apiVersion);
  shown.ctid = ctid(entry, networkId);
  shown.date = entry.ledger.closeTime;
  shown.ledger_index = entry.ledger.ledgerIndex;
  if (apiVersion === 1) {
    shown.hash = entry.tx.hash;
    shown.inLedger = entry.ledger.ledgerIndex;
  }
  return shown;
}

/** A transaction that is not validated, or not yet. */
export function shownPending(tx: Transaction, apiVersion: ApiVersion): JsonObject {
  const fields = shownFields(tx.fields, apiVersion);
  return apiVersion === 1 ? { ...fields, hash: tx.hash } : { hash: tx.hash, tx_json: fields };
}
