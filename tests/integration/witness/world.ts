import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ActionMemo } from '@tranche/rules/action-memo.ts';
import { formatDrops } from '@tranche/rules/amounts.ts';
import { type Custody, type Place, type Purpose, purposeId, signersOf } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import type { OwedPayment } from '@tranche/rules/transactions.ts';
import {
  actionTransaction,
  cancelTicket,
  forNetwork,
  payoutPayment,
  ticketCreate,
} from '@tranche/rules/transactions.ts';
import {
  type Candidate,
  readPurpose,
  type SignaturesAnswer,
  type StatusAnswer,
  type WitnessSignature,
  writePurpose,
} from '@tranche/witness/protocol.ts';
import { type RunningWitness, startWitness } from '@tranche/witness/server.ts';
import canonicalize from 'canonicalize';
import { decodeAccountID } from 'ripple-address-codec';
import { encode, encodeForMultisigning } from 'ripple-binary-codec';
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs';
import { Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED, type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';

export const NETWORK_ID = 21_337;
export const XRP = 1_000_000n;
const PROJECT = `proj_${'W'.repeat(22)}`;
const TAG = 77;

export const newKey = () => {
  const seed = generateSeed({ algorithm: 'ed25519' });
  const { publicKey, privateKey } = deriveKeypair(seed);
  return { seed, publicKey, privateKey, address: deriveAddress(publicKey) };
};
export type TestKey = ReturnType<typeof newKey>;

/** A validated payment and its place. */
export interface Paid extends Place {
  hash: string;
}

export const refund = ({ ledgerIndex, transactionIndex }: Place, part = 1): Purpose => ({
  kind: 'refund',
  payment: { ledgerIndex, transactionIndex },
  part,
});
export const tokens = ({ ledgerIndex, transactionIndex }: Place, part = 1): Purpose => ({
  kind: 'distribution',
  payment: { ledgerIndex, transactionIndex },
  part,
});

export interface WorldOptions {
  /** Changes of the terms. */
  terms?: Record<string, unknown>;
  /** More settings of each witness. */
  settings?: object;
  /** Funded investors. */
  investors?: number;
  /** Leaves the accounts without a signer list, and the sale without a launch. */
  bare?: boolean;
}

export type Answer = SignaturesAnswer['results'][number];
export const signatureOf = (answer: Answer | undefined): WitnessSignature => {
  if (answer === undefined || !('signed' in answer)) throw new Error(`Not signed: ${JSON.stringify(answer)}`);
  return answer.signed;
};
export const reasonOf = (answer: Answer | undefined): string =>
  answer === undefined ? 'nothing' : 'signed' in answer ? 'signed' : answer.refused.reason;

type Server = Pick<SandboxLedger, 'wsUrl' | 'close'>;

/** A sale under custody on a real ledger server, with three witnesses, each asked over HTTP. No platform is there. */
export class World<Ledger extends Server = SandboxLedger> {
  readonly ledger: Ledger;
  readonly second: Ledger;
  readonly client: Client;
  readonly platform = newKey();
  readonly keys = [newKey(), newKey(), newKey()];
  readonly deposit = Wallet.generate();
  readonly distributor = Wallet.generate();
  readonly issuer = Wallet.generate();
  readonly treasury = Wallet.generate();
  readonly investors: Wallet[] = [];
  witnesses: RunningWitness[] = [];
  custody!: Custody;
  canonical = '';
  readonly folders: string[] = [];

  constructor(ledger: Ledger, second: Ledger) {
    this.ledger = ledger;
    this.second = second;
    this.client = new Client(ledger.wsUrl);
  }

  get projectId(): string {
    return PROJECT;
  }

  get termsHash(): string {
    return sha256Hex(this.canonical);
  }

  /** One key signs; gives the transaction's hash. */
  async send(wallet: Wallet, transaction: object): Promise<string> {
    const filled = await this.client.autofill({
      Account: wallet.classicAddress,
      ...transaction,
    } as SubmittableTransaction);
    const { tx_blob, hash } = wallet.sign(filled);
    const { result } = await this.client.request({ command: 'submit', tx_blob });
    if (result.engine_result !== 'tesSUCCESS') {
      throw new Error(`${result.engine_result}: ${JSON.stringify(transaction)}`);
    }
    await this.validated(hash);
    return hash;
  }

  /** The ledger closes right after the answer to a submit. */
  async validated(hash: string): Promise<Paid> {
    for (;;) {
      const { result } = await this.client.request({ command: 'tx', transaction: hash });
      const meta = result.meta as { TransactionIndex: number } | undefined;
      if (result.validated !== true || meta === undefined) continue;
      return { hash, ledgerIndex: result.ledger_index ?? 0, transactionIndex: meta.TransactionIndex };
    }
  }

  async fund(wallet: Wallet, amount: bigint): Promise<void> {
    const genesis = Wallet.fromSeed(GENESIS_SEED, { algorithm: 'ecdsa-secp256k1' as never });
    await this.send(genesis, {
      TransactionType: 'Payment',
      Destination: wallet.classicAddress,
      Amount: amount.toString(),
    });
  }

  get index(): Promise<number> {
    return this.client.getLedgerIndex();
  }

  async sequenceOf(account: string): Promise<number> {
    const { result } = await this.client.request({ command: 'account_info', account, ledger_index: 'validated' });
    return result.account_data.Sequence;
  }

  async balanceOf(account: string): Promise<bigint> {
    const { result } = await this.client.request({ command: 'account_info', account, ledger_index: 'validated' });
    return BigInt(result.account_data.Balance);
  }

  /** Starts every witness; each approves the sale. */
  async startWitnesses(settings: object): Promise<void> {
    this.witnesses = await Promise.all([0, 1, 2].map((index) => this.startWitness(index, settings)));
    for (const witness of this.witnesses) witness.approve(this.canonical);
  }

  startWitness(index: number, settings: object = {}, folder?: string): Promise<RunningWitness> {
    const own = folder ?? mkdtempSync(path.join(tmpdir(), 'witness-'));
    if (folder === undefined) this.folders.push(own);
    return startWitness({
      folder: own,
      seed: this.keys[index]?.seed ?? '',
      settings: {
        name: `Witness ${index + 1}`,
        network_id: NETWORK_ID,
        ledger: [this.ledger.wsUrl, this.second.wsUrl],
        ...settings,
      },
    });
  }

  folderOf(index: number): string {
    return this.witnesses[index]?.witness.folder ?? '';
  }

  async ask(index: number, account: string, candidates: readonly unknown[]): Promise<Answer[]> {
    const { url, token } = this.witnesses[index] as RunningWitness;
    const response = await fetch(`${url}/v1/signatures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account, candidates }),
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as SignaturesAnswer).results;
  }

  async last(ahead = 10): Promise<{ fee_drops: string; last_ledger_sequence: number }> {
    return { fee_drops: '40', last_ledger_sequence: (await this.index) + ahead };
  }

  async statusOf(index: number): Promise<StatusAnswer> {
    const { url, token } = this.witnesses[index] as RunningWitness;
    const response = await fetch(`${url}/v1/status`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as StatusAnswer;
  }

  /** The platform's own signature of what the candidate is of. */
  signByPlatform(transaction: object): WitnessSignature {
    return this.signBy(this.platform, transaction);
  }

  signBy(key: TestKey, transaction: object): WitnessSignature {
    const bytes = encodeForMultisigning({ ...forNetwork(transaction, NETWORK_ID), SigningPubKey: '' }, key.address);
    return { account: key.address, public_key: key.publicKey, signature: sign(bytes, key.privateKey) };
  }

  /** Submits with these signatures, closes a ledger and gives the result that the ledger shows. */
  async submit(
    transaction: object,
    signatures: readonly WitnessSignature[],
  ): Promise<{ hash: string; result: string }> {
    const inOrder = [...signatures].sort((a, b) =>
      Buffer.compare(Buffer.from(decodeAccountID(a.account)), Buffer.from(decodeAccountID(b.account))),
    );
    const signed = {
      ...forNetwork(transaction, NETWORK_ID),
      SigningPubKey: '',
      Signers: inOrder.map(({ account, public_key, signature }) => ({
        Signer: { Account: account, SigningPubKey: public_key, TxnSignature: signature },
      })),
    };
    const { result } = await this.client.request({ command: 'submit', tx_blob: encode(signed) });
    const hash = result.tx_json.hash ?? '';
    if (/^te[sc]/.test(result.engine_result)) await this.validated(hash);
    return { hash, result: result.engine_result };
  }

  /** Builds what a candidate is of; `owed` where it is a payment. */
  build(account: string, candidate: Candidate, owed?: OwedPayment): object {
    const limits = { feeDrops: BigInt(candidate.fee_drops), lastLedgerSequence: candidate.last_ledger_sequence };
    switch (candidate.kind) {
      case 'payment':
        return payoutPayment(owed as OwedPayment, { ...limits, ticket: candidate.ticket });
      case 'ticket_create': {
        const ids = candidate.purposes.map((each) => purposeId(readPurpose(each)));
        return ticketCreate(account, ids, { ...limits, sequence: candidate.sequence });
      }
      case 'ticket_cancel':
        return cancelTicket(account, { ...limits, ticket: candidate.ticket });
      case 'action':
        return actionTransaction(account, candidate.memo, {
          ...limits,
          ...(candidate.ticket === undefined ? { sequence: candidate.sequence ?? 0 } : { ticket: candidate.ticket }),
        });
    }
  }

  /** The platform and two witnesses sign, and it is submitted. Throws what a witness refuses. */
  async sendSigned(account: string, candidate: Candidate, owed?: OwedPayment, by = [0, 1]): Promise<string> {
    const transaction = this.build(account, candidate, owed);
    const signatures = await Promise.all(
      by.map(async (index) => signatureOf((await this.ask(index, account, [candidate]))[0])),
    );
    const { hash, result } = await this.submit(transaction, [this.signByPlatform(transaction), ...signatures]);
    if (result !== 'tesSUCCESS') throw new Error(`${result}: ${JSON.stringify(transaction)}`);
    return hash;
  }

  async action(memo: Partial<ActionMemo> & Pick<ActionMemo, 'move'>, ticket?: number): Promise<Candidate> {
    const account = this.deposit.classicAddress;
    return {
      kind: 'action',
      memo: { v: 1, project: this.projectId, ...memo },
      ...(ticket === undefined ? { sequence: await this.sequenceOf(account) } : { ticket }),
      ...(await this.last()),
    };
  }

  async ticketsFor(account: string, purposes: readonly Purpose[]): Promise<Candidate> {
    return {
      kind: 'ticket_create',
      purposes: purposes.map(writePurpose),
      sequence: await this.sequenceOf(account),
      ...(await this.last()),
    };
  }

  /** Creates one ticket for each purpose and gives them, ascending. */
  async createTickets(account: string, purposes: readonly Purpose[], by = [0, 1]): Promise<number[]> {
    const candidate = await this.ticketsFor(account, purposes);
    await this.sendSigned(account, candidate, undefined, by);
    const first = candidate.kind === 'ticket_create' ? candidate.sequence + 1 : 0;
    return purposes.map((_, index) => first + index);
  }

  async release(beforeDrops: bigint, amountDrops: bigint, ticket: number): Promise<Candidate> {
    const release = { released_xrp: formatDrops(beforeDrops), amount_xrp: formatDrops(amountDrops) };
    return { ...(await this.payment({ kind: 'release', projectId: this.projectId }, ticket)), release } as Candidate;
  }

  async payment(purpose: Purpose, ticket: number, ahead = 10): Promise<Candidate> {
    return { kind: 'payment', purpose: writePurpose(purpose), ticket, ...(await this.last(ahead)) };
  }

  refundOf(wallet: Pick<Wallet, 'classicAddress'>, amount: bigint): OwedPayment {
    return {
      account: this.deposit.classicAddress,
      destination: wallet.classicAddress,
      destinationTag: null,
      amount,
      asset: { kind: 'xrp' },
    };
  }

  tokensFor(wallet: Pick<Wallet, 'classicAddress'>, amount: bigint): OwedPayment {
    return {
      account: this.distributor.classicAddress,
      destination: wallet.classicAddress,
      destinationTag: null,
      amount,
      asset: { kind: 'iou', currency: 'DMO', issuer: this.issuer.classicAddress, decimals: 2 },
    };
  }

  /** An investor pays; gives where the payment stands. */
  async invest(wallet: Wallet, drops: bigint, tag: number | null = TAG): Promise<Paid> {
    const hash = await this.send(wallet, {
      TransactionType: 'Payment',
      Destination: this.deposit.classicAddress,
      Amount: drops.toString(),
      ...(tag === null ? {} : { DestinationTag: tag }),
    });
    return this.validated(hash);
  }

  async close(): Promise<void> {
    await Promise.all(this.witnesses.map((witness) => witness.stop()));
    await this.client.disconnect();
    await this.second.close();
    await this.ledger.close();
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  async putUnderCustody(wallet: Wallet, custody: Custody = this.custody): Promise<void> {
    const weights = new Map([custody.platform, ...custody.witnesses].map(({ account, weight }) => [account, weight]));
    await this.send(wallet, {
      TransactionType: 'SignerListSet',
      SignerQuorum: custody.quorum,
      SignerEntries: signersOf(custody).map((Account) => ({
        SignerEntry: { Account, SignerWeight: weights.get(Account) ?? 0 },
      })),
    });
    await this.send(wallet, { TransactionType: 'AccountSet', SetFlag: 4 });
  }
}

/** Opens a world on ledger servers of its own. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const ledger = await startLedger({ networkId: NETWORK_ID });
  const second = await startLedger({ peerOf: ledger, networkId: NETWORK_ID });
  const world = new World(ledger, second);
  await setUpWorld(world, options);
  return world;
}

/** Accounts funded and under custody, terms approved by every witness, the sale launched. */
export async function setUpWorld(
  world: World<Server>,
  { terms = {}, settings = {}, investors = 2, bare = false }: WorldOptions = {},
): Promise<void> {
  await world.client.connect();
  const { deposit, distributor, issuer, treasury } = world;
  for (const wallet of [deposit, distributor, issuer, treasury]) await world.fund(wallet, 1_000n * XRP);
  for (let count = 0; count < investors; count++) {
    const wallet = Wallet.generate();
    await world.fund(wallet, 1_000n * XRP);
    world.investors.push(wallet);
  }
  const limit = { currency: 'DMO', issuer: issuer.classicAddress, value: '1000000' };
  await world.send(issuer, { TransactionType: 'AccountSet', SetFlag: 8 });
  for (const wallet of [distributor, ...world.investors]) {
    await world.send(wallet, { TransactionType: 'TrustSet', LimitAmount: limit });
  }
  await world.send(issuer, {
    TransactionType: 'Payment',
    Destination: distributor.classicAddress,
    Amount: { ...limit, value: '10000' },
  });
  world.custody = {
    quorum: 4,
    platform: { account: world.platform.address, weight: 2 },
    witnesses: world.keys.map(({ address }, index) => ({
      account: address,
      weight: 1,
      name: `Witness ${index + 1}`,
      operator: `Operator ${index + 1}`,
    })),
    ledgers_to_live: 20,
    from_ledger: 1,
    refund_min_xrp: '0.001000',
  };
  if (!bare) for (const wallet of [deposit, distributor]) await world.putUnderCustody(wallet);
  world.custody = { ...world.custody, from_ledger: await world.index };
  world.canonical =
    canonicalize({
      v: 1,
      project: PROJECT,
      name: 'Sale',
      token: { kind: 'iou', currency: 'DMO', issuer: issuer.classicAddress, decimals: 2 },
      distributor: distributor.classicAddress,
      deposit_address: deposit.classicAddress,
      destination_tag: TAG,
      tiers: [{ tier: 1, price_per_token: '0.10', total_tokens: '10000.00', access: 'open', starts_at: null }],
      starts_at: null,
      ends_at: null,
      claim_days: 0,
      soft_cap_xrp: null,
      min_investment_xrp: null,
      max_per_wallet_xrp: null,
      refund_min_xrp: '0.001000',
      access: 'open',
      distribution: 'immediate',
      vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
      treasury: treasury.classicAddress,
      operating_accounts: [issuer.classicAddress],
      custody: world.custody,
      ...terms,
    }) ?? '';
  await world.startWitnesses(settings);
  if (bare) return;
  await world.sendSigned(deposit.classicAddress, await world.action({ move: 'launch', terms_hash: world.termsHash }));
}
