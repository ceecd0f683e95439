import { ledgerUnavailable } from '@tranche/verifier/errors.ts';
import { reportText } from '@tranche/verifier/report.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EscrowCreate, Wallet } from 'xrpl';
import { endEscrow } from '#tests/integration/sales/escrows.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import {
  tokenAmount,
  UNSOLD_UNTIL,
  UNSOLD_UNTIL_SECONDS,
  unsoldParties,
} from '#tests/integration/sales/unsold-sale.ts';
import { namesOf, quiet, verifyAltered } from './altered.ts';
import { dropPaidOnce, named, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';
import {
  cancelSale,
  endedSale,
  endSale,
  putInEscrow,
  removeLock,
  sellingSale,
  unsoldHolder,
  verified,
  writeLock,
} from './unsold.ts';

const DAY_SECONDS = 86_400;

let stage: Stage;
let served: Served;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

describe('unsold tokens that are locked', () => {
  it('are told before the end as what will be locked', async () => {
    const sale = await sellingSale(stage);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'agrees', unsold: { until: UNSOLD_UNTIL, amount: null, locked: null } });
    expect(reportText(report)).toContain(`what stays unsold is locked until ${UNSOLD_UNTIL}`);
  });

  it('are found on the public ledger by the escrow that the published lock names', async () => {
    const sale = await endedSale(stage);
    const paid = await putInEscrow(stage, sale);
    await writeLock(stage, sale, { paid });
    await stage.settle(sale.deposit);
    const found = await verify(stage, served, sale);
    expect(named(found)).toEqual([]);
    expect(found.code).toBe(0);
    expect(found.report.unsold).toEqual({
      receiver: sale.distributor.address,
      until: UNSOLD_UNTIL,
      amount: '5500.000000',
      transaction_hash: paid.hash,
      locked: '5500.000000',
      in_escrow: '5500.000000',
    });
    expect(found.report.checked).toMatchObject({ payouts: 2, payouts_validated: 2 });
    expect(reportText(found.report)).toContain(
      `lock         Unsold tokens: 5500.000000 of 5500.000000 tokens for ${sale.distributor.address} until ${UNSOLD_UNTIL}, all still in escrow`,
    );
  });

  it('are owed and no difference while their escrow is still to come', async () => {
    const sale = await endedSale(stage);
    await writeLock(stage, sale);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({
      checked: { payouts_owed: 1 },
      unsold: { amount: '5500.000000', locked: '0.000000' },
    });
  });

  it('are not checked by a server that does not show the transaction', async () => {
    const sale = await endedSale(stage);
    await writeLock(stage, sale, { paid: await putInEscrow(stage, sale) });
    const createdEscrow = async () => {
      throw ledgerUnavailable('the ledger server does not hold it');
    };
    const report = await verified(stage, sale, { ledger: { ...stage.ctx.ledger, createdEscrow } });
    expect(report).toMatchObject({ verdict: 'unchecked', differences: [], unsold: { locked: null } });
    expect(report.unchecked).toMatchObject([{ account: sale.distributor.address }]);
  });
});

describe('after its time', () => {
  const passUntil = async () => {
    const { result } = await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' });
    stage.desk.ledger.advanceTime(UNSOLD_UNTIL_SECONDS - result.ledger.close_time + 60);
  };

  it.each(['a stranger', 'the distributor'])('an escrow that %s finishes is no difference', async (who) => {
    // Its own ledger: this one's clock goes far ahead.
    const own = await openStage();
    const before = stage;
    stage = own;
    try {
      const sale = await endedSale(stage);
      const paid = await putInEscrow(stage, sale);
      await writeLock(stage, sale, { paid });
      await passUntil();
      const signer = who === 'a stranger' ? sale.issuer : sale.distributor;
      await endEscrow(stage, sale.distributor, paid.hash, 'EscrowFinish', signer);
      const report = await verified(stage, sale);
      expect(namesOf(report)).toEqual([]);
      expect(report).toMatchObject({ verdict: 'agrees', unsold: { locked: '5500.000000', in_escrow: '0.000000' } });
    } finally {
      stage = before;
      await own.end();
    }
  });
});

describe('a platform that does not lock what it owes is found out', () => {
  it.each<[string, Partial<EscrowCreate> | ((issuer: Wallet) => Partial<EscrowCreate>)]>([
    ['a second too early', { FinishAfter: UNSOLD_UNTIL_SECONDS - 1 }],
    ['with less than was unsold', (issuer) => ({ Amount: tokenAmount(issuer, '5499.999999') })],
    ['of XRP', { Amount: '5500000000' }],
    ['to somebody else', (issuer) => ({ Destination: issuer.address })],
  ])('an escrow %s', async (_, over) => {
    const parties = await unsoldParties(stage);
    const sale = await endedSale(stage, parties);
    if (_ === 'of XRP') await enrich(sale.distributor);
    const created = typeof over === 'function' ? over(parties.issuer) : over;
    const id = await writeLock(stage, sale, { paid: await putInEscrow(stage, sale, created) });
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([['lock_not_kept', id]]);
    expect(report.verdict).toBe('differs');
  });

  const enrich = async ({ address }: Wallet) => {
    for (let each = 0; each < 6; each++) {
      const from = await stage.account();
      await stage.desk.write([
        from,
        { TransactionType: 'Payment', Account: from.address, Destination: address, Amount: '950000000' },
      ]);
    }
  };

  it('an escrow that was created before the sale ended', async () => {
    const parties = await unsoldParties(stage, '12000');
    const selling = await sellingSale(stage, parties);
    const paid = await putInEscrow(stage, selling);
    await endSale(stage, selling);
    const id = await writeLock(stage, selling, { paid });
    const report = await verified(stage, selling);
    expect(namesOf(report)).toEqual([['lock_not_kept', id]]);
    expect(report.differences[0]?.message).toContain('before the end of the sale');
  });

  it('an escrow that somebody else created: the unsold tokens are free', async () => {
    const sale = await endedSale(stage);
    const other = await unsoldHolder(stage, sale);
    const id = await writeLock(stage, sale, { paid: await putInEscrow(stage, sale, {}, other) });
    expect(namesOf(await verified(stage, sale))).toEqual([['lock_not_kept', id]]);
  });

  it('a transaction that never was', async () => {
    const sale = await endedSale(stage);
    const { ledgerIndex } = await putInEscrow(stage, sale);
    const id = await writeLock(stage, sale, { paid: { hash: 'F'.repeat(64), ledgerIndex } });
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([['lock_not_kept', id]]);
    expect(report.differences[0]?.message).toContain('has created no escrow');
  });

  it('an escrow that is gone before anything could end it', async () => {
    const sale = await endedSale(stage);
    const id = await writeLock(stage, sale, { paid: await putInEscrow(stage, sale) });
    const report = await verified(stage, sale, { ledger: { ...stage.ctx.ledger, escrowStands: async () => false } });
    expect(namesOf(report)).toEqual([['lock_not_kept', id]]);
  });

  it('nothing in escrow a day after the end, even if it is later, and a row that is missing', async () => {
    const own = await openStage();
    try {
      const [owing, silent] = [await endedSale(own), await endedSale(own)];
      const id = await writeLock(own, owing);
      await removeLock(own, silent);
      own.desk.ledger.advanceTime(DAY_SECONDS - 600);
      expect(namesOf(await verified(own, owing))).toEqual([]);
      const missing = namesOf(await verified(own, silent));
      expect(missing).toEqual([['payout_missing', expect.stringMatching(/^pay_/)]]);
      own.desk.ledger.advanceTime(1_200);
      expect(namesOf(await verified(own, owing))).toEqual([['lock_not_kept', id]]);
      expect(namesOf(await verified(own, silent))).toEqual([...missing, ['lock_not_kept', missing[0]?.[1]]]);
      // To lock them after all does not undo it.
      await writeLock(own, owing, { paid: await putInEscrow(own, owing) });
      const late = await verified(own, owing);
      expect(namesOf(late)).toEqual([['lock_not_kept', id]]);
      expect(late.unsold).toMatchObject({ locked: '5500.000000', in_escrow: '5500.000000' });
    } finally {
      await own.end();
    }
  });

  it('a row that says less than the sale left unsold', async () => {
    const sale = await endedSale(stage);
    const id = await writeLock(stage, sale, { units: 5_499_999_999n, paid: await putInEscrow(stage, sale) });
    const report = await verified(stage, sale);
    expect(report.differences).toMatchObject([{ kind: 'payout_differs', subject: id, field: 'tokens' }]);
  });

  it('a second lock, published or not', async () => {
    const parties = await unsoldParties(stage, '20000');
    const sale = await endedSale(stage, parties);
    const id = await writeLock(stage, sale, { paid: await putInEscrow(stage, sale) });
    // The distributor's other escrows are its own affair.
    await putInEscrow(stage, sale, { FinishAfter: UNSOLD_UNTIL_SECONDS + 60 });
    await putInEscrow(stage, sale, { Amount: tokenAmount(sale.issuer, '1') });
    expect(namesOf(await verified(stage, sale))).toEqual([]);
    const again = await putInEscrow(stage, sale);
    const report = await verified(stage, sale);
    expect(report.differences).toMatchObject([{ kind: 'payout_paid_twice', subject: id, found: again.hash }]);
    const second = await writeLock(stage, sale, { part: 2, paid: again });
    expect(namesOf(await verified(stage, sale))).toEqual([
      ['payout_paid_twice', second],
      ['payout_paid_twice', id],
    ]);
  });

  it('one escrow for two sales', async () => {
    const parties = await unsoldParties(stage, '20000');
    const first = await sellingSale(stage, parties);
    const second = await sellingSale(stage, { ...parties, deposit: await stage.account() });
    for (const sale of [first, second]) await endSale(stage, sale);
    const paid = await putInEscrow(stage, first);
    await writeLock(stage, first, { paid });
    await stage.settle(first.deposit);
    await dropPaidOnce(stage);
    const id = await writeLock(stage, second, { paid });
    expect(namesOf(await verified(stage, second))).toEqual([['transaction_used_twice', id]]);
  });

  it('a second lock, also where another sale owes the same sum until the same time: what is owed stands for one escrow', async () => {
    const parties = await unsoldParties(stage, '30000');
    const first = await sellingSale(stage, parties);
    const second = await sellingSale(stage, { ...parties, deposit: await stage.account() });
    for (const sale of [first, second]) await endSale(stage, sale);
    const id = await writeLock(stage, first, { paid: await putInEscrow(stage, first) });
    // On the ledger, and not in the books of its sale yet.
    const owed = await putInEscrow(stage, second);
    await writeLock(stage, second);
    await stage.settle(second.deposit);
    expect(namesOf(await verified(stage, first))).toEqual([]);
    const inOtherToken = await verifyAltered(stage, first, (honest) => ({
      projects: async () =>
        (await honest.projects()).map((each) =>
          each.id === second.project.id ? { ...each, token: { ...each.token, currency: 'OTH' } } : each,
        ),
    }));
    expect(inOtherToken.differences).toMatchObject([{ kind: 'payout_paid_twice', subject: id, found: owed.hash }]);
    const again = await putInEscrow(stage, first);
    const twice = [{ kind: 'payout_paid_twice', subject: id, found: again.hash }];
    expect((await verified(stage, first)).differences).toMatchObject(twice);
    await writeLock(stage, second, { paid: owed });
    // Of a ledger that the account of the other sale is not confirmed for.
    expect((await verified(stage, first)).differences).toMatchObject(twice);
    await stage.settle(second.deposit);
    expect((await verified(stage, first)).differences).toMatchObject(twice);
  });

  it('a second lock beside another sum that another sale owes', async () => {
    const parties = await unsoldParties(stage, '20000');
    const first = await sellingSale(stage, parties);
    await endSale(stage, first);
    const id = await writeLock(stage, first, { paid: await putInEscrow(stage, first) });
    const other = await sellingSale(stage, { ...parties, deposit: await stage.account() });
    await endSale(stage, other);
    await writeLock(stage, other, { units: 5_499_000_000n });
    await stage.settle(other.deposit);
    const again = await putInEscrow(stage, first);
    const report = await verified(stage, first);
    expect(report.differences).toMatchObject([{ kind: 'payout_paid_twice', subject: id, found: again.hash }]);
  });

  it('a lock of a sale that owes none', async () => {
    const sale = await sellingSale(stage);
    await cancelSale(stage, sale);
    const id = await writeLock(stage, sale, { paid: await putInEscrow(stage, sale) });
    await quiet(stage, { ...sale, issuer: sale.distributor });
    expect(namesOf(await verified(stage, sale))).toEqual([['payout_extra', id]]);
  });

  it('a page that shows another time than the terms', async () => {
    const sale = await sellingSale(stage);
    const report = await verifyAltered(stage, sale, (honest) => ({
      project: async (id) => ({ ...(await honest.project(id)), unsold_until: null }),
    }));
    expect(report.differences).toMatchObject([{ kind: 'terms_shown_differ', field: 'unsold_until' }]);
  });
});
