import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { ActionMemo } from '@tranche/rules/action-memo.ts';
import type { Custody, SignerSet } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { actionTransaction, forNetwork } from '@tranche/rules/transactions.ts';
import { LOG_FILE, removeHalt, writeApproval, writeHalt } from '@tranche/witness/folder.ts';
import { type LogLine, logLine } from '@tranche/witness/log.ts';
import type { SignaturesAnswer, SignaturesRequest, WitnessSignature } from '@tranche/witness/protocol.ts';
import type { WitnessOptions } from '@tranche/witness/server.ts';
import { decodeAccountID } from 'ripple-address-codec';
import { encode, encodeForMultisigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { type Client, ECDSA, Wallet } from 'xrpl';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { bundle } from '#tests/support/bundle.ts';
import { Draw } from './draw.ts';
import type { Ledgers } from './ledgers.ts';
import { submitBy } from './payouts/acts.ts';
import { openRelay, type Relay } from './relay.ts';

export const WITNESSES = 3;

/** Of so many plays one has witnesses: of any so many in a row, so that a short form has it too. */
export function drawsWitnesses(seed: string, oneIn: number): boolean {
  const [base = '', number = '0'] = seed.split('/');
  return (Number(number) + new Draw(`${base} witnessed`).between(0, oneIn - 1)) % oneIn === 0;
}

const TOKEN = 'token-of-the-witnesses-of-a-campaign';
/** This one relies on a single ledger server, which may lie to it. */
const TRUSTING = 0;
/** A transaction of the campaign's own is signed by these. */
const SIGNING = [1, 2] as const;
const LEDGERS_TO_LIVE = 20;
const QUORUM = 4;
const MASTER_DISABLED = 4;
const MOST_ASKED = 200;
const HISTORY_LEDGERS = 20;
const YESTERDAY = '.yesterday';

/** What may happen to one of them. */
export const WITNESS_FAULTS = [
  'killed',
  'killed at work',
  'stopped',
  'restored',
  'cut',
  'halted',
  'ledger lags',
  'ledger away',
  'ledger slow',
  'ledger lacks history',
  'ledger narrows',
  'ledger forks',
] as const;
export type WitnessFault = (typeof WITNESS_FAULTS)[number];

type End = () => void;

let script: Promise<string> | undefined;
/** The program of a witness in one file, made once for all plays. */
const witnessScript = (): Promise<string> => {
  script ??= (async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'faults-witness-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return bundle(folder, path.join(import.meta.dirname, 'custody/witness.ts'));
  })();
  return script;
};

/** A witness: its folder, its process, its address and its own ledger server, each of which may break. */
interface One {
  seed: string;
  folder: string;
  options: WitnessOptions;
  child: ChildProcess | null;
  /** Its process as it comes up. */
  starting: Promise<void>;
  /** The port of its process. */
  port: number;
  /** The address that the platform knows. */
  front: Relay;
  server: Awaited<ReturnType<typeof startLedger>>;
  serverRelay: Relay;
  approvals: Map<string, string>;
}

/** The processes of three witnesses, each behind an address that stays and with a ledger server of its own. */
export class Witnesses {
  readonly platform: Wallet;
  readonly #keys: readonly Wallet[];
  readonly #ledgers: Ledgers;
  readonly #all: One[] = [];
  #fork: Awaited<ReturnType<typeof startLedger>> | null = null;
  #liarPort = 0;
  #isClosed = false;

  private constructor(ledgers: Ledgers, draw: Draw) {
    this.#ledgers = ledgers;
    const key = () => Wallet.fromEntropy(draw.bytes(16), { algorithm: ECDSA.ed25519 });
    this.platform = key();
    this.#keys = Array.from({ length: WITNESSES }, key);
  }

  static async open(ledgers: Ledgers, draw: Draw, defer: (close: () => unknown) => void): Promise<Witnesses> {
    const witnesses = new Witnesses(ledgers, draw);
    defer(() => witnesses.#close());
    await witnesses.#openLiar(defer);
    await Promise.all(witnesses.#keys.map((key, index) => witnesses.#openOne(key, index, defer)));
    await witnesses.up();
    return witnesses;
  }

  async #openOne(key: Wallet, index: number, defer: (close: () => unknown) => void): Promise<void> {
    const folder = mkdtempSync(path.join(tmpdir(), 'witness-'));
    const clean = this.#ledgers.clean as Awaited<ReturnType<typeof startLedger>>;
    const server = await startLedger({ peerOf: clean, networkId: NETWORK_ID });
    const [serverRelay, front] = [await openRelay(server.port), await openRelay(0)];
    defer(async () => {
      rmSync(folder, { recursive: true, force: true });
      rmSync(folder + YESTERDAY, { recursive: true, force: true });
      await Promise.all([server.close(), serverRelay.close(), front.close()]);
    });
    const isTrusting = index === TRUSTING;
    const options: WitnessOptions = {
      folder,
      seed: key.seed ?? '',
      settings: {
        name: `Witness ${index + 1}`,
        network_id: NETWORK_ID,
        ledger: isTrusting ? [serverRelay.wsUrl] : [serverRelay.wsUrl, clean.wsUrl],
        one_server: isTrusting,
        tokens_sha256: [createHash('sha256').update(TOKEN).digest('hex')],
        limits: { requests_a_minute: 100_000 },
      },
    };
    this.#all[index] = {
      ...{ seed: key.seed ?? '', folder, options, child: null, port: 0, front, server, serverRelay },
      ...{ starting: Promise.resolve(), approvals: new Map() },
    };
    this.#chain(index, () => this.#start(index));
  }

  /** What the platform is told of them. */
  get settings(): Record<string, string> {
    return {
      WITNESSES: this.#all
        .map(({ front }, index) => `${this.#keys[index]?.address}=http://127.0.0.1:${front.port}#${TOKEN}`)
        .join(','),
    };
  }

  get set(): SignerSet & Pick<Custody, 'ledgers_to_live'> {
    return {
      quorum: QUORUM,
      platform: { account: this.platform.address, weight: 2 },
      witnesses: this.#keys.map(({ address }, index) => ({
        account: address,
        weight: 1,
        name: `Witness ${index + 1}`,
        operator: `Operator ${index + 1}`,
      })),
      ledgers_to_live: LEDGERS_TO_LIVE,
    };
  }

  /** The entry of SIGNING_KEYS for an account under their custody. */
  keyFor = (account: string): string => `${account}=ed25519:${this.platform.seed}`;

  /** Gives accounts the signer list and disables their master keys; closes ledgers. */
  async takeCustodyOf(wallets: readonly Wallet[]): Promise<void> {
    const submit = submitBy(this.#ledgers.client);
    const { quorum, platform, witnesses } = this.set;
    const SignerEntries = [platform, ...witnesses].map(({ account, weight }) => ({
      SignerEntry: { Account: account, SignerWeight: weight },
    }));
    const list = { TransactionType: 'SignerListSet', SignerQuorum: quorum, SignerEntries };
    for (const wallet of wallets) {
      for (const fields of [list, { TransactionType: 'AccountSet', SetFlag: MASTER_DISABLED }]) {
        const { result } = await submit(wallet, fields);
        if (result !== 'tesSUCCESS') throw new Error(`The campaign's ${fields.TransactionType} got ${result}`);
      }
    }
    this.#ledgers.accept();
  }

  /** Every operator approves the sale; yesterday's folders are from before, or from after it. */
  approve(project: string, canonical: string): void {
    for (const one of this.#all) {
      one.approvals.set(project, canonical);
      this.#writeApprovals(one);
    }
  }

  #writeApprovals({ folder, approvals }: One): void {
    for (const [project, canonical] of approvals) {
      const terms_hash = sha256Hex(canonical);
      writeApproval(folder, { project, terms_hash, approved_at: new Date().toISOString(), canonical });
    }
  }

  /** What a restored witness has of its past. */
  keepYesterday(): void {
    for (const { folder } of this.#all) cpSync(folder, folder + YESTERDAY, { recursive: true });
  }

  /** Signs an action by the platform and two of them, and submits it. */
  async act(account: string, memo: ActionMemo): Promise<void> {
    const { client } = this.#ledgers;
    const { result: found } = await client.request({ command: 'account_info', account, ledger_index: 'validated' });
    const limits = { fee_drops: '1000', last_ledger_sequence: this.#ledgers.newest() + 10 };
    const sequence = found.account_data.Sequence;
    const candidate = { kind: 'action', memo, sequence, ...limits };
    const transaction = forNetwork(
      actionTransaction(account, memo, { feeDrops: 1_000n, lastLedgerSequence: limits.last_ledger_sequence, sequence }),
      NETWORK_ID,
    );
    const bytes = encodeForMultisigning({ ...transaction, SigningPubKey: '' }, this.platform.address);
    const { address, publicKey, privateKey } = this.platform;
    const signatures: WitnessSignature[] = [
      { account: address, public_key: publicKey, signature: sign(bytes, privateKey) },
    ];
    for (const index of SIGNING) {
      const answer = await fetch(`http://127.0.0.1:${this.#all[index]?.port}/v1/signatures`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ account, candidates: [candidate] }),
      });
      const [result] = ((await answer.json()) as SignaturesAnswer).results;
      if (result === undefined || !('signed' in result)) {
        throw new Error(`A witness has not signed the campaign's ${memo.move}: ${JSON.stringify(result)}`);
      }
      signatures.push(result.signed);
    }
    const Signers = signatures
      .map((each) => ({
        Signer: { Account: each.account, SigningPubKey: each.public_key, TxnSignature: each.signature },
      }))
      .sort((a, b) => Buffer.compare(idOf(a.Signer.Account), idOf(b.Signer.Account)));
    const tx_blob = encode({ ...transaction, SigningPubKey: '', Signers });
    const { result } = await client.request({ command: 'submit', tx_blob });
    if (result.engine_result !== 'tesSUCCESS') {
      throw new Error(`The campaign's ${memo.move} got ${result.engine_result}`);
    }
    this.#ledgers.accept();
  }

  async #start(index: number): Promise<void> {
    const one = this.#all[index];
    if (one === undefined || this.#isClosed) return;
    const program = await witnessScript();
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(path.dirname(program), 'compiled') };
    const child = fork(program, [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    one.child = child;
    child.send(one.options, () => undefined);
    const ended = once(child, 'exit').then(() => null);
    const told = once(child, 'message').then(([message]) => message as { url: string });
    // Killed while it came up, it is started again by whoever ends the fault.
    const first = await Promise.race([told, ended]);
    if (first === null) return;
    one.port = Number(new URL(first.url).port);
    one.front.switchTo(one.port);
  }

  async #kill({ child }: One): Promise<void> {
    if (child === null || !isAlive(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Killed, and started again from this moment's folder or yesterday's. */
  async #restart(index: number, isRestored = false): Promise<void> {
    const one = this.#all[index];
    if (one === undefined) return;
    await this.#kill(one);
    if (isRestored && existsSync(one.folder + YESTERDAY)) {
      this.#lostLog.push(...logOf(one.folder, index));
      rmSync(one.folder, { recursive: true, force: true });
      cpSync(one.folder + YESTERDAY, one.folder, { recursive: true });
    }
    await this.#start(index);
  }

  /** What restored witnesses had written down since. */
  readonly #lostLog: WrittenLine[] = [];

  /** Everything that they have written down, also what a restore has lost. */
  get log(): WrittenLine[] {
    return [...this.#lostLog, ...this.#all.flatMap(({ folder }, index) => logOf(folder, index))];
  }

  /** Begins a fault of one of them; what it gives ends it. */
  strike(fault: WitnessFault, draw: Draw, given = draw.between(0, WITNESSES - 1)): End {
    const index = given;
    const one = this.#all[index];
    if (one === undefined) throw new Error(`There is no witness ${index}`);
    const onServer = (change: Parameters<One['server']['faults']['set']>[0]): End => {
      one.server.faults.set(change);
      return () => void one.server.faults.clear();
    };
    const again = (): void => this.#chain(index, () => this.#restart(index));
    switch (fault) {
      case 'killed':
        this.#chain(index, () => this.#kill(one));
        return again;
      case 'killed at work': {
        const timer = setTimeout(() => one.child?.kill('SIGKILL'), draw.between(1, 400));
        return () => {
          clearTimeout(timer);
          again();
        };
      }
      case 'stopped': {
        one.child?.kill('SIGSTOP');
        return () => void one.child?.kill('SIGCONT');
      }
      case 'restored':
        this.#chain(index, () => this.#restart(index, true));
        return () => this.#writeApprovals(one);
      case 'cut':
        one.front.setAway(true);
        return () => one.front.setAway(false);
      case 'halted':
        writeHalt(one.folder, { since: new Date().toISOString(), reason: 'ordered by the campaign' });
        return () => removeHalt(one.folder);
      case 'ledger lags':
        return onServer({ lagLedgers: draw.between(1, 40) });
      case 'ledger away':
        one.serverRelay.setAway(true);
        return () => one.serverRelay.setAway(false);
      case 'ledger slow':
        return onServer({ answerDelayMs: draw.between(50, 800) });
      case 'ledger lacks history': {
        const from = Math.max(1, this.#ledgers.newest() - draw.between(0, HISTORY_LEDGERS));
        return onServer({ missingLedgers: [{ from, to: from + draw.between(0, HISTORY_LEDGERS) }] });
      }
      case 'ledger narrows': {
        const end = onServer({ narrowAccountTx: { dropOldest: draw.between(0, 2), dropNewest: draw.between(1, 3) } });
        return () => {
          end();
          // What it has been told so far it believes until its operator starts it anew.
          if (index === TRUSTING) again();
        };
      }
      case 'ledger forks': {
        this.#chain(index, async () => one.serverRelay.switchTo(await this.#forkPort()));
        return () => this.#chain(index, async () => one.serverRelay.switchTo(one.server.port));
      }
    }
  }

  /** A ledger of the same network with another history, as far as this one. */
  async #forkPort(): Promise<number> {
    this.#fork ??= await startLedger({ intervalMs: 0, networkId: NETWORK_ID });
    const ahead = this.#ledgers.newest() + LEDGERS_TO_LIVE;
    while (this.#fork.accept() < ahead);
    return this.#fork.port;
  }

  /** One thing after the other happens to a witness. */
  #chain(index: number, next: () => Promise<unknown>): void {
    const one = this.#all[index];
    if (one === undefined) return;
    const before = one.starting;
    const step = (async () => {
      await before.catch(() => undefined);
      await next();
    })();
    step.catch(() => undefined);
    one.starting = step;
  }

  /** The payment that liars say has paid everything. */
  #lie = '';

  /** From now on it is the newest one of this account. */
  async findLie(client: Client, account: string): Promise<void> {
    const { result } = await client.request({ command: 'account_tx', account, limit: 10 });
    const payment = result.transactions.find(({ tx_json: tx }) => tx?.TransactionType === 'Payment');
    this.#lie = payment?.hash ?? '0'.repeat(64);
  }

  /** Somebody answers for all of them who says that all is paid, by a payment of something else. */
  deceive(): End {
    for (const { front } of this.#all) front.switchTo(this.#liarPort);
    return () => {
      for (const [index, one] of this.#all.entries()) {
        this.#chain(index, async () => one.front.switchTo(one.port));
      }
    };
  }

  async #openLiar(defer: (close: () => unknown) => void): Promise<void> {
    const server = createServer(async (request, response) => {
      const { candidates = [] } = ((await json(request).catch(() => ({}))) ?? {}) as Partial<SignaturesRequest>;
      const refused = { reason: 'paid', detail: 'It was paid', transaction_hash: this.#lie };
      const results = candidates.map(() => ({ refused }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ledger_index: this.#ledgers.newest() + MOST_ASKED, results }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    defer(() => {
      server.close();
      server.closeAllConnections();
    });
    this.#liarPort = (server.address() as AddressInfo).port;
  }

  /** All that was ordered has happened, and who is to be up is up. */
  async up(): Promise<void> {
    for (const one of this.#all) {
      for (let before: Promise<void> | null = null; before !== one.starting; ) {
        before = one.starting;
        await before.catch(() => undefined);
      }
    }
  }

  /** Everything is well again: who is dead comes up, with the approvals of its operator. */
  async mend(): Promise<void> {
    for (const one of this.#all) {
      one.child?.kill('SIGCONT');
      one.server.faults.clear();
      one.serverRelay.setAway(false);
      one.front.setAway(false);
    }
    await this.up();
    for (const [index, one] of this.#all.entries()) {
      removeHalt(one.folder);
      this.#writeApprovals(one);
      one.serverRelay.switchTo(one.server.port);
      one.front.switchTo(one.port);
      // What it has been told it believes until its operator starts it anew.
      if (!isAlive(one.child) || index === TRUSTING) this.#chain(index, () => this.#restart(index));
    }
    await this.up();
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    await this.up();
    for (const { child } of this.#all) child?.kill('SIGKILL');
    await this.#fork?.close();
  }
}

const idOf = (account: string): Buffer => Buffer.from(decodeAccountID(account));

const isAlive = (child: ChildProcess | null): boolean =>
  child !== null && child.exitCode === null && child.signalCode === null;

/** A line of a witness's log, and whose it is. */
export interface WrittenLine extends LogLine {
  witness: number;
  /** Its ledger server may have lied to it. */
  isTrusting: boolean;
}

function logOf(folder: string, witness: number): WrittenLine[] {
  const file = path.join(folder, LOG_FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => ({ ...logLine.parse(JSON.parse(line)), witness, isTrusting: witness === TRUSTING }));
}
