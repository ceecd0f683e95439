import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type encodeAssignment, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import type { OwedPayment } from '@tranche/rules/transactions.ts';
import { writeApproval } from '@tranche/witness/folder.ts';
import type { Candidate, WitnessSignature } from '@tranche/witness/protocol.ts';
import type { WitnessOptions } from '@tranche/witness/server.ts';
import { Client, type Wallet } from 'xrpl';
import {
  type Answer,
  NETWORK_ID,
  type Paid,
  refund,
  setUpWorld,
  tokens,
  World,
} from '#tests/integration/witness/world.ts';
import { PLANT, type Planted } from './plant.ts';

/** Drops of a hundredth of a token, the smallest unit of the sale. */
export const UNIT_DROPS = 1_000n;
interface Own {
  child: ChildProcess;
  url: string;
  token: string;
  folder: string;
}

const HERE = import.meta.dirname;

function startProcess(file: string, planted?: Planted): ChildProcess {
  const child = fork(path.join(HERE, file), {
    execArgv: planted === undefined ? [] : ['--import', path.join(HERE, 'plant.ts')],
    env: { ...process.env, ...(planted === undefined ? {} : { [PLANT]: planted }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return child;
}

async function toldBy<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered`);
  });
  ended.catch(() => undefined);
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return told;
}

/** What one payment to the deposit account has become, by hand. */
export interface Arrival extends Paid {
  from: Wallet;
  drops: bigint;
  kind: 'invested' | 'refused' | 'held';
  units: bigint;
  /** What goes back at once. */
  backDrops: bigint;
}

export interface Due {
  purpose: Purpose;
  owed: OwedPayment;
}

/** A transaction that the ledger has validated, of one of the two paying accounts. */
interface Sent {
  hash: string;
  ledgerIndex: number;
  type: string;
  result: string;
  ticket: number | null;
  purpose: string | null;
  destination: string | null;
  tag: number | null;
  amount: unknown;
  fields: readonly string[];
  flags: number;
}

/** Tickets and payments of an account as the ledger shows them; read without any code of a witness. */
export class Ledgered {
  readonly tickets = new Map<number, string | null>();
  readonly open = new Set<number>();
  readonly sent: Sent[] = [];
  readonly seen = new Set<string>();

  openFor(id: string): number[] {
    return [...this.open].filter((ticket) => this.tickets.get(ticket) === id).sort((a, b) => a - b);
  }

  paymentsFor(id: string): Sent[] {
    return this.sent.filter((each) => each.type === 'Payment' && each.result === 'tesSUCCESS' && each.purpose === id);
  }
}

const ENVELOPE = new Set(
  'Account Fee Flags LastLedgerSequence Memos NetworkID Sequence Signers SigningPubKey TicketSequence TransactionType'.split(
    ' ',
  ),
);

export interface SceneOptions {
  /** Whole tokens. */
  totalUnits: bigint;
  planted: Planted | undefined;
}

/** A small sale under custody whose ledger and witnesses are processes of their own. */
export class Scene extends World<{ wsUrl: string; close(): Promise<void> }> {
  readonly own: Own[] = [];
  readonly arrivals: Arrival[] = [];
  readonly books: Record<string, Ledgered> = {};
  status: 'active' | 'paused' | 'completed' | 'cancelled' = 'active';
  readonly #ledgerProcess: ChildProcess;
  readonly #urls: readonly string[];
  readonly #planted: Planted | undefined;
  readonly #totalUnits: bigint;
  #lags: Client[] = [];

  constructor(ledgerProcess: ChildProcess, urls: readonly string[], { totalUnits, planted }: SceneOptions) {
    const server = { wsUrl: urls[0] ?? '', close: async () => void ledgerProcess.kill('SIGKILL') };
    super(server, server);
    this.#ledgerProcess = ledgerProcess;
    this.#urls = urls;
    this.#planted = planted;
    this.#totalUnits = totalUnits;
  }

  override async startWitnesses(): Promise<void> {
    for (const [index] of this.keys.entries()) {
      const folder = mkdtempSync(path.join(tmpdir(), 'witness-'));
      this.folders.push(folder);
      cpSync(folder, `${folder}.older`, { recursive: true });
      this.folders.push(`${folder}.older`);
      this.approveIn(folder);
      await this.runWitness(index, folder);
    }
    this.#lags = await Promise.all(
      this.#urls.slice(1).map(async (url) => {
        const client = new Client(url);
        await client.connect();
        return client;
      }),
    );
  }

  approveIn(folder: string): void {
    const approved_at = new Date().toISOString();
    writeApproval(folder, {
      project: this.projectId,
      terms_hash: this.termsHash,
      approved_at,
      canonical: this.canonical,
    });
  }

  async runWitness(index: number, folder: string): Promise<void> {
    const child = startProcess('witness.ts', this.#planted);
    const options: WitnessOptions = {
      folder,
      seed: this.keys[index]?.seed ?? '',
      settings: {
        name: `Witness ${index + 1}`,
        network_id: NETWORK_ID,
        ledger: [this.#urls[index + 1] ?? ''],
        one_server: true,
        limits: { requests_a_minute: 100_000 },
      },
    };
    child.send(options);
    this.own[index] = { child, folder, ...(await toldBy<{ url: string; token: string }>(child)) };
  }

  /** Ends a witness at once and starts it from this folder. */
  async restartWitness(index: number, folder?: string): Promise<void> {
    const own = this.own[index];
    if (own === undefined) return;
    const ended = once(own.child, 'exit');
    own.child.kill('SIGKILL');
    await ended;
    await this.runWitness(index, folder ?? own.folder);
  }

  /** The witness's server stays so many ledgers behind. */
  async lag(index: number, ledgers: number): Promise<void> {
    await this.#lags[index]?.request({ command: 'sandbox_faults', lag_ledgers: ledgers } as never);
  }

  async advance(ledgers: number): Promise<void> {
    for (let count = 0; count < ledgers; count++) await this.client.request({ command: 'ledger_accept' } as never);
  }

  async advanceSeconds(seconds: number): Promise<void> {
    await this.client.request({ command: 'sandbox_advance_time', seconds } as never);
  }

  override async ask(index: number, account: string, candidates: readonly unknown[]): Promise<Answer[]> {
    const { url, token } = this.own[index] as Own;
    const response = await fetch(`${url}/v1/signatures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account, candidates }),
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as { results: Answer[] }).results;
  }

  /** Reads on what the ledger shows of an account's own transactions. */
  async read(account: string): Promise<Ledgered> {
    this.books[account] ??= new Ledgered();
    const book = this.books[account];
    const after = book.sent.at(-1)?.ledgerIndex ?? this.custody.from_ledger;
    let marker: unknown;
    do {
      const { result } = await this.client.request({
        command: 'account_tx',
        account,
        ledger_index_min: after,
        ledger_index_max: -1,
        forward: true,
        limit: 400,
        ...(marker === undefined ? {} : { marker }),
      });
      for (const entry of result.transactions) {
        const {
          tx_json: tx,
          meta,
          hash = '',
          ledger_index: ledgerIndex = 0,
        } = entry as never as {
          tx_json: Record<string, unknown>;
          meta: {
            TransactionResult: string;
            AffectedNodes: Record<string, { LedgerEntryType: string; NewFields: Record<string, unknown> }>[];
          };
          hash: string;
          ledger_index: number;
        };
        if (tx.Account !== account || book.seen.has(hash) || ledgerIndex <= this.custody.from_ledger) continue;
        book.seen.add(hash);
        const ticket = typeof tx.TicketSequence === 'number' ? tx.TicketSequence : null;
        if (ticket !== null) book.open.delete(ticket);
        book.sent.push({
          hash,
          ledgerIndex,
          type: String(tx.TransactionType),
          result: meta.TransactionResult,
          ticket,
          purpose: ticket === null ? null : (book.tickets.get(ticket) ?? null),
          destination: (tx.Destination as string | undefined) ?? null,
          tag: (tx.DestinationTag as number | undefined) ?? null,
          amount: tx.DeliverMax ?? tx.Amount,
          fields: Object.keys(tx).filter((name) => /^[A-Z]/.test(name) && !ENVELOPE.has(name)),
          flags: Number(tx.Flags ?? 0),
        });
        if (tx.TransactionType !== 'TicketCreate') continue;
        const created = meta.AffectedNodes.flatMap(({ CreatedNode: node }) =>
          node?.LedgerEntryType === 'Ticket' ? [Number(node.NewFields.TicketSequence)] : [],
        ).sort((a, b) => a - b);
        const memo = (tx.Memos as ReturnType<typeof encodeAssignment>[] | undefined)?.[0]?.Memo.MemoData ?? '';
        for (const [place, number] of created.entries()) {
          book.tickets.set(number, memo.slice(18 * place, 18 * (place + 1)) || null);
          book.open.add(number);
        }
      }
      marker = result.marker;
    } while (marker !== undefined);
    return book;
  }

  soldUnits(): bigint {
    return this.arrivals.reduce((sum, { units }) => sum + units, 0n);
  }

  /** What a payment of so much becomes now, by hand. */
  #outcome(drops: bigint): Pick<Arrival, 'kind' | 'units' | 'backDrops'> {
    const left = this.#totalUnits - this.soldUnits();
    if (this.status !== 'active' || left === 0n) return { kind: 'refused', units: 0n, backDrops: drops };
    const wanted = drops / UNIT_DROPS;
    const units = wanted < left ? wanted : left;
    return { kind: 'invested', units, backDrops: drops - units * UNIT_DROPS };
  }

  #endSoldOut(): void {
    if (this.status === 'active' && this.soldUnits() === this.#totalUnits) this.status = 'completed';
  }

  /** A payment arrives: `tag` is null for none. */
  async arrive(from: Wallet, drops: bigint, tag: number | null, kind: 'sale' | 'refused' | 'held'): Promise<Arrival> {
    const paid = await this.invest(from, drops, tag);
    const rest: Pick<Arrival, 'kind' | 'units' | 'backDrops'> =
      kind === 'sale'
        ? this.#outcome(drops)
        : kind === 'held'
          ? { kind: 'held', units: 0n, backDrops: drops }
          : { kind: 'refused', units: 0n, backDrops: drops };
    const arrival = { ...paid, from, drops, ...rest };
    this.arrivals.push(arrival);
    this.#endSoldOut();
    return arrival;
  }

  /** An assign was validated. */
  credit(hash: string): void {
    const held = this.arrivals.find((each) => each.hash === hash && each.kind === 'held');
    if (held === undefined) return;
    const outcome = this.#outcome(held.drops);
    if (outcome.kind === 'invested') Object.assign(held, outcome);
    this.#endSoldOut();
  }

  /** What is owed for one payment, paid or not; by what was distributed of it, if anything. */
  duesOf(arrival: Arrival, isDistributed: boolean): Due[] {
    const { kind, units, backDrops, from } = arrival;
    const dues: Due[] = [];
    if (backDrops > 0n) dues.push({ purpose: refund(arrival), owed: this.refundOf(from, backDrops) });
    if (kind !== 'invested') return dues;
    if (this.status === 'cancelled' && !isDistributed) {
      dues.push({ purpose: refund(arrival, 2), owed: this.refundOf(from, units * UNIT_DROPS) });
    } else dues.push({ purpose: tokens(arrival), owed: this.tokensFor(from, units) });
    return dues;
  }

  async readBoth(): Promise<{ deposit: Ledgered; distributor: Ledgered }> {
    return {
      deposit: await this.read(this.deposit.classicAddress),
      distributor: await this.read(this.distributor.classicAddress),
    };
  }

  async dues(): Promise<(Due & { arrival: Arrival; isPaid: boolean })[]> {
    const { deposit, distributor } = await this.readBoth();
    return this.arrivals.flatMap((arrival) => {
      const isDistributed = distributor.paymentsFor(purposeId(tokens(arrival))).length > 0;
      return this.duesOf(arrival, isDistributed).map((due) => {
        const book = due.owed.account === this.deposit.classicAddress ? deposit : distributor;
        return { ...due, arrival, isPaid: book.paymentsFor(purposeId(due.purpose)).length > 0 };
      });
    });
  }

  /** What a validated action changes; by hand. */
  act(candidate: Candidate): void {
    if (candidate.kind !== 'action') return;
    const { move, payment } = candidate.memo;
    if (move === 'pause' && this.status === 'active') this.status = 'paused';
    if (move === 'resume' && this.status === 'paused') this.status = 'active';
    if (move === 'end' && (this.status === 'active' || this.status === 'paused')) this.status = 'completed';
    if (move === 'cancel' && (this.status === 'active' || this.status === 'paused')) this.status = 'cancelled';
    if (move === 'assign') this.credit(payment ?? '');
  }

  byThief(transaction: object): WitnessSignature[] {
    const [first] = this.keys;
    return [this.signByPlatform(transaction), ...(first === undefined ? [] : [this.signBy(first, transaction)])];
  }

  override async close(): Promise<void> {
    for (const { child } of this.own) child.kill('SIGKILL');
    for (const client of this.#lags) await client.disconnect();
    await super.close();
    this.#ledgerProcess.kill('SIGKILL');
  }
}

/** Opens the scene: the sale is launched, and `investors` have money. */
export async function openScene(options: SceneOptions): Promise<Scene> {
  const child = startProcess('ledger.ts');
  const scene = new Scene(child, await toldBy<string[]>(child), options);
  try {
    const tiers = [
      {
        tier: 1,
        price_per_token: '0.10',
        total_tokens: `${options.totalUnits / 100n}.00`,
        access: 'open',
        starts_at: null,
      },
    ];
    await setUpWorld(scene, { terms: { tiers }, investors: 4 });
  } catch (error) {
    await scene.close();
    throw error;
  }
  return scene;
}
