import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { parseTerms } from '@tranche/verifier/terms.ts';
import { parseConfig } from '@tranche/witness/config.ts';
import { unfinishedBefore } from '@tranche/witness/earlier-period.ts';
import { readApprovals, removeApproval, removeHalt, writeApproval, writeHalt } from '@tranche/witness/folder.ts';
import type { WitnessOptions } from '@tranche/witness/server.ts';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import { Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { NETWORK_ID, newKey, type Paid } from '#tests/integration/witness/world.ts';
import { isEd25519, signEd25519 } from './ed25519.ts';
import { type Liar, openLiar } from './liar.ts';
import { PLANT, type Planted } from './plant.ts';

/** The witnesses that are honest; the first of the three is the thief's, and has no process. */
export const HONEST = [1, 2] as const;

export const CURRENCY = 'DMO';

/** What the honest witnesses are told to spend at most, drops. */
export const LIMITS = { feeDrops: 250_000n, feesOfDayDrops: { debts: 600_000n, other: 1_000_000n } } as const;

const INVESTORS = 4;
const ASF_DEFAULT_RIPPLE = 8;
const ASF_ALLOW_CLAWBACK = 16;

interface Own {
  child: ChildProcess;
  url: string;
  token: string;
  folder: string;
  /** Where it looks for allowlists. */
  lists: string;
  approved: Set<string>;
}

export interface PaidAt extends Paid {
  closedAtMs: number;
}

const HERE = import.meta.dirname;

function startProcess(file: string, planted?: Planted): ChildProcess {
  return fork(path.join(HERE, file), {
    execArgv: planted === undefined ? [] : ['--import', path.join(HERE, 'plant.ts')],
    env: { ...process.env, ...(planted === undefined ? {} : { [PLANT]: planted }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function toldBy<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered`);
  });
  ended.catch(() => undefined);
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return told;
}

function signedBlob(wallet: Wallet, filled: object): string {
  if (!isEd25519(wallet.publicKey)) return wallet.sign(filled as SubmittableTransaction).tx_blob;
  const own = { ...filled, SigningPubKey: wallet.publicKey };
  return encode({ ...own, TxnSignature: signEd25519(encodeForSigning(own), wallet.privateKey) });
}

/** What the plays of a campaign share: a ledger, two honest witnesses, each a process of its own, and people with money. */
export class Stage {
  readonly platform = newKey();
  readonly keys = [newKey(), newKey(), newKey()] as const;
  readonly issuer = Wallet.generate();
  readonly treasury = Wallet.generate();
  readonly investors = Array.from({ length: INVESTORS }, () => Wallet.generate());
  readonly genesis = Wallet.fromSeed(GENESIS_SEED, { algorithm: 'ecdsa-secp256k1' as never });
  readonly client: Client;
  readonly liar: Liar;
  readonly own: Own[] = [];
  readonly #ledger: ChildProcess;
  readonly #urls: readonly string[];
  readonly #planted: Planted | undefined;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'thief-'));
  readonly #sequences = new Map<string, number>();
  #servers: (readonly Client[])[] = [];
  #newest = 0;

  private constructor(
    ledger: ChildProcess,
    { urls, client, liar, planted }: { urls: readonly string[]; client: Client; liar: Liar; planted?: Planted },
  ) {
    this.#ledger = ledger;
    this.#urls = urls;
    this.client = client;
    this.liar = liar;
    this.#planted = planted;
  }

  static async open(planted?: Planted): Promise<Stage> {
    const ledger = startProcess('ledger.ts');
    const urls = await toldBy<string[]>(ledger);
    const clients = urls.map((url) => new Client(url));
    await Promise.all(clients.map((each) => each.connect()));
    const [client, first, second, third] = clients as [Client, Client, Client, Client];
    const liar = await openLiar(urls[2] ?? '');
    const stage = new Stage(ledger, { urls, client, liar, ...(planted === undefined ? {} : { planted }) });
    stage.#servers = [[], [first], [second, third]];
    await Promise.all(HONEST.map((index) => stage.#runWitness(index)));
    await stage.#fundPeople();
    return stage;
  }

  get wsUrl(): string {
    return this.#urls[0] ?? '';
  }

  async #fundPeople(): Promise<void> {
    const { issuer, treasury, investors } = this;
    for (const wallet of [issuer, treasury, ...investors]) await this.fund(wallet, 10_000_000_000_000n);
    await this.send(issuer, { TransactionType: 'AccountSet', SetFlag: ASF_ALLOW_CLAWBACK });
    await this.send(issuer, { TransactionType: 'AccountSet', SetFlag: ASF_DEFAULT_RIPPLE });
    for (const wallet of investors) await this.trust(wallet);
  }

  trust(wallet: Wallet): Promise<PaidAt> {
    const limit = { currency: CURRENCY, issuer: this.issuer.classicAddress, value: '1000000000' };
    return this.send(wallet, { TransactionType: 'TrustSet', LimitAmount: limit });
  }

  fund(wallet: Wallet, drops: bigint): Promise<PaidAt> {
    const to = { Destination: wallet.classicAddress, Amount: drops.toString() };
    return this.send(this.genesis, { TransactionType: 'Payment', ...to });
  }

  /** One key signs. */
  async send(wallet: Wallet, transaction: object): Promise<PaidAt> {
    const Account = wallet.classicAddress;
    const Sequence = this.#sequences.get(Account) ?? (await this.#sequenceOf(Account));
    const envelope = { Account, Fee: '10', Sequence, NetworkID: NETWORK_ID };
    const filled = { ...envelope, ...transaction };
    const { result } = await this.client.request({ command: 'submit', tx_blob: signedBlob(wallet, filled) });
    if (result.engine_result !== 'tesSUCCESS') {
      throw new Error(`${result.engine_result}: ${JSON.stringify(transaction)}`);
    }
    this.#sequences.set(Account, Sequence + 1);
    return this.validated(result.tx_json.hash ?? '');
  }

  /** The newest ledger: none closes but by what is done here. */
  get newest(): number {
    return this.#newest;
  }

  async advance(ledgers: number): Promise<void> {
    for (let count = 0; count < ledgers; count++) {
      const { result } = await this.client.request({ command: 'ledger_accept' } as never);
      // The answer names the ledger that is open now.
      this.#newest = (result as { ledger_current_index: number }).ledger_current_index - 1;
    }
  }

  async advanceSeconds(seconds: number): Promise<void> {
    const { result } = await this.client.request({ command: 'sandbox_advance_time', seconds } as never);
    this.#newest = (result as { ledger_index: number }).ledger_index;
  }

  /** Payments of strangers, all at once. */
  async writePayments(payments: { count: number; destination: string; amount: string }): Promise<void> {
    const { result } = await this.client.request({ command: 'sandbox_write_payments', ...payments } as never);
    this.#newest = (result as { ledger_index_max: number }).ledger_index_max;
    // It pays those strangers first.
    this.#sequences.delete(this.genesis.classicAddress);
  }

  /** What was paid to an account after a ledger. */
  async paymentsTo(account: string, after: number): Promise<(PaidAt & { from: { classicAddress: string } })[]> {
    const { result } = await this.client.request({
      command: 'account_tx',
      account,
      ledger_index_min: after + 1,
      ledger_index_max: -1,
      forward: true,
      limit: 400,
    });
    return result.transactions.map((entry) => {
      const { hash = '', ledger_index: ledgerIndex = 0, tx_json: tx, meta } = entry;
      const { close_time_iso: closedAt } = entry as never as { close_time_iso: string };
      const { TransactionIndex: transactionIndex } = meta as { TransactionIndex: number };
      const from = { classicAddress: tx?.Account ?? '' };
      return { hash, ledgerIndex, transactionIndex, closedAtMs: Date.parse(closedAt), from };
    });
  }

  async #sequenceOf(account: string): Promise<number> {
    const { result } = await this.client.request({ command: 'account_info', account, ledger_index: 'validated' });
    return result.account_data.Sequence;
  }

  /** The ledger closes right after the answer to a submit. */
  async validated(hash: string): Promise<PaidAt> {
    for (;;) {
      const { result } = await this.client.request({ command: 'tx', transaction: hash });
      const meta = result.meta as { TransactionIndex: number } | undefined;
      if (result.validated !== true || meta === undefined) continue;
      const { ledger_index: ledgerIndex = 0, close_time_iso: closedAt = '' } = result;
      this.#newest = Math.max(this.#newest, ledgerIndex);
      return { hash, ledgerIndex, transactionIndex: meta.TransactionIndex, closedAtMs: Date.parse(closedAt) };
    }
  }

  #settings(index: number, lists: string) {
    const { feeDrops, feesOfDayDrops } = LIMITS;
    const xrp = (drops: bigint): string => (Number(drops) / 1_000_000).toFixed(6);
    return {
      name: `Witness ${index + 1}`,
      network_id: NETWORK_ID,
      ...(index === 1
        ? { ledger: [this.#urls[1] ?? ''], one_server: true }
        : { ledger: [this.liar.wsUrl, this.#urls[3] ?? ''] }),
      lists: [lists],
      limits: {
        requests_a_minute: 1_000_000,
        max_fee_drops: Number(feeDrops),
        fees_a_day_xrp: { debts: xrp(feesOfDayDrops.debts), other: xrp(feesOfDayDrops.other) },
      },
    };
  }

  /** Why a witness's own program does not let its operator approve these terms, as far as what it has approved goes. */
  async whyNotApproved(index: number, project: string, canonical: string): Promise<string[]> {
    const { folder = '', lists = '' } = this.own[index] ?? {};
    const config = parseConfig({ ...this.#settings(index, lists), tokens_sha256: ['0'.repeat(64)] });
    const terms = parseTerms(project, { canonical, sha256: sha256Hex(canonical), anchor: null });
    const approved = readApprovals(folder).approvals.map((each) => each.terms);
    return unfinishedBefore(terms, approved, { config, folder });
  }

  async #runWitness(index: number, folder = path.join(this.#folder, `witness-${index}`)): Promise<void> {
    const lists = path.join(this.#folder, `lists-${index}`);
    mkdirSync(lists, { recursive: true });
    const child = startProcess('witness.ts', this.#planted);
    const seed = this.keys[index]?.seed ?? '';
    const options: WitnessOptions = { folder, seed, settings: this.#settings(index, lists) };
    child.send(options);
    const told = await toldBy<{ url: string; token: string }>(child);
    this.own[index] = { approved: new Set(), ...this.own[index], child, folder, lists, ...told };
  }

  /** Ends a witness at once and starts it again: from its own folder, as it is or as it was `before` (a copy). */
  async restartWitness(index: number, before?: string): Promise<void> {
    const own = this.own[index];
    if (own === undefined) return;
    const ended = once(own.child, 'exit');
    own.child.kill('SIGKILL');
    await ended;
    if (before !== undefined) {
      rmSync(own.folder, { recursive: true, force: true });
      cpSync(before, own.folder, { recursive: true });
    }
    await this.#runWitness(index, own.folder);
  }

  /** A copy of a witness's folder as it is now. */
  backUp(index: number, name: string): string {
    const copy = path.join(this.#folder, name);
    rmSync(copy, { recursive: true, force: true });
    cpSync(this.own[index]?.folder ?? '', copy, { recursive: true });
    return copy;
  }

  /** The operator of a witness approves just these terms, at this time. */
  approve(index: number, approvedAtMs: number, canonicals: readonly string[]): void {
    const own = this.own[index];
    if (own === undefined) return;
    for (const project of own.approved) removeApproval(own.folder, project);
    own.approved.clear();
    for (const [place, canonical] of canonicals.entries()) {
      const { project } = JSON.parse(canonical) as { project: string };
      const approved_at = new Date(approvedAtMs + place).toISOString();
      writeApproval(own.folder, { project, terms_hash: sha256Hex(canonical), approved_at, canonical });
      own.approved.add(project);
    }
  }

  /** The operator of a witness stops it, or lets it go on. */
  halt(index: number, isHalted: boolean): void {
    const folder = this.own[index]?.folder ?? '';
    if (isHalted) writeHalt(folder, { since: new Date().toISOString(), reason: 'a key is stolen' });
    else removeHalt(folder);
  }

  giveList(index: number, hash: string, text: string): void {
    writeFileSync(path.join(this.own[index]?.lists ?? '', `${hash}.jsonl`), text);
  }

  /** What is wrong with the ledger servers of a witness. */
  async fault(index: number, faults: object): Promise<void> {
    await Promise.all(
      (this.#servers[index] ?? []).map((server) => server.request({ command: 'sandbox_faults', ...faults } as never)),
    );
  }

  setClock(index: number, offsetMs: number): void {
    this.own[index]?.child.send({ offsetMs });
  }

  /** Stops a witness's process, or lets it go on. */
  freeze(index: number, isFrozen: boolean): void {
    this.own[index]?.child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Nothing is wrong with anybody any more. */
  async mend(): Promise<void> {
    this.liar.hideAllOf(null);
    this.liar.forgeCredentials(null);
    for (const index of HONEST) {
      this.halt(index, false);
      this.freeze(index, false);
      this.setClock(index, 0);
      await this.fault(index, { clear: true });
    }
  }

  async close(): Promise<void> {
    for (const each of this.own) each?.child.disconnect();
    this.liar.close();
    for (const client of [this.client, ...this.#servers.flat()]) await client.disconnect();
    this.#ledger.disconnect();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
