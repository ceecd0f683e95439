import { encode, encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { Client } from 'xrpl';
import { Chain } from '../../chain.ts';
import { DEFAULT_FEE_SETUP } from '../../feeMetrics.ts';
import { CLOSE_TIME_RESOLUTION, RIPPLE_EPOCH_OFFSET } from '../../history.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { MARKER_LIFE_MS } from '../../markers.ts';
import { ServerNode } from '../../node.ts';
import { serve } from '../../server.ts';
import type { Signer, TransactionFields } from '../../transaction.ts';
import { generate, setup } from './generators.ts';
import { complete, RULES } from './run.ts';
import { type Draft, World } from './world.ts';

const LEDGERS_BETWEEN_STATES = 50;
/** Entries that tell of the ledgers themselves, which differ from server to server. */
const OWN_ENTRIES = new Set(['LedgerHashes', 'Amendments', 'FeeSettings', 'NegativeUNL']);

/** How far before the other server's clock the sandbox begins, so that it never has to go back. */
const HEAD_START_S = 600;

/** A chain whose ledgers close when those of another server do. */
class TimedChain extends Chain {
  private seconds = 0;
  override readonly nowMs = (): number => (this.seconds + RIPPLE_EPOCH_OFFSET) * 1000;

  /** When the next ledger shall close: at a round time, or a second after the last. */
  set closesAt(time: number) {
    this.seconds = time % CLOSE_TIME_RESOLUTION === 0 ? time : time - CLOSE_TIME_RESOLUTION;
  }

  get closedAt(): number {
    return this.history.last.header.closeTime;
  }
}

/** The first answer in which two servers differ. */
export class Difference extends Error {}

/** Where two JSON values differ first, as a path and both values; undefined when they are equal. */
export function firstDifference(real: Json | undefined, here: Json | undefined, path = ''): string | undefined {
  if (Array.isArray(real) && Array.isArray(here)) {
    const size = Math.max(real.length, here.length);
    for (let i = 0; i < size; i++) {
      const found = firstDifference(real[i], here[i], `${path}.${i}`);
      if (found) return found;
    }
    return undefined;
  }
  if (isObject(real) && isObject(here)) {
    for (const key of new Set([...Object.keys(real), ...Object.keys(here)])) {
      const found = firstDifference(real[key], here[key], `${path}.${key}`);
      if (found) return found;
    }
    return undefined;
  }
  if (real === here) return undefined;
  const shown = (value: Json | undefined): string => (value === undefined ? '(absent)' : JSON.stringify(value));
  return `${path}: real ${shown(real)}, here ${shown(here)}`;
}

/** Answers of one server, errors among them. */
class Asked {
  readonly client: Client;
  constructor(url: string) {
    this.client = new Client(url);
  }

  async ask(command: string, more: JsonObject = {}): Promise<JsonObject> {
    try {
      const { result } = (await this.client.request({ command, ...more } as never)) as { result: JsonObject };
      return result;
    } catch (error) {
      const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
      if (isObject(data)) return { error: data.error ?? null };
      throw error;
    }
  }

  async lastLedger(): Promise<{ index: number; closeTime: number }> {
    const { ledger } = await this.ask('ledger', { ledger_index: 'validated' });
    if (!isObject(ledger)) throw new Error('the server has no validated ledger');
    return { index: Number(ledger.ledger_index), closeTime: Number(ledger.close_time) };
  }

  async state(): Promise<Map<string, Json>> {
    const entries = new Map<string, Json>();
    let marker: Json | undefined;
    do {
      const page = await this.ask('ledger_data', {
        ledger_index: 'validated',
        limit: 2048,
        ...(marker ? { marker } : {}),
      });
      for (const entry of Array.isArray(page.state) ? page.state : []) {
        if (isObject(entry) && !OWN_ENTRIES.has(String(entry.LedgerEntryType))) entries.set(String(entry.index), entry);
      }
      marker = page.marker;
    } while (marker !== undefined);
    return entries;
  }
}

type Sent = { readonly hash: string; readonly fields: JsonObject };

class Differential {
  private readonly chain: TimedChain;
  private readonly real: Asked;
  private readonly here: Asked;
  private readonly world: World;
  private readonly seed: string;
  private at = 0;
  private ledgers = 0;
  private sent: Sent[] = [];

  constructor(seed: string, chain: TimedChain, real: Asked, here: Asked) {
    this.seed = seed;
    this.chain = chain;
    this.real = real;
    this.here = here;
    this.world = new World(seed, chain.open, RULES.amendments);
  }

  private fail(what: string, fields: JsonObject | undefined, difference: string): never {
    const about = fields ? `\n${JSON.stringify(fields)}` : '';
    throw new Difference(`seed ${this.seed}, transaction ${this.at}, ${what}${difference}${about}`);
  }

  private signed(draft: Draft): { blob: string; fields: JsonObject } {
    const { fields, signer } = complete(this.world, draft);
    // What cannot apply at once shall not wait for a later ledger.
    const unsigned = { ...fields, LastLedgerSequence: this.chain.open.ledgerIndex };
    const signatures = fields.Signers
      ? {
          Signers: fields.Signers.map(({ Signer }) => ({
            Signer: { ...Signer, ...this.countersigned(unsigned, Signer) },
          })),
        }
      : { TxnSignature: sign(encodeForSigning(unsigned), signer.privateKey) };
    const signed: JsonObject = { ...unsigned, ...signatures };
    return { blob: encode(signed as never), fields: signed };
  }

  private countersigned(unsigned: TransactionFields, { Account, SigningPubKey }: Signer['Signer']) {
    const { actors, genesis } = this.world;
    const { privateKey } = actors.find(({ publicKey }) => publicKey === SigningPubKey) ?? genesis;
    return { TxnSignature: sign(encodeForMultisigning(unsigned, Account), privateKey) };
  }

  private async submit(draft: Draft): Promise<void> {
    this.at += 1;
    const { blob, fields } = this.signed(draft);
    const [real, here] = await Promise.all(
      [this.real, this.here].map((server) => server.ask('submit', { tx_blob: blob, api_version: 2 })),
    );
    for (const name of ['error', 'engine_result', 'applied', 'queued', 'account_sequence_available'] as const) {
      const difference = firstDifference(real?.[name], here?.[name]);
      if (difference) this.fail(name, fields, difference);
    }
    if (typeof here?.hash === 'string') this.sent.push({ hash: here.hash, fields });
  }

  private async close(): Promise<void> {
    await this.real.ask('ledger_accept');
    const { closeTime } = await this.real.lastLedger();
    this.chain.closesAt = closeTime;
    await this.here.ask('ledger_accept');
    if (this.chain.closedAt !== closeTime) {
      this.fail('close time', undefined, `: real ${closeTime}, here ${this.chain.closedAt}`);
    }
    this.ledgers += 1;
    for (const { hash, fields } of this.sent) {
      const [real, here] = await Promise.all(
        [this.real, this.here].map((server) => server.ask('tx', { transaction: hash, api_version: 2 })),
      );
      for (const name of ['error', 'validated', 'ledger_index', 'close_time_iso', 'meta'] as const) {
        const difference = firstDifference(real?.[name], here?.[name]);
        if (difference) this.fail(name, fields, difference);
      }
    }
    this.sent = [];
    if (this.ledgers % LEDGERS_BETWEEN_STATES === 0) await this.compareStates();
    this.world.view = this.chain.open;
  }

  async compareStates(): Promise<void> {
    const [real, here] = await Promise.all([this.real.state(), this.here.state()]);
    for (const index of new Set([...(real?.keys() ?? []), ...(here?.keys() ?? [])])) {
      const difference = firstDifference(real?.get(index), here?.get(index));
      if (difference) this.fail(`entry ${index}`, undefined, difference);
    }
  }

  async play(transactions: number): Promise<void> {
    for (const draft of setup(this.world)) {
      await this.submit(draft);
      await this.close();
    }
    while (this.at < transactions) {
      await this.submit(generate(this.world));
      if (this.world.draw.chance(0.6)) await this.close();
    }
    await this.close();
    await this.compareStates();
  }
}

/** Closes ledgers on both until they stand at the same one, closed at the same time. */
async function align(real: Asked, chain: TimedChain): Promise<void> {
  for (;;) {
    await real.ask('ledger_accept');
    const { index, closeTime } = await real.lastLedger();
    while (chain.history.lastIndex < index - 1) chain.close();
    // Of ten ledgers that follow at once, one closes at a round time.
    if (closeTime % CLOSE_TIME_RESOLUTION !== 0 && index < HEAD_START_S) continue;
    chain.closesAt = closeTime;
    chain.close();
    if (chain.history.lastIndex === index && chain.closedAt === closeTime) return;
    throw new Error(`the server stands at ledger ${index}; a fresh one is needed`);
  }
}

/**
 * Plays a run against a real server, which must be fresh, in standalone mode, and take admin commands, and against the
 * sandbox at once: same keys, same transactions, same close times. Throws Difference at the first answer, metadata or
 * entry that is not the same.
 */
export async function playAgainst(url: string, seed: string, transactions: number): Promise<void> {
  const real = new Asked(url);
  await real.client.connect();
  const start = await real.lastLedger();
  const chain = new TimedChain({
    rules: RULES,
    fees: DEFAULT_FEE_SETUP,
    historyLedgers: 0,
    clockAheadMs: (start.closeTime - HEAD_START_S + RIPPLE_EPOCH_OFFSET) * 1000 - Date.now(),
  });
  const node = new ServerNode(chain, { networkId: undefined, heldFrom: undefined, markerLifeMs: MARKER_LIFE_MS });
  const server = await serve(node, { host: '127.0.0.1', port: 0 });
  const here = new Asked(`ws://127.0.0.1:${server.port}`);
  try {
    await here.client.connect();
    await align(real, chain);
    await new Differential(seed, chain, real, here).play(transactions);
  } finally {
    await Promise.all([real.client.disconnect(), here.client.disconnect()]);
    node.stop();
    await server.close();
  }
}
