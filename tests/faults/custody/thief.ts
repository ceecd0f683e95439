import type { Purpose } from '@tranche/rules/custody.ts';
import { forNetwork, type OwedPayment } from '@tranche/rules/transactions.ts';
import { type Candidate, MAX_CANDIDATES, type WitnessSignature, writePurpose } from '@tranche/witness/protocol.ts';
import { encodeForMultisigning } from 'ripple-binary-codec';
import type { Draw } from '#tests/faults/draw.ts';
import type { Report } from '#tests/faults/report.ts';
import { type Answer, NETWORK_ID, reasonOf, refund } from '#tests/integration/witness/world.ts';
import { verifyEd25519 } from './ed25519.ts';
import { type Arrival, type Due, type Scene, UNIT_DROPS } from './scene.ts';
import { HONEST, LIMITS } from './stage.ts';

export interface Loot {
  account: string;
  candidate: Candidate;
  transaction: object;
  /** The honest witness's. */
  signed: WitnessSignature;
}
type Payment = Candidate & { kind: 'payment' };

/** Tables of a report, by attack. */
export const TRIED = 'tried';
export const MOVED = 'moved';
export const answersTo = (attack: string): string => `answers to ${attack}`;

const LONGEST = 20;

/** Holds the platform's key and one witness's: one more signature makes a quorum. */
export class Thief {
  readonly scene: Scene;
  readonly draw: Draw;
  readonly report: Report;
  /** What he is at. */
  attack = '';
  /** Everything that an honest witness has signed for him and that may pass yet. */
  loot: Loot[] = [];
  readonly asked: { account: string; candidate: Candidate }[] = [];

  constructor(scene: Scene, draw: Draw, report: Report) {
    this.scene = scene;
    this.draw = draw;
    this.report = report;
  }

  get deposit(): string {
    return this.scene.deposit.classicAddress;
  }

  get distributor(): string {
    return this.scene.distributor.classicAddress;
  }

  get release(): Purpose {
    return { kind: 'release', projectId: this.scene.projectId };
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((each) => [this.draw.fraction(), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each);
  }

  some<T>(all: readonly T[]): T | undefined {
    return all[this.draw.between(0, Math.max(0, all.length - 1))];
  }

  /** The two honest witnesses in any order. */
  two(): [number, number] {
    return this.draw.chance(0.5) ? [1, 2] : [2, 1];
  }

  violation(text: string): void {
    this.report.violations.push(`${this.attack}: ${text}`);
  }

  accountOf({ kind }: Purpose): string {
    return kind === 'distribution' ? this.distributor : this.deposit;
  }

  async last(ahead = this.draw.between(8, LONGEST)): Promise<{ fee_drops: string; last_ledger_sequence: number }> {
    return { fee_drops: '40', last_ledger_sequence: (await this.scene.index) + ahead };
  }

  /** Somebody, sometimes with a source tag, pays the sale. */
  invest(drops = BigInt(this.draw.between(50, 400)) * UNIT_DROPS, from = this.scene.investors[0]): Promise<Arrival> {
    if (from === undefined) throw new Error('There are no investors');
    return this.scene.arrive(from, drops, this.draw.chance(0.3) ? { sourceTag: this.draw.between(1, 999) } : {});
  }

  /** A payment of his own that is to go back, whatever the sale is at. */
  stray(): Promise<Arrival> {
    const from = this.some(this.scene.investors);
    if (from === undefined) throw new Error('There are no investors');
    const sourceTag = this.draw.chance(0.5) ? this.draw.between(1, 999) : null;
    return this.scene.arrive(from, BigInt(this.draw.between(50, 900)) * UNIT_DROPS, {
      tag: this.draw.between(100, 999),
      sourceTag,
    });
  }

  /** Every payment that a candidate could be meant as: a witness builds the bytes, and shows only its signature. */
  #meanings(account: string, { purpose, release }: Payment): OwedPayment[] {
    const { scene } = this;
    if (purpose.kind === 'release') {
      return [scene.refundOf(scene.treasury, BigInt((release?.amount_xrp ?? '0').replace('.', '')))];
    }
    const arrival = scene.arrivals.find(
      (each) => each.ledgerIndex === purpose.ledger_index && each.transactionIndex === purpose.transaction_index,
    );
    if (arrival === undefined) return [];
    const { drops, units, backDrops } = arrival;
    const parts = scene.partsOf(arrival).map(({ owed }) => owed);
    const back = new Set([drops, backDrops]);
    let left = units;
    for (const amount of [0n, ...parts.map((each) => each.amount)]) {
      left -= amount;
      back.add(left * UNIT_DROPS);
    }
    const owed =
      purpose.kind === 'refund'
        ? [...back].map((amount) => scene.backTo(arrival, amount))
        : [...parts, { ...scene.tokensFor(arrival.from, drops / UNIT_DROPS), destinationTag: arrival.sourceTag }];
    return owed.map((each) => ({ ...each, account }));
  }

  /** Asks one of the honest, and keeps what it signs. */
  async ask(index: number, account: string, candidates: readonly Candidate[]): Promise<Answer[]> {
    if (candidates.length === 0) return [];
    if (candidates.length > MAX_CANDIDATES) {
      const first = await this.ask(index, account, candidates.slice(0, MAX_CANDIDATES));
      return [...first, ...(await this.ask(index, account, candidates.slice(MAX_CANDIDATES)))];
    }
    this.asked.push(...candidates.map((candidate) => ({ account, candidate })));
    const answers = await this.scene.ask(index, account, candidates);
    const now = await this.scene.index;
    for (const [place, answer] of answers.entries()) {
      this.count(reasonOf(answer));
      const candidate = candidates[place];
      if (candidate === undefined || !('signed' in answer)) continue;
      if (candidate.last_ledger_sequence > now + LONGEST) {
        this.violation(`signed up to ledger ${candidate.last_ledger_sequence}, at ledger ${now}`);
      }
      if (BigInt(candidate.fee_drops) > LIMITS.feeDrops) this.violation(`signed a fee of ${candidate.fee_drops}`);
      this.#keep(account, candidate, answer.signed);
    }
    return answers;
  }

  count(reason: string): void {
    this.report.count('answers', reason);
    this.report.count(answersTo(this.attack), reason);
  }

  #keep(account: string, candidate: Candidate, signed: WitnessSignature): void {
    const meanings = candidate.kind === 'payment' ? this.#meanings(account, candidate) : [undefined];
    const transaction = meanings
      .map((owed) => this.scene.build(account, candidate, owed))
      .find((built) => {
        const bytes = encodeForMultisigning({ ...forNetwork(built, NETWORK_ID), SigningPubKey: '' }, signed.account);
        return verifyEd25519(bytes, signed.signature, signed.public_key);
      });
    if (transaction === undefined) this.violation(`signed other bytes than what is owed: ${JSON.stringify(candidate)}`);
    else this.loot.push({ account, candidate, transaction, signed });
  }

  async send({ candidate, transaction, signed }: Loot): Promise<string> {
    const { hash, result } = await this.scene.trySubmit(transaction, [...this.scene.byThief(transaction), signed]);
    this.report.count('submitted', result);
    if (result !== 'tesSUCCESS') return result;
    this.report.count(MOVED, this.attack);
    if (candidate.kind === 'action') await this.scene.act(candidate, (await this.scene.validated(hash)).closedAtMs);
    return result;
  }

  /** Sends what he has, in any order; some of it twice. What is over is dropped. */
  async spend(share = 1): Promise<void> {
    const kept: Loot[] = [];
    const index = await this.scene.index;
    for (const loot of this.shuffled(this.loot)) {
      if (loot.candidate.last_ledger_sequence <= index) continue;
      if (!this.draw.chance(share)) {
        kept.push(loot);
        continue;
      }
      const result = await this.send(loot);
      if (result === 'terPRE_SEQ') kept.push(loot);
      if (this.draw.chance(0.1)) await this.send(loot);
    }
    this.loot = kept;
  }

  /** Makes a ticket for each of these purposes, signed by this witness; false where it refuses. */
  async tickets(index: number, purposes: readonly Purpose[], changes: object = {}): Promise<boolean> {
    const [first] = purposes;
    if (first === undefined) return false;
    const account = this.accountOf(first);
    const sequence = await this.scene.sequenceOf(account);
    const candidate = { kind: 'ticket_create' as const, purposes: purposes.map(writePurpose), sequence };
    const [answer] = await this.ask(index, account, [{ ...candidate, ...(await this.last()), ...changes }]);
    const loot = this.loot.at(-1);
    if (reasonOf(answer) !== 'signed' || loot === undefined) return false;
    this.loot.pop();
    return (await this.send(loot)) === 'tesSUCCESS';
  }

  /** A payment of this purpose with each ticket that was ever created for it, or with these. */
  async payments(purpose: Purpose, tickets?: readonly number[], ahead?: number): Promise<Payment[]> {
    const book = await this.scene.read(this.accountOf(purpose));
    const last = await this.last(ahead);
    return (tickets ?? book.ticketsOf(purpose)).map((ticket) => ({
      kind: 'payment',
      purpose: writePurpose(purpose),
      ticket,
      ...last,
    }));
  }

  /** Asks whoever of these for the payments of a purpose, with all of its tickets. */
  async askFor(purpose: Purpose, by: readonly number[] = HONEST): Promise<void> {
    const payments = this.shuffled(await this.payments(purpose));
    for (const index of by) await this.ask(index, this.accountOf(purpose), payments);
  }

  /** Goes through with it: a ticket from whoever gives one, and the payment. */
  async takeAll(purpose: Purpose, by: readonly number[] = HONEST): Promise<void> {
    for (const index of by) if (await this.tickets(index, [purpose])) break;
    await this.askFor(purpose, by);
  }

  async unpaid(): Promise<(Due & { arrival: Arrival })[]> {
    const nowMs = await this.scene.nowMs();
    return (await this.scene.dues()).filter(({ isPaid, dueAtMs }) => !isPaid && dueAtMs <= nowMs);
  }

  async paid(): Promise<(Due & { arrival: Arrival })[]> {
    return (await this.scene.dues()).filter(({ isPaid }) => isPaid);
  }

  /** Pays what is owed, as the platform would: some attacks begin with what is paid. */
  async payOne(due: Due): Promise<void> {
    await this.scene.payAll(due.owed.account, [due]);
  }

  /** A refund that was owed and is paid. */
  async paidStray(): Promise<Arrival> {
    const arrival = await this.stray();
    await this.payOne({
      purpose: refund(arrival),
      owed: this.scene.backTo(arrival, arrival.drops),
      dueAtMs: arrival.closedAtMs,
    });
    return arrival;
  }

  async action(
    move: 'pause' | 'resume' | 'cancel' | 'end' | 'launch' | 'list' | 'assign',
    more: object = {},
  ): Promise<Candidate & { kind: 'action' }> {
    const sequence = await this.scene.sequenceOf(this.deposit);
    const memo = { v: 1 as const, project: this.scene.projectId, move, ...more };
    return { kind: 'action', memo, sequence, ...(await this.last()) };
  }

  /** Has one witness sign an action and sends it; false where it refuses. */
  async act(index: number, move: Parameters<Thief['action']>[0], more: object = {}): Promise<boolean> {
    const [answer] = await this.ask(index, this.deposit, [await this.action(move, more)]);
    const loot = this.loot.at(-1);
    if (reasonOf(answer) !== 'signed' || loot === undefined) return false;
    this.loot.pop();
    return (await this.send(loot)) === 'tesSUCCESS';
  }

  /** Nothing may be signed by them any more, whatever it is. */
  async expectNothingFrom(witnesses: readonly number[], why: string): Promise<void> {
    const { scene } = this;
    const stray = await this.stray();
    const book = await scene.read(this.deposit);
    const [open] = book.open;
    const last = await this.last();
    const sequence = await scene.sequenceOf(this.deposit);
    const candidates: Candidate[] = [
      { kind: 'ticket_create', purposes: [writePurpose(refund(stray))], sequence, ...last },
      { kind: 'ticket_cancel', ticket: open ?? 1, ...last },
      await this.action('pause'),
      await this.action('resume'),
      ...(await this.payments(refund(stray), [open ?? 1])),
    ];
    for (const index of witnesses) {
      const answers = await this.ask(index, this.deposit, candidates);
      const signed = answers.filter((answer) => 'signed' in answer).length;
      if (signed > 0) this.violation(`signed ${signed} transactions although ${why}`);
    }
    await this.spend();
  }
}
