import type { Place, Purpose } from '@tranche/rules/custody.ts';
import { reportText } from '@tranche/verifier/report.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountSetAsfFlags } from 'xrpl';
import { type LedgerDesk, openDesk } from '#tests/integration/xrpl/desk.ts';
import { namesOf } from './altered.ts';
import { platformKey, type WitnessedSale, witnessedSale, witnessKeys } from './witnessed.ts';

let desk: LedgerDesk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.end());

const parts = (payment: Place) => ({
  tokens: { kind: 'distribution', payment, part: 1 } satisfies Purpose,
  change: { kind: 'refund', payment, part: 1 } satisfies Purpose,
});

/** Launched, with one payment of 10.05 XRP for 100 tokens; nothing is paid yet. */
async function sold(shown: { custody_through_ledger?: number } = {}): Promise<{ sale: WitnessedSale; payment: Place }> {
  const sale = await witnessedSale(desk, { shown });
  await sale.act('launch');
  return { sale, payment: await sale.invest('10050000') };
}

async function paidOut(shown?: { custody_through_ledger?: number }): Promise<{ sale: WitnessedSale; payment: Place }> {
  const { sale, payment } = await sold(shown);
  const { tokens, change } = parts(payment);
  await sale.tickets(sale.distributor, [tokens]);
  await sale.tickets(sale.deposit, [change]);
  await sale.pay(tokens);
  await sale.pay(change);
  return { sale, payment };
}

const release = ({ projectId }: WitnessedSale): Purpose => ({ kind: 'release', projectId });

describe('a sale under custody', () => {
  it('agrees from launch to release when a quorum signed everything, and says who can move its money', async () => {
    const { sale } = await paidOut();
    await sale.act('end', [platformKey, witnessKeys[1], witnessKeys[2]]);
    const [first, second, unused] = await sale.tickets(sale.deposit, [release(sale), release(sale), release(sale)]);
    await sale.pay(release(sale), first, 4_000_000n);
    await sale.pay(release(sale), second, 6_000_000n);
    await sale.sign({
      TransactionType: 'AccountSet',
      Account: sale.deposit.address,
      TicketSequence: unused!,
      Sequence: 0,
    });
    const report = await sale.verify();
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'agrees',
      custody: {
        quorum: 4,
        least_witnesses: 2,
        may_be_away: 1,
        faults: [],
        transactions: 9,
        witnesses: [
          { name: 'Witness 1', signatures: 8 },
          { name: 'Witness 2', signatures: 9 },
          { name: 'Witness 3', signatures: 1 },
        ],
      },
    });
    expect(reportText(report)).toContain('the platform (weight 2) with at least 2 of 3 witnesses; 1 may be away');
  });

  it('shows a payment that one key signed, and the keys that made it possible', async () => {
    const { sale } = await paidOut();
    const enabled = await sale.sign({
      TransactionType: 'AccountSet',
      Account: sale.deposit.address,
      ClearFlag: AccountSetAsfFlags.asfDisableMaster,
    });
    const taken = await desk.send(sale.deposit, {
      TransactionType: 'Payment',
      Account: sale.deposit.address,
      Destination: sale.treasury.address,
      Amount: '1000000',
    });
    desk.close();
    expect(namesOf(await sale.verify())).toEqual([
      ['unexplained_payment', taken],
      ['custody_changed', enabled],
      ['custody_not_signed', taken],
      ['custody_state_differs', sale.deposit.address],
    ]);
  });

  it.each<[string, (account: string, other: string) => Parameters<WitnessedSale['sign']>[0], string]>([
    [
      'a regular key',
      (Account, RegularKey) => ({ TransactionType: 'SetRegularKey', Account, RegularKey }),
      'regular_key',
    ],
    [
      'another signer list',
      (Account, other) => ({
        TransactionType: 'SignerListSet',
        Account,
        SignerQuorum: 1,
        SignerEntries: [{ SignerEntry: { Account: other, SignerWeight: 1 } }],
      }),
      'signer_list',
    ],
    [
      'a delegate',
      (Account, Authorize) =>
        ({
          TransactionType: 'DelegateSet',
          Account,
          Authorize,
          Permissions: [{ Permission: { PermissionValue: 'Payment' } }],
        }) as never,
      'entries',
    ],
    [
      'a check',
      (Account, Destination) => ({ TransactionType: 'CheckCreate', Account, Destination, SendMax: '1000000' }),
      'entries',
    ],
  ])('shows %s of either account, though a quorum signed it', async (_, change, field) => {
    const { sale } = await paidOut();
    const accounts = [sale.deposit, sale.distributor];
    const changed: string[] = [];
    for (const { address } of accounts) changed.push(await sale.sign(change(address, sale.treasury.address)));
    const report = await sale.verify();
    expect(namesOf(report)).toEqual([
      ...changed.map((hash) => ['custody_changed', hash]),
      ...accounts.map(({ address }) => ['custody_state_differs', address]),
    ]);
    expect(report.differences.slice(2).map((difference) => difference.field)).toEqual([field, field]);
  });

  it('shows keys that could sign before the launch already', async () => {
    const sale = await witnessedSale(desk);
    await sale.sign({
      TransactionType: 'SetRegularKey',
      Account: sale.distributor.address,
      RegularKey: sale.treasury.address,
    });
    await sale.act('launch');
    expect(namesOf(await sale.verify())).toEqual([['custody_state_differs', sale.distributor.address]]);
  });

  it('is not launched, paused or ended by an action that no quorum signed', async () => {
    const sale = await witnessedSale(desk, { custody: { quorum: 5 } });
    await sale.act('launch');
    expect(namesOf(await sale.verify())).toEqual([['anchor_differs', sale.projectId]]);
  });

  it('shows a payout with the ticket of another, or with none', async () => {
    const { sale, payment } = await sold();
    const again = await sale.invest('5050000');
    const [one, two] = [parts(payment), parts(again)];
    await sale.tickets(sale.distributor, [one.tokens, two.tokens]);
    const [refund] = await sale.tickets(sale.deposit, [one.change]);
    await sale.pay(one.tokens);
    await sale.pay(two.tokens);
    await sale.pay(two.change, refund);
    const report = await sale.verify();
    expect(report.differences).toMatchObject([{ kind: 'ticket_for_other_purpose', field: 'ticket' }]);
    expect(report.differences[0]?.message).toContain('a ticket that was created for 02');
  });

  it('shows a payout whose ticket was created by less than a quorum: such a ticket is for nothing', async () => {
    // The ledger asks for less than the terms say.
    const sale = await witnessedSale(desk, { custody: { quorum: 5 } });
    const all = [platformKey, ...witnessKeys];
    await sale.act('launch', all);
    const { tokens } = parts(await sale.invest('10050000'));
    await sale.tickets(sale.distributor, [tokens]);
    await sale.pay(tokens, undefined, 0n, all);
    const report = await sale.verify();
    expect(namesOf(report).map(([kind]) => kind)).toEqual(
      expect.arrayContaining(['custody_not_signed', 'ticket_for_other_purpose']),
    );
  });

  it('shows who signs as the terms do: another custody on the project’s page, or none, is a difference', async () => {
    const sale = await witnessedSale(desk, { shown: { custody: null } });
    await sale.act('launch');
    expect(namesOf(await sale.verify())).toEqual([['terms_shown_differ', sale.projectId]]);
  });

  it('shows a payout that two tickets were created for and both have paid', async () => {
    const { sale, payment } = await paidOut();
    const { tokens } = parts(payment);
    const honest = await sale.verify();
    expect(namesOf(honest)).toEqual([]);
    const [second] = await sale.tickets(sale.distributor, [tokens]);
    // Of another amount, so that its ticket alone tells.
    const hash = await sale.sign({
      TransactionType: 'Payment',
      Account: sale.distributor.address,
      Destination: sale.investor.address,
      Amount: { currency: 'DMO', issuer: sale.issuer.address, value: '3' },
      Sequence: 0,
      TicketSequence: second!,
    });
    const report = await sale.verify();
    expect(report.differences).toMatchObject([{ kind: 'payout_paid_twice', found: hash }]);
  });

  it('may be rotated once the sale is over and all is paid, and was as the terms say until then', async () => {
    const { sale } = await paidOut();
    await sale.act('end');
    const [ticket] = await sale.tickets(sale.deposit, [release(sale)]);
    await sale.pay(release(sale), ticket, 10_000_000n);
    await sale.sign({
      TransactionType: 'SetRegularKey',
      Account: sale.deposit.address,
      RegularKey: sale.treasury.address,
    });
    expect(namesOf(await sale.verify())).toEqual([]);
  });

  it('is verified up to the end of its custody period: what comes with its tag later is not its', async () => {
    const shown: { custody_through_ledger?: number } = {};
    const { sale } = await paidOut(shown);
    await sale.act('end');
    const through = await desk.client.getLedgerIndex();
    await sale.invest('3000000');
    await sale.sign({
      TransactionType: 'SetRegularKey',
      Account: sale.deposit.address,
      RegularKey: sale.treasury.address,
    });
    expect(namesOf(await sale.verify())).not.toEqual([]);
    shown.custody_through_ledger = through;
    const report = await sale.verify();
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'agrees', as_of_ledger: through, checked: { through_ledger: through } });
  });

  it('is not wholly checked when its custody period is said to be over, and the same signers go on', async () => {
    const shown: { custody_through_ledger?: number } = {};
    const { sale } = await paidOut(shown);
    await sale.act('end');
    shown.custody_through_ledger = await desk.client.getLedgerIndex();
    await sale.invest('3000000');
    expect(await sale.verify()).toMatchObject({
      verdict: 'unchecked',
      differences: [],
      unchecked: [{ account: sale.deposit.address, from_ledger: shown.custody_through_ledger + 1 }],
    });
  });

  it('differs when its custody period is said to have ended before its launch', async () => {
    const shown: { custody_through_ledger?: number } = {};
    const sale = await witnessedSale(desk, { shown });
    desk.close();
    shown.custody_through_ledger = await desk.client.getLedgerIndex();
    await sale.act('launch');
    await sale.invest('10050000');
    expect(namesOf(await sale.verify())).toContainEqual(['custody_ended_early', sale.projectId]);
  });

  it('differs when its custody period ended before it was over and paid', async () => {
    const shown: { custody_through_ledger?: number } = {};
    const { sale, payment } = await sold(shown);
    const early = async () => {
      shown.custody_through_ledger = await desk.client.getLedgerIndex();
      return namesOf(await sale.verify());
    };
    const difference = [['custody_ended_early', sale.projectId]];
    expect(await early()).toEqual(difference);
    await sale.act('end');
    expect(await early()).toEqual(difference);
    const { tokens, change } = parts(payment);
    await sale.tickets(sale.distributor, [tokens]);
    await sale.tickets(sale.deposit, [change]);
    await sale.pay(tokens);
    expect(await early()).toEqual(difference);
    await sale.pay(change);
    expect(await early()).toEqual([]);
  });

  it('may not be rotated while something is owed', async () => {
    const { sale } = await sold();
    await sale.act('end');
    const changed = await sale.sign({
      TransactionType: 'SetRegularKey',
      Account: sale.deposit.address,
      RegularKey: sale.treasury.address,
    });
    expect(namesOf(await sale.verify())).toEqual([
      ['custody_changed', changed],
      ['custody_state_differs', sale.deposit.address],
    ]);
  });

  it('is named as unchecked where a source does not show the keys', async () => {
    const { sale } = await paidOut();
    const report = await sale.verify(({ accountControl: _, ...ledger }) => ledger);
    expect(report.verdict).toBe('unchecked');
    expect(report.unchecked.map(({ account }) => account)).toEqual([sale.deposit.address, sale.distributor.address]);
  });

  it('begins where the terms say: another beginning of the feed is a difference', async () => {
    const sale = await witnessedSale(desk, { custody: { from_ledger: 1 } });
    await sale.act('launch');
    expect((await sale.verify()).differences).toMatchObject([{ kind: 'terms_differ', field: 'custody.from_ledger' }]);
  });
});
