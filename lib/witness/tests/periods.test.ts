import type { Purpose } from '@tranche/rules/custody.ts';
import { signersOf } from '@tranche/rules/custody.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../audit.ts';
import { writePurpose } from '../protocol.ts';
import {
  account,
  CUSTODY,
  DEPOSIT,
  DISTRIBUTOR,
  INVESTOR,
  ISSUER,
  Ledger,
  LIVE,
  type Paid,
  PROJECT,
  Reader,
  TAG,
  type Terms,
  TREASURY,
  termsOf,
  XRP,
} from './ledger.ts';

/** Two sales of one account, with a rotation between them: W3's key is replaced by W4's. */

const SECOND = `proj_${'E'.repeat(22)}`;
const witnesses = [...CUSTODY.witnesses.slice(0, 2), { account: account('4'), weight: 1, name: 'W4', operator: 'W4' }];
const ROTATED = { ...CUSTODY, witnesses };

const debt = (kind: 'distribution' | 'refund', { ledgerIndex, transactionIndex }: Paid, part = 1): Purpose => ({
  kind,
  payment: { ledgerIndex, transactionIndex },
  part,
});
const RELEASE: Purpose = { kind: 'release', projectId: PROJECT };

/** A ticket for it and its payment, by a witness that has read everything. */
function pay(ledger: Ledger, sales: readonly Terms[], from: string, purpose: Purpose, released?: string): void {
  const ticket = ledger.ownOf(from).sequence + 1;
  ledger.submit(new Reader(ledger, undefined, sales).tickets(from, [purpose]) as never);
  ledger.close();
  const release = released === undefined ? {} : { release: { released_xrp: '0.000000', amount_xrp: released } };
  const asked = { kind: 'payment', purpose: writePurpose(purpose), ticket, ...release } as const;
  const signed = new Reader(ledger, undefined, sales).sign(from, asked);
  if (signed === null) throw new Error(`Not signed: ${JSON.stringify(purpose)}`);
  ledger.submit(signed);
  ledger.close();
}

const secondSale = (ledger: Ledger, over: object = {}) =>
  termsOf({
    project: SECOND,
    destination_tag: TAG + 1,
    custody: { ...ROTATED, from_ledger: ledger.index - 1, ...over },
  });

let ledger: Ledger;
let first: Terms;
let bought: Paid;
/** A ticket for the second part that was paid with another one. */
let leftOver: number;

const unfinished = (sales: readonly Terms[] = [first]) =>
  new Reader(ledger, undefined, sales).derivation.unfinishedOf(DEPOSIT);

beforeEach(() => {
  first = termsOf();
  ledger = new Ledger([first]);
  ledger.launch(first);
  bought = ledger.pay(3n * XRP, TAG);
  ledger.close();
});

function finish(): void {
  leftOver = ledger.ownOf(DISTRIBUTOR).sequence + 1;
  ledger.submit(new Reader(ledger).tickets(DISTRIBUTOR, [debt('distribution', bought, 2)]) as never);
  ledger.close();
  const asked = { kind: 'payment', purpose: writePurpose(debt('distribution', bought, 2)), ticket: leftOver } as const;
  ledger.submit(new Reader(ledger).sign(DISTRIBUTOR, asked) as never);
  ledger.close();
  pay(ledger, [first], DISTRIBUTOR, debt('distribution', bought));
  ledger.act(DEPOSIT, { v: 1, project: PROJECT, move: 'end' });
  pay(ledger, [first], DEPOSIT, RELEASE, '3.000000');
}

const SignerEntries = [ROTATED.platform, ...ROTATED.witnesses].map(({ account: Account, weight: SignerWeight }) => ({
  SignerEntry: { Account, SignerWeight },
}));
const setList = (from: string) =>
  ledger.force(from, { TransactionType: 'SignerListSet', SignerQuorum: ROTATED.quorum, SignerEntries });

/** People sign it. */
function rotate(): void {
  for (const from of [DEPOSIT, DISTRIBUTOR]) setList(from);
  ledger.close();
  ledger.signers = signersOf(ROTATED);
}

it('what keeps a later custody period from beginning is told until all of it is over, paid and released', () => {
  expect(unfinished()).toEqual([
    `${PROJECT} is active`,
    expect.stringContaining('the distribution, part 1'),
    expect.stringContaining('the distribution, part 2'),
  ]);
  for (const part of [1, 2]) pay(ledger, [first], DISTRIBUTOR, debt('distribution', bought, part));
  const stray = ledger.pay(XRP, 99);
  ledger.close();
  expect(unfinished()).toEqual([`${PROJECT} is active`, expect.stringContaining('the refund, part 1')]);
  pay(ledger, [first], DEPOSIT, debt('refund', stray));
  ledger.act(DEPOSIT, { v: 1, project: PROJECT, move: 'end' });
  expect(unfinished()).toEqual([`${PROJECT} has 3.000000 XRP that were not released`]);
  pay(ledger, [first], DEPOSIT, RELEASE, '3.000000');
  expect(unfinished()).toEqual([]);
});

it('a cancelled sale keeps it from beginning until every investment went back, also before its refunds are final', () => {
  ledger.act(DEPOSIT, { v: 1, project: PROJECT, move: 'cancel' });
  expect(unfinished()).toEqual([expect.stringContaining('the refund, part 2')]);
  ledger.close(LIVE + 1);
  pay(ledger, [first], DEPOSIT, debt('refund', bought, 2));
  expect(unfinished()).toEqual([]);
});

it('a sale whose terms count from a later ledger only is not launched before, so that no payment is left out', () => {
  finish();
  rotate();
  const tooLate = secondSale(ledger, { from_ledger: ledger.index + 3 });
  ledger.sales.push(tooLate);
  const memo = { v: 1, project: SECOND, move: 'launch', terms_hash: tooLate.hash } as const;
  const launch = () =>
    new Reader(ledger, undefined, [tooLate]).refusal(DEPOSIT, {
      kind: 'action',
      memo,
      sequence: ledger.ownOf(DEPOSIT).sequence,
    });
  expect(launch()).toBe('not_possible_now');
  ledger.close(4);
  expect(launch()).toBeNull();
});

it('raised XRP that no terms let go to a treasury keeps no later period from beginning', () => {
  first = termsOf({ treasury: null });
  ledger = new Ledger([first]);
  ledger.launch(first);
  ledger.close();
  bought = ledger.pay(3n * XRP, TAG);
  ledger.close();
  for (const part of [1, 2]) pay(ledger, [first], DISTRIBUTOR, debt('distribution', bought, part));
  ledger.act(DEPOSIT, { v: 1, project: PROJECT, move: 'end' });
  expect(unfinished()).toEqual([]);
});

it('a period that begins before its signers do counts what came and was paid in between, and owes the rest', () => {
  finish();
  const from_ledger = ledger.index - 1;
  // W3, whose key is replaced, signs it too.
  ledger.signers = signersOf(CUSTODY).filter((key) => key !== account('1'));
  const strays = [ledger.pay(XRP, 99), ledger.pay(2n * XRP, TAG)];
  ledger.close();
  const [paid, open] = strays as [Paid, Paid];
  pay(ledger, [first], DEPOSIT, debt('refund', paid));
  const second = secondSale(ledger, { from_ledger });
  const refusals = (asked: Paid) =>
    new Reader(ledger, undefined, [second]).refusal(DEPOSIT, {
      kind: 'ticket_create',
      purposes: [writePurpose(debt('refund', asked))],
      sequence: ledger.ownOf(DEPOSIT).sequence,
    });
  expect(refusals(open), 'before the list').toBe('custody_differs');
  const before = ledger.pay(3n * XRP, TAG);
  setList(DISTRIBUTOR);
  ledger.close();
  expect(refusals(open), 'the other account’s list').toBe('custody_differs');
  setList(DEPOSIT);
  const beside = ledger.pay(4n * XRP, null);
  ledger.close();
  ledger.signers = signersOf(ROTATED);
  expect(refusals(paid)).toBe('paid');
  for (const owed of [open, before, beside]) {
    expect(refusals(owed)).toBeNull();
    pay(ledger, [second], DEPOSIT, debt('refund', owed));
    expect(refusals(owed)).toBe('paid');
  }
  ledger.signers = signersOf(CUSTODY).filter((key) => key !== account('1'));
  ledger.force(DEPOSIT, { TransactionType: 'AccountSet' });
  ledger.close();
  expect(refusals(open), 'what old signers sign later').toBe('custody_differs');
});

it('signers that were replaced again before the period began leave it as one replacement does', () => {
  finish();
  const from_ledger = ledger.index - 1;
  const stray = ledger.pay(XRP, 99);
  ledger.close();
  const between = account('5');
  for (const from of [DEPOSIT, DISTRIBUTOR]) {
    ledger.signers = signersOf(CUSTODY);
    const SignerEntries = [{ SignerEntry: { Account: between, SignerWeight: 1 } }];
    ledger.force(from, { TransactionType: 'SignerListSet', SignerQuorum: 1, SignerEntries });
    ledger.signers = [between];
    ledger.force(from, { TransactionType: 'AccountSet' });
  }
  const later = ledger.pay(2n * XRP, 99);
  ledger.close();
  const second = secondSale(ledger, { from_ledger });
  const refusal = (asked: Paid) =>
    new Reader(ledger, undefined, [second]).refusal(DEPOSIT, {
      kind: 'ticket_create',
      purposes: [writePurpose(debt('refund', asked))],
      sequence: ledger.ownOf(DEPOSIT).sequence,
    });
  expect(refusal(stray), 'the list between').toBe('custody_differs');
  rotate();
  for (const owed of [stray, later]) {
    pay(ledger, [second], DEPOSIT, debt('refund', owed));
    expect(refusal(owed)).toBe('paid');
  }
  ledger.sales.push(second);
  ledger.launch(second);
  ledger.signers = [between];
  ledger.force(DEPOSIT, { TransactionType: 'AccountSet' });
  ledger.close();
  expect(refusal(later), 'what the signers between sign later').toBe('custody_differs');
});

it('what was paid before the new signers and is not owed by what came in the period stops the account', () => {
  finish();
  const from_ledger = ledger.index - 1;
  ledger.signers = signersOf(CUSTODY).filter((key) => key !== account('1'));
  ledger.force(DEPOSIT, { TransactionType: 'Payment', Destination: INVESTOR, Amount: XRP.toString() });
  rotate();
  const second = secondSale(ledger, { from_ledger });
  const launch = { v: 1, project: SECOND, move: 'launch', terms_hash: second.hash } as const;
  const asked = { kind: 'action', memo: launch, sequence: ledger.ownOf(DEPOSIT).sequence } as const;
  expect(new Reader(ledger, undefined, [second]).refusal(DEPOSIT, asked)).toBe('history_unexplained');
});

it('a list that is set back in the middle of a sale excuses nothing that others have signed, however it was read', () => {
  const readOn = new Reader(ledger);
  const entries = signersOf(CUSTODY).map((Account) => ({
    SignerEntry: { Account, SignerWeight: Account === CUSTODY.platform.account ? 2 : 1 },
  }));
  for (const from of [DEPOSIT, DISTRIBUTOR]) {
    ledger.signers = [account('X')];
    ledger.force(from, { TransactionType: 'AccountSet' });
    ledger.force(from, { TransactionType: 'SignerListSet', SignerQuorum: CUSTODY.quorum, SignerEntries: entries });
    ledger.close();
    ledger.signers = signersOf(CUSTODY);
    for (const reader of [readOn.readOn(), new Reader(ledger)]) {
      expect(reader.refusal(from, { kind: 'ticket_cancel', ticket: 1 })).toBe('custody_differs');
    }
  }
});

it('no sale is launched on an account that lacks XRP which it owes: nobody pays for what was burnt before the new signers', () => {
  finish();
  const from_ledger = ledger.index - 1;
  ledger.pay(60n * XRP, 99);
  rotate();
  const second = secondSale(ledger, { from_ledger });
  const launch = { v: 1, project: SECOND, move: 'launch', terms_hash: second.hash } as const;
  const decision = () =>
    new Reader(ledger, undefined, [second]).decide(DEPOSIT, {
      kind: 'action',
      memo: launch,
      sequence: ledger.ownOf(DEPOSIT).sequence,
    });
  expect(decision()).not.toHaveProperty('refused');
  // One key, or signers of before, may spend it all as a fee.
  ledger.ownOf(DEPOSIT).balance -= 60n * XRP;
  ledger.close();
  expect(decision()).toMatchObject({
    refused: { reason: 'not_possible_now', detail: expect.stringContaining('less than it owes') },
  });
});

it('what people send from a distributor before a launch, such as unsold tokens, stops no later sale', () => {
  finish();
  const second = secondSale(ledger, { from_ledger: ledger.index - 1 });
  const Amount = { currency: 'DMO', issuer: ISSUER, value: '5' };
  const sendBack = () => {
    ledger.force(DISTRIBUTOR, { TransactionType: 'Payment', Destination: TREASURY, Amount });
    ledger.close();
  };
  sendBack();
  rotate();
  ledger.sales.push(second);
  ledger.launch(second);
  const paid = ledger.pay(XRP, TAG + 1);
  ledger.close();
  const readOn = new Reader(ledger);
  for (const part of [1, 2]) pay(ledger, [second], DISTRIBUTOR, debt('distribution', paid, part));
  sendBack();
  for (const reader of [readOn.readOn(), new Reader(ledger)]) {
    expect(reader.refusal(DISTRIBUTOR, { kind: 'ticket_cancel', ticket: 1 }), 'after it').toBe('history_unexplained');
  }
});

describe('in a new period', () => {
  let second: Terms;
  let witnessesOf: { stays: Reader; isNew: Reader };
  beforeEach(() => {
    finish();
    rotate();
    second = secondSale(ledger);
    ledger.sales.push(second);
    ledger.launch(second);
    witnessesOf = { stays: new Reader(ledger), isNew: new Reader(ledger, undefined, [second]) };
  });

  /** What either says: they never differ. */
  function both(from: string, asked: Parameters<Reader['refusal']>[1]): string | null {
    const { stays, isNew } = witnessesOf;
    const [one, other] = [stays.readOn(), isNew.readOn()].map((reader) => reader.decide(from, asked));
    expect(one).toEqual(other);
    return one !== undefined && 'refused' in one ? one.refused.reason : null;
  }
  const ticketFor = (from: string, purpose: Purpose) =>
    both(from, { kind: 'ticket_create', purposes: [writePurpose(purpose)], sequence: ledger.ownOf(from).sequence });

  it('a witness that stays signs just what one signs that has only the new terms', () => {
    const paid = ledger.pay(2n * XRP, TAG + 1);
    const stray = ledger.pay(XRP, null);
    ledger.close();
    expect(ticketFor(DISTRIBUTOR, debt('distribution', paid))).toBeNull();
    expect(ticketFor(DEPOSIT, debt('refund', stray))).toBeNull();
    expect(ticketFor(DEPOSIT, { kind: 'release', projectId: SECOND })).toBe('release_too_large');
    for (const part of [1, 2]) pay(ledger, [second], DISTRIBUTOR, debt('distribution', paid, part));
    expect(ticketFor(DISTRIBUTOR, debt('distribution', paid))).toBe('paid');
    expect(ticketFor(DEPOSIT, { kind: 'release', projectId: SECOND })).toBeNull();
    for (const { derivation } of Object.values(witnessesOf)) {
      expect([...derivation.accounts.values()].map(({ fault }) => fault)).toEqual([null, null]);
    }
  });

  it('nothing of the earlier one is paid again: not its payments, not its raised XRP, and not with its tickets', () => {
    expect(ticketFor(DISTRIBUTOR, debt('distribution', bought))).toBe('not_owed');
    for (const part of [1, 2, 3]) expect(ticketFor(DEPOSIT, debt('refund', bought, part))).toBe('not_owed');
    expect(ticketFor(DEPOSIT, RELEASE)).toBe('not_owed');
    const memo = { v: 1, project: PROJECT, move: 'launch', terms_hash: first.hash } as const;
    expect(both(DEPOSIT, { kind: 'action', memo, sequence: ledger.ownOf(DEPOSIT).sequence })).toBe('sale_not_approved');
    expect(both(DISTRIBUTOR, { kind: 'ticket_cancel', ticket: leftOver })).toBe('ticket_unknown');
    const purpose = writePurpose(debt('distribution', bought, 2));
    expect(both(DISTRIBUTOR, { kind: 'payment', purpose, ticket: leftOver })).not.toBeNull();
  });

  it('a payment with the tag of an earlier sale goes back whole, and once', () => {
    const late = ledger.pay(5n * XRP, TAG);
    ledger.close();
    expect(ticketFor(DISTRIBUTOR, debt('distribution', late))).toBe('not_owed');
    expect(ticketFor(DEPOSIT, debt('refund', late))).toBeNull();
    pay(ledger, [second], DEPOSIT, debt('refund', late));
    expect(ledger.payments.at(-1)).toMatchObject({ from: DEPOSIT, delivered: '5000000' });
    expect(ticketFor(DEPOSIT, debt('refund', late))).toBe('paid');
  });

  it('what an old quorum signs stops the account: its keys count no more', () => {
    ledger.signers = signersOf(CUSTODY).filter((key) => key !== account('1'));
    ledger.force(DEPOSIT, { TransactionType: 'Payment', Destination: TREASURY, Amount: XRP.toString() });
    ledger.close();
    expect(ticketFor(DEPOSIT, RELEASE)).toBe('custody_differs');
  });

  it('an audit of the log leaves out what was signed before it', () => {
    const { derivation } = witnessesOf.stays;
    const line = { n: 1, at: '', previous: '', account: DEPOSIT, kind: 'payment', purpose: 'release', ticket: 1 };
    const lines = [FROM_FIRST, ledger.index].map((ledger_index) => ({ ...line, event: 'signed', ledger_index }));
    expect(audit(lines as never, derivation)).toMatchObject({
      earlier: 1,
      faults: [expect.stringContaining('ticket 1')],
    });
  });
});
const FROM_FIRST = CUSTODY.from_ledger + 3;

it('a sale whose distributor has gone over to other signers is signed for no more: what it has paid is not read', () => {
  const elsewhere = termsOf({ project: `proj_${'F'.repeat(22)}`, deposit_address: account('G'), destination_tag: 3 });
  finish();
  ledger.sales.push(elsewhere);
  ledger.own.set(account('G'), { tickets: new Set(), sequence: 100, balance: 50n * XRP });
  rotate();
  ledger.sales.push(secondSale(ledger));
  const witness = new Reader(ledger);
  const cancel = { kind: 'ticket_cancel', ticket: 1 } as const;
  expect(witness.refusal(account('G'), cancel)).toBe('custody_differs');
  expect(witness.refusal(DEPOSIT, cancel)).toBe('ticket_unknown');
  expect(witness.refusal(DISTRIBUTOR, cancel)).toBe('ticket_unknown');
});
