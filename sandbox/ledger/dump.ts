import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { amendmentsOfIds } from './amendments.ts';
import type { Chain } from './chain.ts';
import { transactionTreeHash } from './close.ts';
import type { Metadata } from './engine/metadata.ts';
import type { Entry } from './entries.ts';
import { type ClosedLedger, History, headerBlob, type LedgerHeader, sealHeader } from './history.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { AMENDMENTS_INDEX, FEE_SETTINGS_INDEX } from './keylets.ts';
import type { NetworkRules } from './rules.ts';
import { ValidatedState } from './state.ts';
import { parseTransaction, type Transaction } from './transaction.ts';

/*
 * A dump is text, one JSON value a line: what it is, then every ledger that is held, oldest first, with its header, its
 * transactions and the entries that it changed (the first: all that there are). Each header's hash covers all of it but
 * the first line, so that a load notices every change.
 */
const FORMAT = 'xrpl-sandbox ledger';
const VERSION = 1;

/** The file is no dump, or it is damaged. */
export class DumpError extends Error {}

/** What a dump holds, checked. */
export type SavedLedger = {
  readonly state: ValidatedState;
  readonly history: History;
  readonly rules: NetworkRules;
  readonly clockAheadMs: number;
  /** What had not come into a ledger yet. */
  readonly waiting: readonly Transaction[];
};

type Title = {
  readonly format: string;
  readonly version: number;
  readonly network_id: number;
  readonly clock_ahead_ms: number;
  readonly ledger_index_min: number;
  readonly ledger_index_max: number;
  readonly ledger_hash: string;
  readonly waiting: readonly string[];
};

function* linesOf(chain: Chain): Generator<JsonObject> {
  const { history, state } = chain;
  const { header: last } = history.last;
  const first = history.ledger(1) ? 1 : history.firstIndex;
  yield {
    format: FORMAT,
    version: VERSION,
    network_id: chain.rules.networkId,
    clock_ahead_ms: chain.aheadMs,
    ledger_index_min: first,
    ledger_index_max: last.ledgerIndex,
    ledger_hash: last.hash,
    waiting: chain.waiting.map(({ blob }) => blob),
  } satisfies Title;
  for (let ledgerIndex = first; ledgerIndex <= last.ledgerIndex; ledgerIndex++) {
    const ledger = history.ledger(ledgerIndex);
    if (!ledger) throw new Error(`ledger ${ledgerIndex} is not held`);
    const { hash, ...header } = ledger.header;
    const entries = ledgerIndex === first ? state.entriesAt(ledgerIndex) : state.changesOf(ledgerIndex);
    yield {
      ledger_hash: hash,
      header: headerBlob(header),
      transactions: ledger.transactions.map(({ tx, meta }) => ({ tx_blob: tx.blob, meta })),
      entries: Object.fromEntries([...entries].map(([index, entry]) => [index, entry ?? null])),
    };
  }
}

/** Writes every ledger that is held to a file, whole or not at all. */
export function dumpChain(chain: Chain, file: string): void {
  const partial = `${file}.${process.pid}.partial`;
  const descriptor = openSync(partial, 'w', 0o600);
  try {
    for (const line of linesOf(chain)) writeSync(descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function object(value: unknown): JsonObject {
  if (!isObject(value)) throw new DumpError('it is not a JSON object');
  return value;
}

function list(value: Json | undefined, name: string): readonly Json[] {
  if (!Array.isArray(value)) throw new DumpError(`'${name}' is not a list`);
  return value;
}

function whole(value: Json | undefined, name: string, most = 2 ** 32 - 1): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new DumpError(`'${name}' is not a whole number up to ${most}`);
}

function text(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw new DumpError(`'${name}' is not a text`);
  return value;
}

function readTitle(line: JsonObject): Title {
  if (line.format !== FORMAT) throw new DumpError('it is no dump of xrpl-sandbox');
  if (line.version !== VERSION) {
    throw new DumpError(
      `it has version ${JSON.stringify(line.version)} of the format, and this release reads ${VERSION}`,
    );
  }
  const clockAheadMs = line.clock_ahead_ms;
  if (typeof clockAheadMs !== 'number' || !Number.isSafeInteger(clockAheadMs)) {
    throw new DumpError("'clock_ahead_ms' is not a whole number");
  }
  return {
    format: FORMAT,
    version: VERSION,
    network_id: whole(line.network_id, 'network_id'),
    clock_ahead_ms: clockAheadMs,
    ledger_index_min: whole(line.ledger_index_min, 'ledger_index_min'),
    ledger_index_max: whole(line.ledger_index_max, 'ledger_index_max'),
    ledger_hash: text(line.ledger_hash, 'ledger_hash'),
    waiting: list(line.waiting, 'waiting').map((blob) => text(blob, 'waiting')),
  };
}

/** A header from the bytes that its hash is made of. */
function readHeader(line: JsonObject): LedgerHeader {
  const bytes = Buffer.from(text(line.header, 'header'), 'hex');
  if (bytes.length !== 118) throw new DumpError('its header has not 118 bytes');
  const hashAt = (offset: number): string =>
    bytes
      .subarray(offset, offset + 32)
      .toString('hex')
      .toUpperCase();
  const header = sealHeader({
    ledgerIndex: bytes.readUInt32BE(0),
    totalDrops: bytes.readBigUInt64BE(4),
    parentHash: hashAt(12),
    transactionHash: hashAt(44),
    accountHash: hashAt(76),
    parentCloseTime: bytes.readUInt32BE(108),
    closeTime: bytes.readUInt32BE(112),
  });
  if (header.hash !== line.ledger_hash) throw new DumpError('its header does not have the hash that it names');
  return header;
}

/** Adds a ledger when its hash covers exactly what the line holds. */
function addLedger(state: ValidatedState, history: History, line: JsonObject): ClosedLedger {
  const header = readHeader(line);
  const done = list(line.transactions, 'transactions').map((value) => {
    const { tx_blob: blob, meta } = object(value);
    // What metadata says is covered by the hash of the transactions.
    return { tx: parseTransaction(text(blob, 'tx_blob')), meta: object(meta) as unknown as Metadata };
  });
  if (transactionTreeHash(done) !== header.transactionHash) {
    throw new DumpError('its transactions do not have the hash that its header names');
  }
  const entries = Object.entries(object(line.entries)).map(([index, entry]): [string, Entry | undefined] => [
    index,
    // What an entry says is covered by the hash of the state.
    entry === null ? undefined : (object(entry) as unknown as Entry),
  ]);
  state.commit(new Map(entries), header.ledgerIndex);
  if (state.rootHash !== header.accountHash) {
    throw new DumpError('its entries do not have the hash that its header names');
  }
  const ledger = { header, transactions: done.map(({ tx, meta }) => ({ tx, meta, ledger: header })) };
  history.add(ledger);
  return ledger;
}

function rulesOf(state: ValidatedState, networkId: number): NetworkRules {
  const fees = state.latest(FEE_SETTINGS_INDEX);
  if (fees?.LedgerEntryType !== 'FeeSettings') throw new DumpError('it has no fee settings');
  const enabled = state.latest(AMENDMENTS_INDEX);
  const amendments = enabled?.LedgerEntryType === 'Amendments' ? amendmentsOfIds(enabled.Amendments) : undefined;
  if (!amendments) throw new DumpError('it has amendments that this release does not know');
  return {
    networkId,
    amendments,
    baseFeeDrops: BigInt(fees.BaseFeeDrops),
    reserveBaseDrops: BigInt(fees.ReserveBaseDrops),
    reserveIncDrops: BigInt(fees.ReserveIncrementDrops),
  };
}

function readLines(lines: readonly string[]): SavedLedger {
  const state = new ValidatedState();
  const history = new History();
  let title: Title | undefined;
  let last: LedgerHeader | undefined;
  lines.forEach((line, i) => {
    try {
      const value = object(JSON.parse(line));
      if (!title) {
        title = readTitle(value);
        history.forget(title.ledger_index_min - 1);
        return;
      }
      const { header } = addLedger(state, history, value);
      const [parentIndex, parentHash] = last ? [last.ledgerIndex, last.hash] : [title.ledger_index_min - 1, undefined];
      if (header.ledgerIndex !== parentIndex + 1) throw new DumpError(`it is ledger ${header.ledgerIndex}`);
      const follows = parentHash === undefined || header.parentHash === parentHash;
      if (!follows) throw new DumpError('it does not follow the ledger before it');
      last = header;
    } catch (error) {
      const reason = error instanceof DumpError ? error.message : 'it cannot be read';
      throw new DumpError(`line ${i + 1}: ${reason}`, { cause: error });
    }
  });
  if (!title || !last) throw new DumpError('it is empty');
  if (last.hash !== title.ledger_hash || last.ledgerIndex !== title.ledger_index_max) {
    throw new DumpError(`it ends with ledger ${last.ledgerIndex} in place of ${title.ledger_index_max}`);
  }
  return {
    state,
    history,
    rules: rulesOf(state, title.network_id),
    clockAheadMs: title.clock_ahead_ms,
    waiting: title.waiting.map((blob) => parseTransaction(blob)),
  };
}

/** Reads a dump and checks every hash in it. Throws DumpError when anything is not as it was written. */
export function loadDump(file: string): SavedLedger {
  let contents: string;
  try {
    contents = readFileSync(file, 'utf8');
  } catch (error) {
    throw new DumpError(`${file} cannot be read`, { cause: error });
  }
  try {
    return readLines(contents.split('\n').filter((line) => line !== ''));
  } catch (error) {
    throw new DumpError(`${file} was not loaded: ${error instanceof Error ? error.message : 'it cannot be read'}`, {
      cause: error,
    });
  }
}
