import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { forNetwork, type OwedPayment } from '@tranche/rules/transactions.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import type { Candidate, WitnessSignature } from '@tranche/witness/protocol.ts';
import canonicalize from 'canonicalize';
import { encodeForMultisigning } from 'ripple-binary-codec';
import { type Client, RippledError, type Wallet } from 'xrpl';
import {
  type Answer,
  NETWORK_ID,
  refund,
  signatureOf,
  type TestKey,
  tokens,
  World,
  XRP,
} from '#tests/integration/witness/world.ts';
import { Book } from './books.ts';
import { signEd25519 } from './ed25519.ts';
import { CURRENCY, HONEST, type PaidAt, type Stage } from './stage.ts';

/** Drops of a hundredth of a token, the smallest unit of the sale. */
export const UNIT_DROPS = 1_000n;
export const TAG = 77;
/** Of a second sale on the same accounts. */
export const OTHER_TAG = 78;
const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;
const OWN_XRP = 200n;

/** How a sale is sold; drawn for each play. */
export interface Sale {
  /** Hundredths of a token. */
  totalUnits: bigint;
  /** Tokens are sent only after the end. */
  atEnd: boolean;
  /** Half at once, the rest in two months. */
  vests: boolean;
  /** Only wallets on a list may buy. */
  listed: boolean;
  /** Only wallets that hold a credential may buy. */
  attested: boolean;
}

/** What one payment to the deposit account has become, by hand. */
export interface Arrival extends PaidAt {
  from: Pick<Wallet, 'classicAddress'>;
  sourceTag: number | null;
  drops: bigint;
  kind: 'invested' | 'refused' | 'held';
  units: bigint;
  /** What goes back at once. */
  backDrops: bigint;
  /** When its tokens begin to be due. */
  boughtAtMs: number;
}

/** What is owed, by hand. */
export interface Due {
  purpose: Purpose;
  owed: OwedPayment;
  dueAtMs: number;
}

/** A sale under custody on the stage. What it owes is reckoned here by hand, with no rule of the product. */
export class Scene extends World<{ wsUrl: string; close(): Promise<void> }> {
  override readonly client: Client;
  override readonly platform;
  override readonly keys;
  override readonly issuer;
  override readonly treasury;
  override readonly investors: Wallet[];
  readonly stage: Stage;
  readonly sale: Sale;
  readonly arrivals: Arrival[] = [];
  /** What people have sent by hand: the witnesses answer for none of it. */
  readonly byHand = new Set<string>();
  status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled' = 'draft';
  /** Wallets that hold the sale's credential. */
  readonly holders = new Set<string>();
  /** Wallets on the list in force. */
  listInForce: ReadonlySet<string> = new Set();
  readonly lists = new Map<string, ReadonlySet<string>>();
  readonly #listTexts = new Map<string, string>();
  readonly #project: string;
  #endedAtMs = 0;
  #books: readonly Book[] = [];

  constructor(stage: Stage, sale: Sale, project: string) {
    const server = { wsUrl: stage.wsUrl, close: async () => undefined };
    super(server, server);
    this.stage = stage;
    this.sale = sale;
    this.#project = project;
    this.client = stage.client;
    this.platform = stage.platform;
    this.keys = [...stage.keys];
    this.issuer = stage.issuer;
    this.treasury = stage.treasury;
    this.investors = stage.investors;
  }

  override get projectId(): string {
    return this.#project;
  }

  /** Opens a sale that its witnesses have approved; it is not launched. `before` happens before the accounts have no key any more. */
  static async open(
    stage: Stage,
    sale: Sale,
    { seed, before }: { seed: string; before: (scene: Scene) => Promise<void> },
  ): Promise<Scene> {
    const scene = new Scene(stage, sale, projectOf(seed));
    await stage.mend();
    for (const wallet of [scene.deposit, scene.distributor]) await stage.fund(wallet, OWN_XRP * XRP);
    await stage.trust(scene.distributor);
    const value = { currency: CURRENCY, issuer: stage.issuer.classicAddress, value: '100000' };
    const to = { Destination: scene.distributor.classicAddress, Amount: value };
    await stage.send(stage.issuer, { TransactionType: 'Payment', ...to });
    scene.custody = {
      quorum: 4,
      platform: { account: stage.platform.address, weight: 2 },
      witnesses: stage.keys.map(({ address }, index) => ({
        account: address,
        weight: 1,
        name: `Witness ${index + 1}`,
        operator: `Operator ${index + 1}`,
      })),
      ledgers_to_live: 20,
      from_ledger: 1,
      refund_min_xrp: '0.001000',
    };
    await before(scene);
    for (const wallet of [scene.deposit, scene.distributor]) await scene.putUnderCustody(wallet);
    scene.custody = { ...scene.custody, from_ledger: await scene.index };
    scene.canonical = scene.termsWith({});
    scene.#books = [scene.deposit, scene.distributor].map(
      ({ classicAddress }) => new Book(classicAddress, scene.custody.from_ledger),
    );
    for (const index of HONEST) await scene.approve(index, [scene.canonical]);
    return scene;
  }

  termsWith(changes: object): string {
    const { totalUnits, atEnd, vests, listed, attested } = this.sale;
    const credential = { credential_type: this.credentialType, issuers: [this.issuer.classicAddress] };
    const access = listed ? 'allowlist' : 'open';
    return (
      canonicalize({
        v: attested ? 2 : 1,
        project: this.projectId,
        name: 'Sale',
        token: { kind: 'iou', currency: CURRENCY, issuer: this.issuer.classicAddress, decimals: 2 },
        distributor: this.distributor.classicAddress,
        deposit_address: this.deposit.classicAddress,
        destination_tag: TAG,
        tiers: [
          {
            tier: 1,
            price_per_token: '0.10',
            total_tokens: `${totalUnits / 100n}.00`,
            access,
            starts_at: null,
            ...(attested ? { credential } : {}),
          },
        ],
        starts_at: null,
        ends_at: null,
        claim_days: 0,
        soft_cap_xrp: null,
        min_investment_xrp: null,
        max_per_wallet_xrp: null,
        refund_min_xrp: '0.001000',
        access,
        distribution: atEnd ? 'at_end' : 'immediate',
        vesting: vests
          ? { immediate_bps: 5_000, cliff_days: 0, period_days: PERIOD_DAYS, periods: 2 }
          : { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
        treasury: this.treasury.classicAddress,
        operating_accounts: [this.issuer.classicAddress],
        custody: this.custody,
        ...changes,
      }) ?? ''
    );
  }

  async approve(index: number, canonicals: readonly string[]): Promise<void> {
    this.stage.approve(index, await this.nowMs(), canonicals);
  }

  /** A quorum of the platform and both honest witnesses launches it. */
  async launch(): Promise<void> {
    const memo = { move: 'launch', terms_hash: this.termsHash } as const;
    await this.sendSigned(this.deposit.classicAddress, await this.action(memo), undefined, [...HONEST]);
    this.status = 'active';
    if (this.sale.listed) await this.putList(this.investors.slice(0, 3));
    if (this.sale.attested) for (const wallet of this.investors.slice(0, 3)) await this.attest(wallet);
  }

  /** No other sale of the stage has this type. */
  get credentialType(): string {
    return sha256Hex(this.projectId).slice(0, 32).toUpperCase();
  }

  /** The issuer gives a wallet the credential, and the wallet accepts it. */
  async attest(wallet: Wallet): Promise<void> {
    const { credentialType: CredentialType, issuer } = this;
    const Subject = wallet.classicAddress;
    await this.send(issuer, { TransactionType: 'CredentialCreate', Subject, CredentialType });
    const Issuer = issuer.classicAddress;
    await this.send(wallet, { TransactionType: 'CredentialAccept', Issuer, CredentialType });
    this.holders.add(wallet.classicAddress);
  }

  /** The issuer takes it away again. */
  async takeAway(wallet: Wallet): Promise<void> {
    const { credentialType: CredentialType, issuer } = this;
    const Subject = wallet.classicAddress;
    await this.send(issuer, { TransactionType: 'CredentialDelete', Subject, CredentialType });
    this.holders.delete(Subject);
  }

  /** The thief gives up a check that the owner of an account made out to him. */
  async giveUpCheck(account: 'deposit' | 'distributor'): Promise<void> {
    const [receiver] = this.investors;
    const { result } = await this.client.request({
      command: 'account_objects',
      account: this[account].classicAddress,
      type: 'check',
    });
    for (const { index: CheckID } of result.account_objects) {
      if (receiver !== undefined) await this.send(receiver, { TransactionType: 'CheckCancel', CheckID });
    }
  }

  /** A list of these wallets; its hash. Each of the witnesses has it, unless it is to be withheld. */
  makeList(wallets: readonly Wallet[], given: readonly number[] = HONEST): string {
    // Another list than that of any sale before.
    const text = [...wallets, this.deposit]
      .map(({ classicAddress }) => `${JSON.stringify({ wallet_address: classicAddress, cap_xrp: null })}\n`)
      .join('');
    const hash = sha256Hex(text);
    this.#listTexts.set(hash, text);
    for (const index of given) this.giveList(index, hash);
    this.lists.set(hash, new Set(wallets.map(({ classicAddress }) => classicAddress)));
    return hash;
  }

  giveList(index: number, hash: string): void {
    this.stage.giveList(index, hash, this.#listTexts.get(hash) ?? '');
  }

  async putList(wallets: readonly Wallet[]): Promise<void> {
    const action = await this.action({ move: 'list', list_hash: this.makeList(wallets) });
    await this.sendSigned(this.deposit.classicAddress, action, undefined, [...HONEST]);
    await this.act(action, 0);
  }

  override signBy({ address, publicKey, privateKey }: TestKey, transaction: object): WitnessSignature {
    const bytes = encodeForMultisigning({ ...forNetwork(transaction, NETWORK_ID), SigningPubKey: '' }, address);
    return { account: address, public_key: publicKey, signature: signEd25519(bytes, privateKey) };
  }

  override send(wallet: Wallet, transaction: object): Promise<string> {
    return this.stage.send(wallet, transaction).then(({ hash }) => hash);
  }

  override validated(hash: string): Promise<PaidAt> {
    return this.stage.validated(hash);
  }

  async nowMs(): Promise<number> {
    const { result } = await this.client.request({ command: 'ledger', ledger_index: 'validated' });
    return Date.parse(result.ledger.close_time_iso);
  }

  lag(index: number, ledgers: number): Promise<void> {
    return this.stage.fault(index, { lag_ledgers: ledgers });
  }

  override get index(): Promise<number> {
    return Promise.resolve(this.stage.newest);
  }

  advance(ledgers: number): Promise<void> {
    return this.stage.advance(ledgers);
  }

  advanceSeconds(seconds: number): Promise<void> {
    return this.stage.advanceSeconds(seconds);
  }

  override async ask(index: number, account: string, candidates: readonly unknown[]): Promise<Answer[]> {
    const response = await this.post(index, JSON.stringify({ account, candidates }));
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as { results: Answer[] }).results;
  }

  post(index: number, body: string, options: { token?: string; waitMs?: number } = {}): Promise<Response> {
    const { url, token } = this.stage.own[index] ?? { url: '', token: '' };
    return fetch(`${url}/v1/signatures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.token ?? token}`, 'content-type': 'application/json' },
      body,
      ...(options.waitMs === undefined ? {} : { signal: AbortSignal.timeout(options.waitMs) }),
    });
  }

  async read(account: string): Promise<Book> {
    const book = this.#books.find((each) => each.account === account);
    if (book === undefined) throw new Error(`${account} is no paying account`);
    await book.readOn(this.client);
    return book;
  }

  async readBoth(): Promise<{ deposit: Book; distributor: Book }> {
    return {
      deposit: await this.read(this.deposit.classicAddress),
      distributor: await this.read(this.distributor.classicAddress),
    };
  }

  soldUnits(): bigint {
    return this.arrivals.reduce((sum, { units }) => sum + units, 0n);
  }

  /** What a payment of so much becomes now. */
  #outcome(from: Arrival['from'], drops: bigint): Pick<Arrival, 'kind' | 'units' | 'backDrops'> {
    const left = this.sale.totalUnits - this.soldUnits();
    const isOnList = !this.sale.listed || this.listInForce.has(from.classicAddress);
    const isAdmitted = isOnList && (!this.sale.attested || this.holders.has(from.classicAddress));
    if (this.status !== 'active' || left === 0n || !isAdmitted) return { kind: 'refused', units: 0n, backDrops: drops };
    const wanted = drops / UNIT_DROPS;
    const units = wanted < left ? wanted : left;
    return { kind: 'invested', units, backDrops: drops - units * UNIT_DROPS };
  }

  #endSoldOut(atMs: number): void {
    if (this.status !== 'active' || this.soldUnits() !== this.sale.totalUnits) return;
    this.status = 'completed';
    this.#endedAtMs = atMs;
  }

  /** A payment arrives: `tag` is null for none. */
  async arrive(
    from: Wallet,
    drops: bigint,
    { tag = TAG, sourceTag = null }: { tag?: number | null; sourceTag?: number | null } = {},
  ): Promise<Arrival> {
    const paid = await this.stage.send(from, {
      TransactionType: 'Payment',
      Destination: this.deposit.classicAddress,
      Amount: drops.toString(),
      ...(tag === null ? {} : { DestinationTag: tag }),
      ...(sourceTag === null ? {} : { SourceTag: sourceTag }),
    });
    const isHeld = tag === REFUND_SOURCE_TAG || (tag !== TAG && from === this.issuer);
    const rest =
      tag === TAG
        ? this.#outcome(from, drops)
        : { kind: isHeld ? ('held' as const) : ('refused' as const), units: 0n, backDrops: drops };
    const arrival = { ...paid, from, sourceTag, drops, boughtAtMs: paid.closedAtMs, ...rest };
    this.arrivals.push(arrival);
    this.#endSoldOut(paid.closedAtMs);
    return arrival;
  }

  /** Many small payments that are to go back, from as many strangers. */
  async arriveMany(count: number, drops: bigint): Promise<void> {
    const after = await this.index;
    await this.stage.writePayments({ count, destination: this.deposit.classicAddress, amount: drops.toString() });
    for (const paid of await this.stage.paymentsTo(this.deposit.classicAddress, after)) {
      const rest = { kind: 'refused' as const, units: 0n, backDrops: drops, sourceTag: null, drops };
      this.arrivals.push({ ...paid, boughtAtMs: paid.closedAtMs, ...rest });
    }
  }

  /** An assign was validated: what was sent back already is not credited any more. */
  async #credit(hash: string, atMs: number): Promise<void> {
    const held = this.arrivals.find((each) => each.hash === hash && each.kind === 'held');
    if (held === undefined) return;
    const deposit = await this.read(this.deposit.classicAddress);
    if (deposit.paymentsFor(refund(held)).length > 0) return;
    const outcome = this.#outcome(held.from, held.drops);
    if (outcome.kind === 'invested') Object.assign(held, outcome, { boughtAtMs: atMs });
    this.#endSoldOut(atMs);
  }

  /** What a validated action changes. */
  async act(candidate: Candidate, atMs: number): Promise<void> {
    if (candidate.kind !== 'action' || candidate.memo.project !== this.projectId) return;
    const { move, payment, list_hash: listHash } = candidate.memo;
    const isRunning = this.status === 'active' || this.status === 'paused';
    if (move === 'pause' && this.status === 'active') this.status = 'paused';
    if (move === 'resume' && this.status === 'paused') this.status = 'active';
    if (move === 'assign') await this.#credit(payment ?? '', atMs);
    if (move === 'list' && isRunning) this.listInForce = this.lists.get(listHash ?? '') ?? new Set();
    if ((move === 'end' || move === 'cancel') && isRunning) {
      this.status = move === 'end' ? 'completed' : 'cancelled';
      this.#endedAtMs = atMs;
    }
  }

  /** The parts of what was bought. */
  partsOf({ from, units, sourceTag, boughtAtMs, ...place }: Arrival): Due[] {
    const baseMs = this.sale.atEnd ? this.#endedAtMs : boughtAtMs;
    const atOnce = this.sale.vests ? units / 2n : units;
    const later = units - atOnce;
    const month = PERIOD_DAYS * DAY_MS;
    return [
      { amount: atOnce, dueAtMs: baseMs },
      { amount: later / 2n, dueAtMs: baseMs + month },
      { amount: later - later / 2n, dueAtMs: baseMs + 2 * month },
    ]
      .filter(({ amount }) => amount > 0n)
      .map(({ amount, dueAtMs }, index) => ({
        purpose: tokens(place, index + 1),
        owed: { ...this.tokensFor(from, amount), destinationTag: sourceTag },
        dueAtMs,
      }));
  }

  backTo({ from, sourceTag }: Arrival, drops: bigint): OwedPayment {
    return { ...this.refundOf(from, drops), destinationTag: sourceTag };
  }

  /** What was distributed of a payment, as the ledger shows it. */
  deliveredUnits(arrival: Arrival, distributor: Book): bigint {
    return this.partsOf(arrival).reduce(
      (sum, { purpose, owed }) => (distributor.paymentsFor(purpose).length > 0 ? sum + owed.amount : sum),
      0n,
    );
  }

  /** What is owed for one payment, paid or not. */
  duesOf(arrival: Arrival, { distributor }: { distributor: Book }): Due[] {
    const { kind, units, backDrops } = arrival;
    const dues: Due[] = [];
    if (backDrops > 0n) {
      dues.push({ purpose: refund(arrival), owed: this.backTo(arrival, backDrops), dueAtMs: arrival.closedAtMs });
    }
    if (kind !== 'invested') return dues;
    const isEnded = this.status === 'completed' || this.status === 'cancelled';
    const parts = this.sale.atEnd && !isEnded ? [] : this.partsOf(arrival);
    if (this.status !== 'cancelled') return [...dues, ...parts];
    const rest = (units - this.deliveredUnits(arrival, distributor)) * UNIT_DROPS;
    if (rest > 0n) {
      dues.push({ purpose: refund(arrival, 2), owed: this.backTo(arrival, rest), dueAtMs: this.#endedAtMs });
    }
    return [...dues, ...parts.filter(({ purpose }) => distributor.paymentsFor(purpose).length > 0)];
  }

  async dues(): Promise<(Due & { arrival: Arrival; isPaid: boolean })[]> {
    const books = await this.readBoth();
    return this.arrivals.flatMap((arrival) =>
      this.duesOf(arrival, books).map((due) => {
        const book = due.owed.account === this.deposit.classicAddress ? books.deposit : books.distributor;
        return { ...due, arrival, isPaid: book.paymentsFor(due.purpose).length > 0 };
      }),
    );
  }

  /** What may go to the treasury at most, released or not. */
  earnedDrops({ distributor }: { distributor: Book }): bigint {
    if (this.status === 'completed') return this.soldUnits() * UNIT_DROPS;
    return this.arrivals.reduce((sum, arrival) => sum + this.deliveredUnits(arrival, distributor) * UNIT_DROPS, 0n);
  }

  releasedDrops({ deposit }: { deposit: Book }): bigint {
    return deposit.payments.reduce(
      (sum, { purpose, amount }) => (purpose === this.releaseId ? sum + BigInt(String(amount)) : sum),
      0n,
    );
  }

  get releaseId(): string {
    return purposeId({ kind: 'release', projectId: this.projectId });
  }

  byThief(transaction: object): WitnessSignature[] {
    return [this.signByPlatform(transaction), this.signBy(this.stage.keys[0], transaction)];
  }

  /** The people who hold the keys of a quorum sign by hand, as `custody sign` does. */
  async signByPeople(transaction: object): Promise<void> {
    const signatures = [...this.byThief(transaction), this.signBy(this.stage.keys[1], transaction)];
    const { hash, result } = await this.submit(transaction, signatures);
    if (result !== 'tesSUCCESS') throw new Error(`${result}: ${JSON.stringify(transaction)}`);
    this.byHand.add(hash);
  }

  /** A key alone that a signer list gives a whole quorum. */
  async signByOne({ classicAddress, publicKey, privateKey }: Wallet, transaction: object): Promise<void> {
    const signature = this.signBy({ seed: '', address: classicAddress, publicKey, privateKey }, transaction);
    const { hash, result } = await this.submit(transaction, [signature]);
    if (result !== 'tesSUCCESS') throw new Error(`${result}: ${JSON.stringify(transaction)}`);
    this.byHand.add(hash);
  }

  /** A signature that is none is refused before the ledger sees it. */
  async trySubmit(
    transaction: object,
    signatures: readonly WitnessSignature[],
  ): Promise<{ hash: string; result: string }> {
    try {
      return await this.submit(transaction, signatures);
    } catch (error) {
      if (error instanceof RippledError) return { hash: '', result: 'invalid signature' };
      throw error;
    }
  }

  /** The honest platform has payments signed by both honest witnesses, as many as a request may name. */
  async payAll(account: string, dues: readonly Due[]): Promise<string[]> {
    const failures: string[] = [];
    const missing = dues.filter(({ purpose }) => this.#openTicket(account, purpose) === undefined);
    if (missing.length > 0) {
      const create = await this.ticketsFor(
        account,
        missing.map(({ purpose }) => purpose),
      );
      await this.sendSigned(account, create, undefined, [...HONEST]).catch((error: Error) =>
        failures.push(`no tickets: ${error.message}`),
      );
      await this.read(account);
    }
    const last = await this.last(20);
    const asked = dues.flatMap((due) => {
      const ticket = this.#openTicket(account, due.purpose);
      return ticket === undefined ? [] : [{ due, ticket }];
    });
    if (asked.length === 0) return failures;
    const candidates = await Promise.all(
      asked.map(async ({ due, ticket }) => ({ ...(await this.payment(due.purpose, ticket, 0)), ...last })),
    );
    const answers = await Promise.all(HONEST.map((index) => this.ask(index, account, candidates)));
    for (const [place, { due }] of asked.entries()) {
      try {
        const transaction = this.build(account, candidates[place] as Candidate, due.owed);
        const signatures = answers.map((each) => signatureOf(each[place]));
        const { result } = await this.submit(transaction, [this.signByPlatform(transaction), ...signatures]);
        if (result !== 'tesSUCCESS') failures.push(`${purposeId(due.purpose)}: ${result}`);
      } catch (error) {
        failures.push(`${purposeId(due.purpose)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return failures;
  }

  #openTicket(account: string, purpose: Purpose): number | undefined {
    return this.#books.find((each) => each.account === account)?.openFor(purposeId(purpose))[0];
  }

  /** Its accounts are approved by nobody any more. */
  override async close(): Promise<void> {
    await this.stage.mend();
  }
}

const LETTERS = /[^0-9A-Za-z]/g;

/** A project's id that follows from a text. */
export const projectOf = (text: string): string =>
  `proj_${Buffer.from(sha256Hex(text), 'hex').toString('base64').replace(LETTERS, 'x').slice(0, 22)}`;
