import { formatDrops } from '@tranche/rules/amounts.ts';
import { encodeAssignment, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPurpose, writePurpose } from '../protocol.ts';
import {
  type AskedCandidate,
  account,
  DEPOSIT,
  DISTRIBUTOR,
  INVESTOR,
  Ledger,
  LIVE,
  type Paid,
  PROJECT,
  Reader,
  type Signed,
  TAG,
  type Terms,
  termsOf,
  XRP,
} from './ledger.ts';

/** Sold at 0.10 XRP a token of two decimals. */
const UNIT_DROPS = 1_000n;
const PAID = 3n * XRP;
/** Two sales of one account: their releases take turns. */
const SALES = [
  termsOf(),
  termsOf({ project: `proj_${'C'.repeat(22)}`, destination_tag: TAG + 1, treasury: account('U') }),
] as const;
const LEDGERS = 18;

function drawFrom(seed: number) {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    chance: (share: number): boolean => next() < share,
    below: (most: number): number => Math.floor(next() * most),
    some: <T>(values: readonly T[]): T | undefined => values[Math.floor(next() * values.length)],
    shuffled: <T>(values: readonly T[]): T[] =>
      values
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
}
type Draw = ReturnType<typeof drawFrom>;

/** A payment that arrived, and all that could be asked for it. */
interface Arrival extends Paid {
  manner: 'sale' | 'refused' | 'held';
  /** The sale that it was sent to; a held one may be credited to any. */
  sale: Terms;
}
const debt = (kind: 'distribution' | 'refund', { ledgerIndex, transactionIndex }: Paid, part: number) => ({
  purpose: { kind, payment: { ledgerIndex, transactionIndex }, part } as Purpose,
  from: kind === 'refund' ? DEPOSIT : DISTRIBUTOR,
});
const debtsOf = (arrival: Paid) => [
  ...[1, 2].map((part) => debt('distribution', arrival, part)),
  ...[1, 2, 3].map((part) => debt('refund', arrival, part)),
];
const RELEASES = SALES.map(({ projectId }): Purpose => ({ kind: 'release', projectId }));

/** The thief has the platform's key and one witness's: what one honest witness signs, whatever it has read, can be sent. */
class Play {
  readonly ledger = new Ledger(SALES);
  readonly draw: Draw;
  readonly arrivals: Arrival[] = [];
  readonly honest: Reader[];
  /** Signed and not sent. */
  loot: Signed[] = [];
  /** What each ticket was created for, by account. */
  readonly createdFor = new Map<string, Purpose>();
  asked = 0;
  signed = 0;

  constructor(seed: number) {
    this.draw = drawFrom(seed);
    for (const sale of SALES) this.ledger.launch(sale);
    this.honest = [new Reader(this.ledger), new Reader(this.ledger)];
  }

  arrive(): void {
    const manner = this.draw.some(['sale', 'sale', 'sale', 'refused', 'held'] as const) ?? 'sale';
    const sale = this.draw.some(SALES) ?? SALES[0];
    const tag = manner === 'sale' ? sale.terms.destination_tag : manner === 'held' ? REFUND_SOURCE_TAG : 99;
    this.arrivals.push({ ...this.ledger.pay(PAID, tag), manner, sale });
  }

  ask(reader: Reader, from: string, candidate: AskedCandidate): Signed | null {
    this.asked += 1;
    const signed = reader.sign(from, candidate);
    if (signed === null) return null;
    this.signed += 1;
    this.loot.push(signed);
    return signed;
  }

  send(signed: Signed, fails = false): boolean {
    const { candidate, from } = signed;
    const first = this.ledger.ownOf(from).sequence + 1;
    if (!this.ledger.submit(signed, fails)) return false;
    if (candidate.kind === 'ticket_create') {
      for (const [index, purpose] of this.purposesOf(signed).entries())
        this.createdFor.set(`${from} ${first + index}`, purpose);
    }
    return true;
  }

  purposesOf({ candidate }: Signed): Purpose[] {
    const ids = candidate.kind === 'ticket_create' ? candidate.purposes : [];
    return ids.map(readPurpose);
  }

  openTickets(from: string): { ticket: number; purpose: Purpose }[] {
    return [...this.ledger.ownOf(from).tickets].flatMap((ticket) => {
      const purpose = this.createdFor.get(`${from} ${ticket}`);
      return purpose === undefined ? [] : [{ ticket, purpose }];
    });
  }

  /** Tickets for what may be owed, through a witness that may not have seen those that there are. */
  tickets(reader: Reader): void {
    const recent = this.draw.shuffled(this.arrivals.slice(-6)).slice(0, 3);
    const releases = RELEASES.map((purpose) => ({ purpose, from: DEPOSIT }));
    const wanted = [...recent.flatMap(debtsOf), ...releases];
    for (const from of [DEPOSIT, DISTRIBUTOR]) {
      const own = this.draw.shuffled(wanted.filter((each) => each.from === from));
      const purposes = own
        .filter(({ purpose }) => reader.tickets(from, [purpose]) !== null)
        .map(({ purpose }) => purpose);
      const create = purposes.length === 0 ? null : reader.tickets(from, purposes);
      if (create !== null) this.send(create);
    }
    // People may have signed a second ticket for one purpose: the rule must hold all the same.
    const { purpose, from } = this.draw.some(wanted) as (typeof wanted)[number];
    if (!this.draw.chance(0.2)) return;
    const first = this.ledger.ownOf(from).sequence + 1;
    this.ledger.force(from, {
      TransactionType: 'TicketCreate',
      TicketCount: 2,
      Memos: [encodeAssignment([purposeId(purpose), purposeId(purpose)])],
    });
    for (const ticket of [first, first + 1]) this.createdFor.set(`${from} ${ticket}`, purpose);
  }

  /** Every payment that a ticket may be good for, what it was not created for, and credits in place of refunds. */
  payments(reader: Reader): void {
    for (const from of [DEPOSIT, DISTRIBUTOR]) {
      for (const { ticket, purpose } of this.openTickets(from)) {
        const other = this.draw.some(this.arrivals.flatMap(debtsOf).filter((each) => each.from === from));
        for (const each of [purpose, ...(other === undefined ? [] : [other.purpose])]) {
          if (each.kind === 'release') for (const sale of SALES) this.releases(reader, ticket, sale);
          else this.ask(reader, from, { kind: 'payment', purpose: writePurpose(each), ticket });
        }
        const held = this.draw.some(this.arrivals.filter(({ manner }) => manner === 'held'));
        if (from === DEPOSIT && held !== undefined) {
          const { projectId: project } = held.sale;
          const memo = { v: 1 as const, project, move: 'assign' as const, payment: held.hash };
          this.ask(reader, from, { kind: 'action', memo, ticket });
        }
        if (this.draw.chance(0.05)) this.ask(reader, from, { kind: 'ticket_cancel', ticket });
      }
    }
  }

  releases(reader: Reader, ticket: number, sale: Terms): void {
    const released = this.released(sale);
    const most = this.earned(sale);
    const purpose = { kind: 'release' as const, project: sale.projectId };
    for (const amount of new Set([most - released, most, PAID])) {
      if (amount <= 0n) continue;
      for (const before of new Set([0n, released])) {
        const release = { released_xrp: formatDrops(before), amount_xrp: formatDrops(amount) };
        this.ask(reader, DEPOSIT, { kind: 'payment', purpose, ticket, release });
      }
    }
  }

  end(reader: Reader, move: 'cancel' | 'end'): void {
    const memo = { v: 1 as const, project: PROJECT, move };
    const ends = this.ask(reader, DEPOSIT, { kind: 'action', memo, sequence: this.ledger.ownOf(DEPOSIT).sequence });
    if (ends !== null && this.send(ends) && move === 'end') this.completed = SALES[0];
  }

  completed: Terms | null = null;

  released({ terms }: Terms): bigint {
    return this.ledger.payments
      .filter(({ to }) => to === terms.treasury)
      .reduce((sum, { delivered }) => sum + BigInt(String(delivered)), 0n);
  }

  /** By what the ledger shows alone: all that was sold of a completed sale, else what was paid for with tokens. */
  earned(sale: Terms): bigint {
    const own = this.arrivals.filter((arrival) => arrival.sale === sale);
    if (this.completed !== sale) return own.reduce((sum, arrival) => sum + this.got(arrival, DISTRIBUTOR), 0n);
    const { projects } = (this.honest[0] as Reader).derivation.books.get(DEPOSIT)?.state ?? {};
    return projects?.get(sale.terms.destination_tag)?.raisedDrops ?? 0n;
  }

  /** What an arrival has brought back, in XRP and tokens together. */
  got(arrival: Paid, by?: string): bigint {
    const ids = new Set(debtsOf(arrival).map(({ purpose }) => purposeId(purpose)));
    return this.ledger.payments
      .filter(({ from, to, signed: { transaction } }) => {
        const purpose = this.createdFor.get(`${from} ${transaction.TicketSequence}`);
        return to === INVESTOR && from === (by ?? from) && purpose !== undefined && ids.has(purposeId(purpose));
      })
      .reduce((sum, { delivered }) => sum + worthOf(delivered), 0n);
  }

  check(): void {
    for (const arrival of this.arrivals) {
      const got = this.got(arrival);
      if (got > PAID) throw new Error(`${JSON.stringify(arrival)} paid ${PAID} and brought back ${got}`);
    }
    for (const sale of SALES) {
      const [released, earned] = [this.released(sale), this.earned(sale)];
      if (released > earned) throw new Error(`${released} are released, and ${earned} earned`);
    }
    for (const { derivation } of this.honest) {
      for (const { fault } of derivation.accounts.values()) if (fault !== null) throw new Error(fault.detail);
    }
  }

  run(): void {
    const { draw, ledger } = this;
    // Tokens that are signed and kept back until what they are worth was refunded, or the other way round.
    const keeps = draw.some(['tokens', 'tokens', 'refunds', 'nothing'] as const);
    const endsAt = 3 + draw.below(LEDGERS - 8);
    const endsBy = draw.chance(0.75) ? 'cancel' : 'end';
    for (let round = 0; round < LEDGERS; round++) {
      for (let count = draw.below(3); count > 0; count--) this.arrive();
      for (const reader of draw.shuffled(this.honest)) {
        reader.readOn(ledger.index - 1 - draw.below(3));
        this.tickets(reader);
        this.payments(reader);
      }
      if (round === endsAt) this.end(this.honest[0] as Reader, endsBy);
      const isOver = round > endsAt + 2;
      for (const one of draw.shuffled(this.loot)) {
        if (keeps === 'tokens' && !isOver && one.from === DISTRIBUTOR) continue;
        if (keeps === 'refunds' && !isOver && one.from === DEPOSIT) continue;
        if (draw.chance(0.4)) this.send(one, one.candidate.kind === 'payment' && draw.chance(0.2));
      }
      ledger.close();
      this.loot = this.loot.filter(({ candidate }) => candidate.last_ledger_sequence >= ledger.index);
    }
    for (const one of this.loot) this.send(one);
    ledger.close();
    for (const reader of this.honest) reader.readOn();
    this.check();
  }

  /** All are back: an honest platform pays whatever is owed. */
  settle(): void {
    const { ledger } = this;
    ledger.close(LIVE + 1);
    const [one] = this.honest as [Reader];
    for (const { purpose, from } of this.draw.shuffled(this.arrivals.flatMap(debtsOf))) {
      one.readOn();
      let [open] = this.openTickets(from).filter((each) => purposeId(each.purpose) === purposeId(purpose));
      if (open === undefined) {
        const create = one.tickets(from, [purpose]);
        if (create === null) continue;
        this.send(create);
        ledger.close();
        one.readOn();
        [open] = this.openTickets(from).filter((each) => purposeId(each.purpose) === purposeId(purpose));
      }
      const pays = one.payment(from, purpose, open?.ticket ?? 0);
      if (pays !== null) this.send(pays);
      ledger.close();
    }
    for (const reader of this.honest) reader.readOn();
    this.check();
    for (const arrival of this.arrivals) {
      const got = this.got(arrival);
      if (got < PAID) throw new Error(`${JSON.stringify(arrival)} paid ${PAID} and brought back only ${got}`);
    }
  }
}

const worthOf = (delivered: unknown): bigint =>
  typeof delivered === 'string'
    ? BigInt(delivered)
    : BigInt(Math.round(Number((delivered as { value: string }).value) * 100)) * UNIT_DROPS;

/** It takes half a minute of one processor that other tests want too. */
const TIMEOUT_MS = 90_000;

it(
  'whoever holds the platform’s key and one witness’s, and sends what honest witnesses have signed from whatever they have read when it suits: nobody gets more than they paid, no more is released than earned, and everybody is paid once all are back',
  () => {
    const seen = { asked: 0, signed: 0, paid: 0, released: 0 };
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const play = new Play(seed);
        play.run();
        play.settle();
        seen.asked += play.asked;
        seen.signed += play.signed;
        seen.paid += play.ledger.payments.length;
        seen.released += SALES.some((sale) => play.released(sale) > 0n) ? 1 : 0;
      }),
      { numRuns: 60 },
    );
    expect(seen.paid).toBeGreaterThan(300);
    expect(seen.released).toBeGreaterThan(10);
    expect(seen.signed).toBeGreaterThan(1_000);
    expect(seen.asked).toBeGreaterThan(2 * seen.signed);
  },
  TIMEOUT_MS,
);
