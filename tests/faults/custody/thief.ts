import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { forNetwork, type OwedPayment } from '@tranche/rules/transactions.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { type Candidate, type WitnessSignature, writePurpose } from '@tranche/witness/protocol.ts';
import { encodeForMultisigning } from 'ripple-binary-codec';
import { verify } from 'ripple-keypairs';
import { RippledError } from 'xrpl';
import type { Draw } from '#tests/faults/draw.ts';
import type { Report } from '#tests/faults/report.ts';
import { type Answer, NETWORK_ID, reasonOf, refund, tokens } from '#tests/integration/witness/world.ts';
import { type Arrival, type Due, type Scene, UNIT_DROPS } from './scene.ts';

/** The two that are honest; the first of the three is the thief's. */
const HONEST = [1, 2] as const;
const LAGS = [0, 2, 5, 12, 18] as const;
const MOST_FEE = '250000';

interface Loot {
  account: string;
  candidate: Candidate;
  transaction: object;
  signatures: readonly WitnessSignature[];
}

/** Holds the platform's key and one witness's: one more signature makes a quorum. */
export class Thief {
  readonly #scene: Scene;
  readonly #draw: Draw;
  readonly #report: Report;
  /** Everything that an honest witness has signed for him. */
  readonly #loot: Loot[] = [];
  readonly #asked: { account: string; candidate: Candidate }[] = [];

  constructor(scene: Scene, draw: Draw, report: Report) {
    this.#scene = scene;
    this.#draw = draw;
    this.#report = report;
  }

  get #deposit(): string {
    return this.#scene.deposit.classicAddress;
  }

  get #distributor(): string {
    return this.#scene.distributor.classicAddress;
  }

  #shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((each) => [this.#draw.fraction(), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each);
  }

  #some<T>(all: readonly T[]): T | undefined {
    return all[this.#draw.between(0, Math.max(0, all.length - 1))];
  }

  #accountOf(purpose: Purpose): string {
    return purpose.kind === 'distribution' ? this.#distributor : this.#deposit;
  }

  async #lag(): Promise<void> {
    for (const index of HONEST) await this.#scene.lag(index, this.#draw.pick(LAGS));
  }

  async #last(): Promise<{ fee_drops: string; last_ledger_sequence: number }> {
    const fee_drops = this.#draw.chance(0.03) ? MOST_FEE : '40';
    return { fee_drops, last_ledger_sequence: (await this.#scene.index) + this.#draw.between(1, 20) };
  }

  /** Every payment that the candidate could be meant as: the witness builds the bytes, and shows only its signature. */
  #meanings(account: string, candidate: Candidate): OwedPayment[] {
    if (candidate.kind !== 'payment') return [];
    const { purpose, release } = candidate;
    const scene = this.#scene;
    if (purpose.kind === 'release') {
      const drops = BigInt((release?.amount_xrp ?? '0').replace('.', ''));
      return [scene.refundOf(scene.treasury, drops)];
    }
    const arrival = scene.arrivals.find(
      (each) => each.ledgerIndex === purpose.ledger_index && each.transactionIndex === purpose.transaction_index,
    );
    if (arrival === undefined) return [];
    const { from, drops, units, backDrops } = arrival;
    const amounts = [...new Set([drops, backDrops, units * UNIT_DROPS])];
    const owed =
      purpose.kind === 'refund'
        ? amounts.map((amount) => scene.refundOf(from, amount))
        : [...new Set([units, drops / UNIT_DROPS])].map((amount) => scene.tokensFor(from, amount));
    return owed.map((each) => ({ ...each, account }));
  }

  /** Asks one of the honest, and keeps what it signs. */
  async ask(index: number, account: string, candidates: readonly Candidate[]): Promise<Answer[]> {
    this.#asked.push(...candidates.map((candidate) => ({ account, candidate })));
    const answers = await this.#scene.ask(index, account, candidates);
    for (const [place, answer] of answers.entries()) {
      this.#report.count('answers', reasonOf(answer));
      const candidate = candidates[place];
      if (candidate !== undefined && 'signed' in answer) this.#keep(account, candidate, answer.signed);
    }
    return answers;
  }

  #keep(account: string, candidate: Candidate, signed: WitnessSignature): void {
    const meanings = candidate.kind === 'payment' ? this.#meanings(account, candidate) : [undefined];
    const transaction = meanings
      .map((owed) => this.#scene.build(account, candidate, owed))
      .find((built) => {
        const bytes = encodeForMultisigning({ ...forNetwork(built, NETWORK_ID), SigningPubKey: '' }, signed.account);
        return verify(bytes, signed.signature, signed.public_key);
      });
    if (transaction === undefined) {
      this.#report.violations.push(`a witness signed other bytes than any that are owed: ${JSON.stringify(candidate)}`);
      return;
    }
    this.#loot.push({ account, candidate, transaction, signatures: [...this.#scene.byThief(transaction), signed] });
  }

  /** The server refuses a signature that is none before the ledger sees it. */
  #submit(transaction: object, signatures: readonly WitnessSignature[]): Promise<{ result: string }> {
    return this.#scene.submit(transaction, signatures).catch((error: unknown) => {
      if (error instanceof RippledError) return { result: 'invalid signature' };
      throw error;
    });
  }

  async #send({ candidate, transaction, signatures }: Loot): Promise<string> {
    const { result } = await this.#submit(transaction, signatures);
    this.#report.count('submitted', result);
    if (result === 'tesSUCCESS') this.#scene.act(candidate);
    return result;
  }

  /** Sends what he has, in any order; what cannot pass any more is left out. */
  async spend(share = 1): Promise<void> {
    const index = await this.#scene.index;
    for (const loot of this.#shuffled(this.#loot)) {
      if (loot.candidate.last_ledger_sequence <= index || !this.#draw.chance(share)) continue;
      await this.#send(loot);
      if (this.#draw.chance(0.2)) await this.#send(loot);
    }
  }

  /** Makes tickets for these purposes, with the signature of this witness; none where it refuses. */
  async #tickets(index: number, account: string, purposes: readonly Purpose[]): Promise<void> {
    const sequence = (await this.#scene.sequenceOf(account)) + (this.#draw.chance(0.1) ? 1 : 0);
    const before = this.#loot.length;
    await this.ask(index, account, [
      { kind: 'ticket_create', purposes: purposes.map(writePurpose), sequence, ...(await this.#last()) },
    ]);
    for (const loot of this.#loot.slice(before)) await this.#send(loot);
  }

  async #payments(purpose: Purpose): Promise<Candidate[]> {
    const book = await this.#scene.read(this.#accountOf(purpose));
    const tickets = [...book.tickets].flatMap(([ticket, id]) => (id === purposeId(purpose) ? [ticket] : []));
    return Promise.all(
      tickets.map(
        async (ticket): Promise<Candidate> => ({
          kind: 'payment',
          purpose: writePurpose(purpose),
          ticket,
          ...(await this.#last()),
        }),
      ),
    );
  }

  async #target(isHeld = false): Promise<(Due & { arrival: Arrival }) | undefined> {
    const dues = (await this.#scene.dues()).filter(({ arrival }) => !isHeld || arrival.kind === 'held');
    const unpaid = dues.filter(({ isPaid }) => !isPaid);
    return this.#some(unpaid.length > 0 && this.#draw.chance(0.8) ? unpaid : dues);
  }

  /** One obligation under tickets of its own at each honest witness, of which one or both lag. */
  async twoTickets(): Promise<void> {
    const target = await this.#target();
    if (target === undefined) return;
    const account = this.#accountOf(target.purpose);
    const [one, other] = this.#shuffled(HONEST) as [number, number];
    await this.#scene.lag(one, 0);
    await this.#scene.lag(other, this.#draw.pick([1, 2, 3]));
    await this.#tickets(one, account, [target.purpose]);
    await this.#tickets(other, account, [target.purpose]);
    for (let round = 0; round < 3; round++) {
      const payments = await this.#payments(target.purpose);
      if (payments.length > 0) {
        await this.ask(one, account, this.#shuffled(payments));
        await this.ask(other, account, this.#shuffled(payments));
      }
      if (this.#draw.chance(0.7)) await this.spend();
      await this.#lag();
    }
    await this.spend();
  }

  /** What was asked before, as it was or changed in one place, from whomever. */
  async replays(): Promise<void> {
    const { purpose } = (await this.#target()) ?? { purpose: null };
    const last = await this.#last();
    const altered = this.#shuffled(this.#asked)
      .slice(0, 12)
      .map(({ account, candidate }): { account: string; candidate: Candidate } => {
        const fresh = { ...candidate, ...last };
        const other = account === this.#deposit ? this.#distributor : this.#deposit;
        const change = this.#draw.between(0, 7);
        if (change === 0) return { account, candidate };
        if (change === 1) return { account: other, candidate: fresh };
        if (change === 2)
          return { account, candidate: { ...fresh, fee_drops: this.#draw.pick(['1', '250001', '249999']) } };
        if (change === 3)
          return { account, candidate: { ...fresh, last_ledger_sequence: last.last_ledger_sequence + 40 } };
        if (change === 4 && fresh.kind === 'payment' && fresh.purpose.kind !== 'release') {
          return { account, candidate: { ...fresh, purpose: { ...fresh.purpose, part: this.#draw.between(1, 4) } } };
        }
        if (change === 5 && fresh.kind === 'payment' && purpose !== null) {
          return { account: this.#accountOf(purpose), candidate: { ...fresh, purpose: writePurpose(purpose) } };
        }
        if (change === 6 && fresh.kind === 'payment' && fresh.purpose.kind !== 'release') {
          const kind = fresh.purpose.kind === 'refund' ? 'distribution' : 'refund';
          return { account, candidate: { ...fresh, purpose: { ...fresh.purpose, kind } } };
        }
        return { account, candidate: fresh };
      });
    for (const { account, candidate } of altered) await this.ask(this.#draw.pick(HONEST), account, [candidate]);
    await this.spend(0.7);
  }

  /** Transactions that take the accounts over, asked for as candidates and sent with what signatures he can get. */
  async takeover(): Promise<void> {
    const [mine] = this.#scene.investors;
    const thief = mine?.classicAddress ?? '';
    for (const Account of [this.#deposit, this.#distributor]) {
      const limits = {
        Fee: '40',
        Sequence: await this.#scene.sequenceOf(Account),
        LastLedgerSequence: (await this.#scene.index) + 10,
      };
      const wanted = [
        { TransactionType: 'SetRegularKey', RegularKey: thief },
        {
          TransactionType: 'SignerListSet',
          SignerQuorum: 1,
          SignerEntries: [{ SignerEntry: { Account: thief, SignerWeight: 1 } }],
        },
        { TransactionType: 'AccountDelete', Destination: thief },
        { TransactionType: 'OfferCreate', TakerPays: '1', TakerGets: '1000000' },
        { TransactionType: 'CheckCreate', Destination: thief, SendMax: '1000000' },
        { TransactionType: 'AccountSet', ClearFlag: 4 },
        { TransactionType: 'Payment', Destination: thief, Amount: '1000000' },
      ].map((each) => ({ ...each, Account, ...limits }));
      const found = this.#some(this.#loot);
      for (const transaction of wanted) {
        const [answer] = await this.#scene.ask(this.#draw.pick(HONEST), Account, [
          { kind: this.#draw.pick(['payment', 'raw', 'action']), transaction, ...limits },
        ]);
        this.#report.count('answers', reasonOf(answer));
        if (reasonOf(answer) === 'signed') this.#report.violations.push('a witness signed a transaction of no kind');
        const other = found?.signatures.at(-1);
        const signatures = [...this.#scene.byThief(transaction), ...(other === undefined ? [] : [other])];
        const { result } = await this.#submit(
          transaction,
          this.#draw.chance(0.5) ? signatures : signatures.slice(0, 2),
        );
        this.#report.count('submitted', result);
        if (result === 'tesSUCCESS') this.#report.violations.push(`${transaction.TransactionType} passed`);
      }
    }
  }

  /** An honest witness dies and comes back, from the folder it had or from one that is older than its approval. */
  async restart(): Promise<void> {
    const index = this.#draw.pick(HONEST);
    const { folder } = this.#scene.own[index] ?? { folder: '' };
    await this.#lag();
    if (this.#draw.chance(0.5)) {
      await this.#scene.restartWitness(index, `${folder}.older`);
      const target = await this.#target();
      if (target !== undefined)
        await this.ask(index, this.#accountOf(target.purpose), await this.#payable(target.purpose));
    }
    await this.#scene.restartWitness(index, folder);
    const target = await this.#target();
    if (target !== undefined)
      await this.ask(index, this.#accountOf(target.purpose), await this.#payable(target.purpose));
    await this.spend(0.5);
  }

  async #payable(purpose: Purpose): Promise<Candidate[]> {
    const payments = await this.#payments(purpose);
    return payments.length > 0
      ? payments
      : [{ kind: 'payment', purpose: writePurpose(purpose), ticket: 1, ...(await this.#last()) }];
  }

  /** Tickets are made for what is owed, and used up; others' tickets too. */
  async squat(): Promise<void> {
    const dues = (await this.#scene.dues()).filter(({ isPaid }) => !isPaid);
    for (const account of [this.#deposit, this.#distributor]) {
      const purposes = dues.filter(({ owed }) => owed.account === account).map(({ purpose }) => purpose);
      const index = this.#draw.pick(HONEST);
      if (purposes.length > 0) await this.#tickets(index, account, purposes);
      const { open } = await this.#scene.read(account);
      const cancels = await Promise.all(
        this.#shuffled([...open])
          .slice(0, 3)
          .map(async (ticket): Promise<Candidate> => ({ kind: 'ticket_cancel', ticket, ...(await this.#last()) })),
      );
      if (cancels.length > 0) await this.ask(this.#draw.pick(HONEST), account, cancels);
      for (const purpose of purposes.slice(0, 2)) {
        const payments = await this.#payments(purpose);
        if (payments.length > 0) await this.ask(index, account, payments);
      }
    }
    await this.spend();
  }

  /** Releases that are too large, too early, or made twice from what two witnesses see. */
  async releases(): Promise<void> {
    const purpose: Purpose = { kind: 'release', projectId: this.#scene.projectId };
    const [one, other] = this.#shuffled(HONEST) as [number, number];
    await this.#scene.lag(one, 0);
    await this.#scene.lag(other, this.#draw.pick([1, 2, 3]));
    await this.#tickets(one, this.#deposit, [purpose]);
    await this.#tickets(other, this.#deposit, [purpose]);
    const { released, earned } = await this.sums();
    const raised = this.#scene.soldUnits() * UNIT_DROPS;
    const amounts = [earned - released, earned, raised, raised - released, UNIT_DROPS].filter((each) => each > 0n);
    const xrp = (drops: bigint): string => `${drops / 1_000_000n}.${String(drops % 1_000_000n).padStart(6, '0')}`;
    for (let round = 0; round < 2; round++) {
      const candidates = (await this.#payments(purpose)).flatMap((each) =>
        amounts.flatMap((amount) =>
          [0n, released].map(
            (before) => ({ ...each, release: { released_xrp: xrp(before), amount_xrp: xrp(amount) } }) as Candidate,
          ),
        ),
      );
      for (const index of [one, other]) {
        if (candidates.length > 0) await this.ask(index, this.#deposit, this.#shuffled(candidates).slice(0, 60));
      }
      if (this.#draw.chance(0.5)) await this.spend();
      await this.#lag();
    }
    await this.spend();
  }

  /** What was released, and what the ledger shows as earned. */
  async sums(): Promise<{ released: bigint; earned: bigint }> {
    const { deposit, distributor } = await this.#scene.readBoth();
    const id = purposeId({ kind: 'release', projectId: this.#scene.projectId });
    const released = deposit.paymentsFor(id).reduce((sum, { amount }) => sum + BigInt(String(amount)), 0n);
    const earned = this.#scene.arrivals.reduce((sum, arrival) => {
      const isOut = distributor.paymentsFor(purposeId(tokens(arrival))).length > 0;
      return isOut || this.#scene.status === 'completed' ? sum + arrival.units * UNIT_DROPS : sum;
    }, 0n);
    return { released, earned };
  }

  /** A held payment is sent back by one witness's word and credited to the sale by the other's. */
  async heldTwice(): Promise<void> {
    const mine = this.#scene.investors.at(-1);
    if (mine === undefined) return;
    const drops = BigInt(this.#draw.between(100, 900)) * UNIT_DROPS;
    const held = await this.#scene.arrive(mine, drops, REFUND_SOURCE_TAG, 'held');
    const purpose = refund(held);
    const [one, other] = this.#shuffled(HONEST) as [number, number];
    await this.#scene.lag(other, 0);
    await this.#scene.lag(one, 0);
    await this.#tickets(one, this.#deposit, [purpose]);
    await this.#scene.lag(other, this.#draw.pick([1, 2]));
    await this.#tickets(other, this.#deposit, [purpose]);
    for (let round = 0; round < 3; round++) {
      const payments = await this.#payments(purpose);
      const assigns = payments.map(
        (each) =>
          ({
            kind: 'action',
            memo: { v: 1, project: this.#scene.projectId, move: 'assign', payment: held.hash },
            ticket: each.kind === 'payment' ? each.ticket : 0,
            fee_drops: each.fee_drops,
            last_ledger_sequence: each.last_ledger_sequence,
          }) as Candidate,
      );
      if (payments.length > 0) {
        await this.ask(one, this.#deposit, this.#shuffled(payments));
        await this.ask(other, this.#deposit, this.#shuffled(assigns));
        await this.ask(one, this.#deposit, this.#shuffled(assigns));
        await this.ask(other, this.#deposit, this.#shuffled(payments));
      }
      if (this.#draw.chance(0.7)) await this.spend();
      await this.#lag();
    }
    await this.spend();
    // Whatever became of it, its tokens are asked for as well.
    await this.#tickets(other, this.#distributor, [tokens(held)]);
    const out = await this.#payments(tokens(held));
    if (out.length > 0) for (const index of HONEST) await this.ask(index, this.#distributor, out);
    await this.spend();
  }

  async #action(
    move: 'pause' | 'resume' | 'cancel' | 'end' | 'launch' | 'list',
    more: object = {},
  ): Promise<Candidate> {
    const memo = { v: 1, project: this.#scene.projectId, move, ...more };
    return {
      kind: 'action',
      memo,
      sequence: await this.#scene.sequenceOf(this.#deposit),
      ...(await this.#last()),
    } as Candidate;
  }

  /** Launches that nobody has approved, and lists that nobody has. */
  async launches(): Promise<void> {
    const hash = 'a'.repeat(64);
    const foreign = { project: `proj_${'X'.repeat(22)}`, terms_hash: this.#scene.termsHash };
    for (const index of HONEST) {
      const answers = await this.ask(index, this.#deposit, [
        await this.#action('launch', { terms_hash: hash }),
        await this.#action('launch', { terms_hash: this.#scene.termsHash }),
        await this.#action('launch', foreign),
        await this.#action('list', { list_hash: hash }),
      ]);
      const signed = answers.filter((answer) => 'signed' in answer).length;
      if (signed > 0)
        this.#report.violations.push(`a witness signed ${signed} launches or lists that its operator has not approved`);
    }
    // None of it may be what an account's history shows: nothing signed is sent here.
  }

  /** A pause that one of them has not seen, and money that comes meanwhile. */
  async pause(): Promise<void> {
    await this.#lag();
    await this.ask(this.#draw.pick(HONEST), this.#deposit, [await this.#action('pause')]);
    await this.spend(0.8);
    const mine = this.#some(this.#scene.investors);
    if (mine !== undefined)
      await this.#scene.arrive(mine, BigInt(this.#draw.between(50, 300)) * UNIT_DROPS, 77, 'sale');
    const target = await this.#target();
    if (target !== undefined) await this.twoTickets();
    for (const index of HONEST) await this.ask(index, this.#deposit, [await this.#action('resume')]);
    await this.spend();
  }

  /** Tokens signed and kept back, then a cancellation: its refunds are asked for at once and for as long as the tokens can pass. */
  async cancelInFlight(): Promise<void> {
    for (const index of HONEST) await this.#scene.lag(index, 0);
    const mine = this.#some(this.#scene.investors);
    if (mine !== undefined) await this.#scene.arrive(mine, 50n * UNIT_DROPS, 77, 'sale');
    const unpaid = (await this.#scene.dues()).filter(
      ({ isPaid, purpose }) => !isPaid && purpose.kind === 'distribution',
    );
    if (unpaid.length === 0) return;
    const [one, other] = this.#shuffled(HONEST) as [number, number];
    await this.#tickets(
      one,
      this.#distributor,
      unpaid.map(({ purpose }) => purpose),
    );
    const before = this.#loot.length;
    for (const { purpose } of unpaid) {
      const payments = (await this.#payments(purpose)).map((each) => ({ ...each }));
      const last_ledger_sequence = (await this.#scene.index) + 20;
      if (payments.length > 0) {
        await this.ask(
          one,
          this.#distributor,
          payments.map((each) => ({ ...each, last_ledger_sequence })),
        );
      }
    }
    const inFlight = this.#loot.slice(before);
    const cancel = await this.#action(this.#draw.pick(['cancel', 'cancel', 'end']));
    const [answer] = await this.ask(one, this.#deposit, [
      { ...cancel, last_ledger_sequence: (await this.#scene.index) + 20 },
    ]);
    if (reasonOf(answer) !== 'signed') return;
    const loot = this.#loot.at(-1);
    if (loot === undefined || (await this.#send(loot)) !== 'tesSUCCESS') return;
    const back = unpaid.map(({ arrival }) => refund(arrival, 2));
    await this.#scene.lag(other, this.#draw.pick([0, 0, 1, 3]));
    for (let round = 0; round < 3; round++) {
      await this.#tickets(other, this.#deposit, back);
      await this.#tickets(one, this.#deposit, back);
      for (const purpose of back) {
        const payments = await this.#payments(purpose);
        for (const index of HONEST) if (payments.length > 0) await this.ask(index, this.#deposit, payments);
      }
      for (const each of this.#loot.filter(({ account }) => account === this.#deposit).slice(-4))
        await this.#send(each);
      if (round === 1) for (const each of this.#shuffled(inFlight)) await this.#send(each);
      if (round === 1)
        for (const { purpose } of unpaid) {
          const payments = await this.#payments(purpose);
          if (payments.length > 0) await this.ask(other, this.#distributor, payments);
        }
    }
    await this.spend();
  }
}
