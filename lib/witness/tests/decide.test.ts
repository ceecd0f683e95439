import type { Purpose } from '@tranche/rules/custody.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { describe, expect, it } from 'vitest';
import { writePurpose } from '../protocol.ts';
import {
  account,
  DEPOSIT,
  DISTRIBUTOR,
  FEE,
  FLOAT,
  INVESTOR,
  ISSUER,
  Ledger,
  LIVE,
  msOf,
  type Paid,
  PROJECT,
  Reader,
  TAG,
  type Terms,
  TREASURY,
  termsOf,
  XRP,
} from './ledger.ts';

const DAY_MS = 86_400_000;

function debt(kind: 'distribution' | 'refund', { ledgerIndex, transactionIndex }: Paid, part = 1): Purpose {
  return { kind, payment: { ledgerIndex, transactionIndex }, part };
}
const tokens = (paid: Paid, part = 1) => debt('distribution', paid, part);
const refund = (paid: Paid, part = 1) => debt('refund', paid, part);
const RELEASE: Purpose = { kind: 'release', projectId: PROJECT };

/** A ledger with launched sales, and a witness that has read it. */
function opened(...sales: Terms[]): { ledger: Ledger; witness: Reader } {
  const ledger = new Ledger(sales);
  for (const sale of sales) ledger.launch(sale);
  return { ledger, witness: new Reader(ledger) };
}

/** Why no ticket for it is signed; null when one is. */
const refusalOf = (witness: Reader, from: string, purpose: Purpose): string | null =>
  witness.refusal(from, {
    kind: 'ticket_create',
    purposes: [writePurpose(purpose)],
    sequence: witness.derivation.accounts.get(from)?.onLedger?.sequence ?? 0,
  });

/** A ticket for it, then its payment; gives what was paid. */
function pay(ledger: Ledger, witness: Reader, from: string, purpose: Purpose): Record<string, unknown> {
  const ticket = ledger.ownOf(from).sequence + 1;
  ledger.submit(witness.tickets(from, [purpose]) as never);
  ledger.close();
  const signed = witness.readOn().payment(from, purpose, ticket);
  if (signed === null) throw new Error(`Not signed: ${JSON.stringify(purpose)}`);
  ledger.submit(signed);
  ledger.close();
  witness.readOn();
  return signed.transaction;
}

describe('tokens', () => {
  it('of a sale that delivers after its end are owed from then on, and all that it raised is earned then', () => {
    const { ledger, witness } = opened(termsOf({ distribution: 'at_end' }));
    const bought = ledger.pay(3n * XRP, TAG);
    ledger.close();
    expect(refusalOf(witness.readOn(), DISTRIBUTOR, tokens(bought))).toBe('not_owed');
    expect(refusalOf(witness, DEPOSIT, RELEASE)).toBe('release_too_large');
    ledger.act(DEPOSIT, { v: 1, project: PROJECT, move: 'end' });
    expect(refusalOf(witness.readOn(), DEPOSIT, RELEASE)).toBeNull();
    expect(pay(ledger, witness, DISTRIBUTOR, tokens(bought))).toMatchObject({ Amount: { value: '15' } });
  });

  it('that wait for the end and for a soft cap that was missed are never owed: what was paid goes back', () => {
    const endsAt = msOf(20);
    const terms = termsOf({
      distribution: 'at_end',
      soft_cap_xrp: '100.000000',
      ends_at: new Date(endsAt).toISOString(),
    });
    const { ledger, witness } = opened(terms);
    const bought = ledger.pay(3n * XRP, TAG);
    while (ledger.index < 22) ledger.close();
    expect(refusalOf(witness.readOn(), DEPOSIT, refund(bought, 2))).toBe('not_due');
    ledger.close(LIVE);
    expect(refusalOf(witness.readOn(), DISTRIBUTOR, tokens(bought))).toBe('not_owed');
    expect(pay(ledger, witness, DEPOSIT, refund(bought, 2))).toMatchObject({ Amount: '3000000' });
  });

  it('of a vesting plan are due part by part, by the ledger’s time', () => {
    const vesting = { immediate_bps: 1_000, cliff_days: 1, period_days: 1, periods: 2 };
    const { ledger, witness } = opened(termsOf({ vesting }));
    const bought = ledger.pay(3n * XRP, TAG);
    ledger.close();
    const said = () => [1, 2, 3, 4].map((part) => refusalOf(witness, DISTRIBUTOR, tokens(bought, part)));
    witness.readOn();
    expect(said()).toEqual([null, 'not_due', 'not_due', 'not_owed']);
    // Two days and three, from the payment's own ledger on.
    const ledgersOf = (days: number) => (days * DAY_MS) / 10_000;
    ledger.close(ledgersOf(2) - 1);
    witness.readOn();
    expect(said()).toEqual([null, 'not_due', 'not_due', 'not_owed']);
    ledger.close();
    witness.readOn();
    expect(said()).toEqual([null, null, 'not_due', 'not_owed']);
    ledger.close(ledgersOf(1));
    witness.readOn();
    expect(said()).toEqual([null, null, null, 'not_owed']);
  });

  it('may be an MPT: whole units of its issuance, and a payment of any other is none', () => {
    const issuance = '0'.repeat(47).concat('7');
    const { ledger, witness } = opened(termsOf({ token: { kind: 'mpt', issuance_id: issuance, decimals: 2 } }));
    const bought = ledger.pay(3n * XRP, TAG);
    ledger.close();
    expect(pay(ledger, witness.readOn(), DISTRIBUTOR, tokens(bought))).toMatchObject({
      Amount: { mpt_issuance_id: issuance, value: '1500' },
      Destination: INVESTOR,
    });
    expect(refusalOf(witness, DISTRIBUTOR, tokens(bought))).toBe('paid');
    const ticket = ledger.ownOf(DISTRIBUTOR).sequence + 1;
    ledger.submit(witness.tickets(DISTRIBUTOR, [tokens(bought, 2)]) as never);
    ledger.force(DISTRIBUTOR, {
      TransactionType: 'Payment',
      Destination: INVESTOR,
      Amount: { mpt_issuance_id: issuance.replace('7', '8'), value: '1500' },
      Sequence: 0,
      TicketSequence: ticket,
    });
    ledger.close();
    expect(refusalOf(witness.readOn(), DISTRIBUTOR, tokens(bought, 2))).toBe('history_unexplained');
  });
});

describe('what is no investment', () => {
  it('goes back once: whole when held or refused, and when somebody else let an escrow or a channel go to the account', () => {
    const { ledger, witness } = opened(termsOf());
    const modified = (was: bigint, is: bigint) => ({
      ModifiedNode: {
        LedgerEntryType: 'AccountRoot',
        FinalFields: { Account: DEPOSIT, Balance: is.toString() },
        PreviousFields: { Balance: was.toString() },
      },
    });
    const deleted = (type: string) => ({
      DeletedNode: { LedgerEntryType: type, FinalFields: { Account: INVESTOR, Destination: DEPOSIT } },
    });
    const brought = ([type, entry]: [string, string]) =>
      ledger.write(
        DEPOSIT,
        { TransactionType: type, Account: account('X'), Destination: DEPOSIT },
        { nodes: [modified(10n * XRP, 12n * XRP), deleted(entry)] },
      );
    const others = (
      [
        ['EscrowFinish', 'Escrow'],
        ['PaymentChannelClaim', 'PayChannel'],
      ] as [string, string][]
    ).map(brought);
    const refused = ledger.pay(3n * XRP, 99);
    const bounced = ledger.pay(3n * XRP, REFUND_SOURCE_TAG);
    const small = ledger.pay(500n, TAG);
    ledger.close();
    witness.readOn();
    for (const [paid, amount] of [
      ...others.map((each) => [each, 2n * XRP]),
      [refused, 3n * XRP],
      [bounced, 3n * XRP],
      [small, 500n],
    ] as [Paid, bigint][]) {
      expect([2, 3].map((part) => refusalOf(witness, DEPOSIT, refund(paid, part)))).toEqual(['not_owed', 'not_owed']);
      expect(refusalOf(witness, DISTRIBUTOR, tokens(paid))).toBe('not_owed');
      expect(pay(ledger, witness, DEPOSIT, refund(paid))).toMatchObject({ Destination: INVESTOR, Amount: `${amount}` });
      expect(refusalOf(witness, DEPOSIT, refund(paid))).toBe('paid');
    }
  });

  it('goes back with the source tag of who sent it, as destination tag', () => {
    const { ledger, witness } = opened(termsOf());
    ledger.ownOf(DEPOSIT).balance += XRP;
    const tx = {
      TransactionType: 'Payment',
      Account: INVESTOR,
      Destination: DEPOSIT,
      DestinationTag: 99,
      SourceTag: 5,
    };
    const paid = ledger.write(DEPOSIT, tx, { delivered: XRP.toString() });
    ledger.close();
    expect(pay(ledger, witness.readOn(), DEPOSIT, refund(paid))).toMatchObject({ DestinationTag: 5 });
  });

  it('is the platform’s own money when an operating account sends it: it goes back as far as the account can spare it', () => {
    const { ledger, witness } = opened(termsOf());
    const own = ledger.pay(30n * XRP, null, { sender: ISSUER });
    ledger.close();
    expect(refusalOf(witness.readOn(), DEPOSIT, refund(own))).toBeNull();
    // What people have taken out of the account beside it is missing.
    ledger.ownOf(DEPOSIT).balance -= FLOAT + 10n * XRP;
    ledger.close();
    expect(refusalOf(witness.readOn(), DEPOSIT, refund(own))).toBe('release_too_large');
  });
});

describe('several sales of one account', () => {
  const other = termsOf({ project: `proj_${'C'.repeat(22)}`, destination_tag: TAG + 1, treasury: account('U') });

  it('are paid for each by its own terms, and their releases take turns', () => {
    const { ledger, witness } = opened(termsOf(), other);
    const one = ledger.pay(3n * XRP, TAG);
    const two = ledger.pay(5n * XRP, TAG + 1);
    ledger.close();
    witness.readOn();
    for (const paid of [one, two]) for (const part of [1, 2]) pay(ledger, witness, DISTRIBUTOR, tokens(paid, part));
    const releases: Purpose[] = [RELEASE, { kind: 'release', projectId: other.projectId }];
    const first = ledger.ownOf(DEPOSIT).sequence + 1;
    ledger.submit(witness.tickets(DEPOSIT, releases) as never);
    ledger.close();
    witness.readOn();
    const release = (ticket: number, project: string, amount: string) =>
      ({
        kind: 'payment',
        purpose: { kind: 'release', project },
        ticket,
        release: { released_xrp: '0.000000', amount_xrp: amount },
      }) as const;
    expect(witness.refusal(DEPOSIT, release(first + 1, other.projectId, '5.000000'))).toBe('earlier_ticket_open');
    expect(witness.refusal(DEPOSIT, release(first, other.projectId, '5.000000'))).toBe('ticket_for_other_purpose');
    expect(witness.refusal(DEPOSIT, release(first, PROJECT, '5.000000'))).toBe('release_too_large');
    const signed = witness.sign(DEPOSIT, release(first, PROJECT, '3.000000'));
    expect(signed?.transaction).toMatchObject({ Destination: TREASURY, Amount: '3000000' });
    ledger.submit(signed as never);
    ledger.close();
    expect(witness.readOn().sign(DEPOSIT, release(first + 1, other.projectId, '5.000000'))?.transaction).toMatchObject({
      Destination: account('U'),
      Amount: '5000000',
    });
  });

  it('are launched only with the terms that are approved; before that, their tags are unknown, whatever their own smallest refund', () => {
    const ledger = new Ledger([
      termsOf(),
      termsOf({ project: other.projectId, destination_tag: TAG + 1, refund_min_xrp: '4.000000' }),
    ]);
    ledger.launch();
    const witness = new Reader(ledger);
    const early = ledger.pay(3n * XRP, TAG + 1);
    ledger.close();
    expect(refusalOf(witness.readOn(), DEPOSIT, refund(early))).toBeNull();
    const launch = (terms_hash: string) =>
      witness.refusal(DEPOSIT, {
        kind: 'action',
        memo: { v: 1, project: other.projectId, move: 'launch', terms_hash },
        sequence: ledger.ownOf(DEPOSIT).sequence,
      });
    expect([launch('a'.repeat(64)), launch(ledger.sales[1]?.hash ?? '')]).toEqual(['sale_not_approved', null]);
    ledger.launch(ledger.sales[1]);
    // The launch changes nothing of what was decided before it.
    expect(refusalOf(witness.readOn(), DEPOSIT, refund(early))).toBeNull();
    expect(refusalOf(witness, DISTRIBUTOR, tokens(early))).toBe('not_owed');
  });
});

describe('a limit', () => {
  it('of tickets counts those that are open and not about to be used, and those that are asked for: 250', () => {
    const { ledger, witness } = opened(termsOf());
    const paid = Array.from({ length: 253 }, () => ledger.pay(3n * XRP, 99));
    ledger.close();
    witness.readOn();
    for (const through of [100, 200]) {
      ledger.submit(
        witness.tickets(
          DEPOSIT,
          paid.slice(through - 100, through).map((each) => refund(each)),
        ) as never,
      );
      ledger.close();
      witness.readOn();
    }
    const asked = (count: number, usedUp: readonly number[] = []) => {
      const tickets = {
        kind: 'ticket_create' as const,
        purposes: paid.slice(200, 200 + count).map((each) => writePurpose(refund(each))),
        sequence: ledger.ownOf(DEPOSIT).sequence,
      };
      const onTheirWay = usedUp.map((ticket) => ({ feeDrops: 1n, pot: 'debts' as const, releasedDrops: 0n, ticket }));
      return witness.refusal(DEPOSIT, tickets, {}, onTheirWay);
    };
    expect([asked(50), asked(51)]).toEqual([null, 'too_many_tickets']);
    // A payment that is signed gives its ticket's room to a new one, once; what is no open ticket gives none.
    const [first = 0, second = 0] = [...witness.derivation.accounts.get(DEPOSIT)!.open];
    expect(asked(51, [first])).toBeNull();
    expect([asked(52, [first, first]), asked(52, [first, first + 1_000])]).toEqual(Array(2).fill('too_many_tickets'));
    expect([asked(52, [first, second]), asked(53, [first, second])]).toEqual([null, 'too_many_tickets']);
  });

  it('of releases counts an hour by the ledger’s time, and what is signed and on its way', () => {
    const { ledger, witness } = opened(termsOf());
    for (let count = 0; count < 2; count++) {
      const bought = ledger.pay(3n * XRP, TAG);
      ledger.close();
      witness.readOn();
      for (const part of [1, 2]) pay(ledger, witness, DISTRIBUTOR, tokens(bought, part));
    }
    const ticket = ledger.ownOf(DEPOSIT).sequence + 1;
    ledger.submit(witness.tickets(DEPOSIT, [RELEASE]) as never);
    ledger.close();
    witness.readOn();
    const over = { releasesOfHourDrops: new Map([[DEPOSIT, 3n * XRP]]) };
    const release = (before: string, amount: string, at = ticket) =>
      ({
        kind: 'payment',
        purpose: { kind: 'release', project: PROJECT },
        ticket: at,
        release: { released_xrp: before, amount_xrp: amount },
      }) as const;
    const onItsWay = [{ feeDrops: 40n, pot: 'other' as const, releasedDrops: XRP, ticket: null }];
    expect(witness.refusal(DEPOSIT, release('0.000000', '3.000001'), over)).toBe('amount_limit_reached');
    expect(witness.refusal(DEPOSIT, release('0.000000', '3.000000'), over, onItsWay)).toBe('amount_limit_reached');
    expect(witness.refusal(DEPOSIT, release('0.000000', '3.000000'), over)).toBeNull();
    ledger.submit(witness.sign(DEPOSIT, release('0.000000', '3.000000')) as never);
    ledger.close();
    const next = ledger.ownOf(DEPOSIT).sequence + 1;
    ledger.submit(witness.readOn().tickets(DEPOSIT, [RELEASE]) as never);
    ledger.close();
    witness.readOn();
    expect(witness.refusal(DEPOSIT, release('3.000000', '1.000000', next), over)).toBe('amount_limit_reached');
    ledger.close(360);
    expect(witness.readOn().refusal(DEPOSIT, release('3.000000', '3.000000', next), over)).toBeNull();
  });

  it('of fees has two pots: whatever else an account does, its debts can be paid', () => {
    const { ledger, witness } = opened(termsOf());
    const [one, two] = [ledger.pay(3n * XRP, 99), ledger.pay(3n * XRP, 99)];
    ledger.close();
    witness.readOn();
    const first = ledger.ownOf(DEPOSIT).sequence + 1;
    ledger.submit(witness.tickets(DEPOSIT, [refund(one), refund(two)]) as never);
    ledger.close();
    witness.readOn();
    // The launch and the tickets have spent the other pot.
    const over = { feesOfDayDrops: { debts: 2n * BigInt(FEE), other: 2n * BigInt(FEE) } };
    const payment = (paid: Paid, ticket: number, fee: string) =>
      ({ kind: 'payment', purpose: writePurpose(refund(paid)), ticket, fee_drops: fee }) as const;
    expect(witness.refusal(DEPOSIT, { kind: 'ticket_cancel', ticket: first }, over)).toBe('fee_limit_reached');
    expect(witness.refusal(DEPOSIT, payment(one, first, '81'), over)).toBe('fee_limit_reached');
    expect(witness.refusal(DEPOSIT, payment(one, first, '80'), over)).toBeNull();
    const onItsWay = (pot: 'debts' | 'other') => [{ feeDrops: 1n, pot, releasedDrops: 0n, ticket: null }];
    expect(witness.refusal(DEPOSIT, payment(one, first, '80'), over, onItsWay('debts'))).toBe('fee_limit_reached');
    expect(witness.refusal(DEPOSIT, payment(one, first, '80'), over, onItsWay('other'))).toBeNull();
    expect(witness.refusal(DEPOSIT, payment(one, first, '1001'))).toBe('fee_too_high');
    ledger.submit(witness.payment(DEPOSIT, refund(one), first) as never);
    ledger.close();
    witness.readOn();
    expect(witness.refusal(DEPOSIT, payment(two, first + 1, '41'), over)).toBe('fee_limit_reached');
    expect(witness.refusal(DEPOSIT, payment(two, first + 1, '40'), over)).toBeNull();
    ledger.close(DAY_MS / 10_000);
    expect(witness.readOn().refusal(DEPOSIT, { kind: 'ticket_cancel', ticket: first + 1 }, over)).toBeNull();
  });
});
