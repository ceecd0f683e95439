import { ledgerUnavailable } from '@tranche/verifier/errors.ts';
import { encodeProgress, type Progress, readProgress } from '@tranche/verifier/progress.ts';
import { reportOf, reportText } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EscrowCreate, Wallet } from 'xrpl';
import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { endEscrow } from '#tests/integration/sales/escrows.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import {
  tokenAmount,
  UNSOLD_UNTIL,
  type UnsoldSale,
  unsoldDraft,
  unsoldParties,
} from '#tests/integration/sales/unsold-sale.ts';
import { daysAfterEnd, VESTING } from '#tests/integration/sales/vesting-sale.ts';
import { namesOf, quiet, verifyAltered } from './altered.ts';
import { dropPaidOnce, named, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';
import { cancelSale, launch, putInEscrow, unsoldHolder, verified, writeLock as writeUnsoldLock } from './unsold.ts';
import {
  type DueLock,
  dueLocks,
  endedVesting,
  endVesting,
  keepLocks,
  lockId,
  lockUp,
  type Paid,
  vestingSale,
  writeLock,
  writeUnlock,
} from './vesting.ts';

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

/** Does it on a ledger of its own, whose clock goes far ahead. */
async function apart<Given>(work: (own: Stage) => Promise<Given>): Promise<Given> {
  const own = await openStage();
  try {
    return await work(own);
  } finally {
    await own.end();
  }
}

describe('tokens of a vesting that are locked', () => {
  it('are told before the end as what will be locked', async () => {
    const sale = await vestingSale(stage);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'agrees', unsold: null, vesting: { days: null, amount: null } });
    expect(reportText(report)).toContain('what it owes at the end is locked until it is due');
    expect(await getLockedVesting(stage.ctx, sale.project.id)).toBeNull();
  });

  it('are found on the public ledger by the escrows that the published locks name', async () => {
    const sale = await endedVesting(stage);
    const due = await keepLocks(stage, sale);
    await stage.settle(sale.deposit);
    const found = await verify(stage, served, sale);
    expect(named(found)).toEqual([]);
    expect(found.code).toBe(0);
    const receiver = sale.distributor.address;
    const until = due[2]?.until;
    expect(found.report.vesting).toEqual({
      receiver,
      days: 3,
      amount: '720.000000',
      until,
      locked: '720.000000',
      in_escrow: '720.000000',
    });
    // A tenth at the end and three parts to each investor, and the locks.
    expect(found.report.checked).toMatchObject({ payouts: 11, payouts_validated: 3 });
    expect(reportText(found.report)).toContain(
      `lock         Vesting, due on 3 days: 720.000000 of 720.000000 tokens for ${receiver} until ${until}, all still in escrow`,
    );
  });

  it('are found beside what the sale did not sell, each by an escrow of its own', async () => {
    const sale = await vestingSale(stage, { unsold_until: UNSOLD_UNTIL });
    await endVesting(stage, sale);
    await keepLocks(stage, sale);
    const unsold = await putInEscrow(stage, sale, { Amount: tokenAmount(sale.issuer, '5200') });
    await writeUnsoldLock(stage, sale, { units: 5_200_000_000n, paid: unsold });
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'agrees',
      unsold: { amount: '5200.000000', transaction_hash: unsold.hash, in_escrow: '5200.000000' },
      vesting: { days: 3, locked: '720.000000', in_escrow: '720.000000' },
    });
  });

  it('are owed and no difference while their escrows are still to come', async () => {
    const sale = await endedVesting(stage);
    for (const lock of await dueLocks(stage, sale)) await writeLock(stage, sale, lock);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([]);
    expect(report).toMatchObject({ vesting: { days: 3, amount: '720.000000', locked: '0.000000' } });
    expect(await getLockedVesting(stage.ctx, sale.project.id)).toMatchObject({
      tokens: '720.000000',
      in_escrow: '0.000000',
      days: Array(3).fill({ transaction_hash: null, is_released: false }),
    });
  });

  it('are told from unsold tokens of the same sum until the same day, also before the books know what locked these', async () => {
    const tiers = [{ price_per_token: '0.10', total_tokens: '1040' }];
    const draft = await vestingSale(stage, { tiers, unsold_until: daysAfterEnd(20) });
    await endVesting(stage, draft);
    const [first] = (await dueLocks(stage, draft)) as [DueLock];
    const sale = await vestingSale(stage, { tiers, unsold_until: first.until });
    await endVesting(stage, sale);
    const due = await keepLocks(stage, sale);
    expect(due[0]).toMatchObject({ until: first.until, units: 240_000_000n });
    await lockUp(stage, sale, first);
    await writeUnsoldLock(stage, sale, { units: 240_000_000n });
    expect(namesOf(await verified(stage, sale))).toEqual([]);
    const again = await lockUp(stage, sale, first);
    const id = lockId(sale, first.part);
    expect((await verified(stage, sale)).differences).toMatchObject([
      { kind: 'payout_paid_twice', subject: id, found: again.hash },
    ]);
  });

  it('are not checked by a server that does not show a transaction', async () => {
    const sale = await endedVesting(stage);
    await keepLocks(stage, sale);
    const createdEscrow = async () => {
      throw ledgerUnavailable('the ledger server does not hold it');
    };
    const report = await verified(stage, sale, { ledger: { ...stage.ctx.ledger, createdEscrow } });
    expect(report).toMatchObject({ verdict: 'unchecked', differences: [], vesting: { days: 3, locked: null } });
    expect(report.unchecked).toMatchObject(Array(3).fill({ account: sale.distributor.address }));
  });

  it('may be finished by a stranger when their day has come, and what the books say of that is published to nobody', () =>
    apart(async (own) => {
      const sale = await endedVesting(own);
      const due = await dueLocks(own, sale);
      const paid: Paid[] = [];
      for (const lock of due) paid.push(await lockUp(own, sale, lock));
      for (const [index, lock] of due.entries()) await writeLock(own, sale, lock, paid[index]);
      const { result } = await own.desk.client.request({ command: 'ledger', ledger_index: 'validated' });
      const [first, created] = [due[0] as DueLock, paid[0]?.hash ?? ''];
      own.desk.ledger.advanceTime(Date.parse(first.until) / 1_000 - 946_684_800 - result.ledger.close_time + 60);
      const finish = await endEscrow(own, sale.distributor, created, 'EscrowFinish', sale.issuer);
      await writeUnlock(own, sale, first, finish);
      const report = await verified(own, sale);
      expect(namesOf(report)).toEqual([]);
      expect(report.vesting).toMatchObject({ locked: '720.000000', in_escrow: '480.000000' });
      expect(await getLockedVesting(own.ctx, sale.project.id)).toEqual({
        tokens: '720.000000',
        in_escrow: '480.000000',
        days: due.map(({ until }, index) => ({
          until,
          tokens: '240.000000',
          transaction_hash: paid[index]?.hash,
          is_released: index === 0,
        })),
      });
    }));
});

describe('a sale whose vesting counts from each payment', () => {
  it('locks what all payments make due on a day, but for the days that begin within two days of the end', () =>
    apart(async (own) => {
      const vesting = { immediate_bps: 5_000, cliff_days: 0, period_days: 1, periods: 4 };
      const body = { distribution: 'immediate', vesting, ends_at: daysAfterEnd(5) } as const;
      const sale = await vestingSale(own, body);
      // The third investor pays a day later, and so has each part a day later.
      own.desk.ledger.advanceTime(DAY_SECONDS);
      const [late] = (await holders(own, sale, 1)) as [Wallet];
      await own.pay(late, sale, 20);
      await quiet(own, { ...sale, issuer: sale.distributor });
      await endVesting(own, sale);
      const [third] = await dueLocks(own, sale);
      const day = (days: number): string =>
        new Date(Date.parse(third?.until ?? '') + (days - 40) * DAY_SECONDS * 1_000).toISOString();
      // 100 and 25 tokens a part; of what is due on the second day after the end, the day has begun less than two days after it.
      const due = [
        { part: 2, units: 125_000_000n, until: day(3) },
        { part: 3, units: 25_000_000n, until: day(4) },
      ];
      for (const lock of due) await writeLock(own, sale, lock, await lockUp(own, sale, lock));
      const report = await verified(own, sale);
      expect(namesOf(report)).toEqual([]);
      expect(report.vesting).toMatchObject({ days: 2, amount: '150.000000', locked: '150.000000', until: day(4) });
      expect(await inSteps(own, sale)).toEqual(report);
    }));

  /** The same verification, kept as text after each page, as a platform does it. */
  async function inSteps(own: Stage, sale: UnsoldSale) {
    const source = databaseSource(own.ctx);
    const { ledger } = own.ctx;
    let progress: Progress | null = null;
    for (;;) {
      const given: Progress | null = progress;
      const asked = {
        source,
        ledger,
        projectId: sale.project.id,
        asOf: null,
        progress: given,
        pageDone: async () => false,
      };
      const done = await verifySale(asked);
      if (done.progress.phase === 'done') return reportOf(done.progress, done.inputs);
      progress = readProgress(encodeProgress(sale.project.id, done.progress), sale.project.id);
    }
  }
});

describe('a platform that does not lock what vesting owes is found out', () => {
  it.each<[string, Partial<EscrowCreate> | ((sale: UnsoldSale, lock: DueLock) => Partial<EscrowCreate>)]>([
    ['a second too early', (_, { until }) => ({ FinishAfter: Date.parse(until) / 1_000 - 946_684_800 - 1 })],
    ['with less than is due', ({ issuer }) => ({ Amount: tokenAmount(issuer, '239.999999') })],
    ['of XRP', { Amount: '240000000' }],
    ['to somebody else', ({ issuer }) => ({ Destination: issuer.address })],
  ])('an escrow %s', async (_, over) => {
    const sale = await endedVesting(stage);
    const lock = (await keepLocks(stage, sale, [3]))[1] as DueLock;
    const paid = await lockUp(stage, sale, lock, typeof over === 'function' ? over(sale, lock) : over);
    const id = await writeLock(stage, sale, lock, paid);
    const report = await verified(stage, sale);
    expect(report.differences).toMatchObject([{ kind: 'lock_not_kept', subject: id, field: 'vesting_locked' }]);
    expect(report).toMatchObject({ verdict: 'differs', vesting: { amount: '720.000000' } });
    expect(report.vesting?.locked).not.toBe('720.000000');
  });

  it('an escrow that was created before the sale ended', async () => {
    const sale = await vestingSale(stage, {}, await unsoldParties(stage, '12000'));
    // Long enough, whenever it ends.
    const early = await lockUp(stage, sale, { part: 0, units: 240_000_000n, until: daysAfterEnd(400) });
    await endVesting(stage, sale);
    const lock = (await keepLocks(stage, sale, [2]))[0] as DueLock;
    const id = await writeLock(stage, sale, lock, early);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([['lock_not_kept', id]]);
    expect(report.differences[0]?.message).toContain('before the end of the sale');
  });

  it('an escrow that somebody else created: what is owed is free', async () => {
    const sale = await endedVesting(stage);
    const other = await unsoldHolder(stage, sale);
    const lock = (await keepLocks(stage, sale, [4]))[2] as DueLock;
    const id = await writeLock(stage, sale, lock, await lockUp(stage, sale, lock, {}, other));
    expect(namesOf(await verified(stage, sale))).toEqual([['lock_not_kept', id]]);
  });

  it('a transaction that never was', async () => {
    const sale = await endedVesting(stage);
    const lock = (await keepLocks(stage, sale, [4]))[2] as DueLock;
    const { ledgerIndex } = await lockUp(stage, sale, { ...lock, units: 1_000_000n });
    const id = await writeLock(stage, sale, lock, { hash: 'F'.repeat(64), ledgerIndex });
    expect(namesOf(await verified(stage, sale))).toEqual([['lock_not_kept', id]]);
  });

  it('one escrow for two parts', async () => {
    const sale = await endedVesting(stage);
    const [first, second, third] = (await dueLocks(stage, sale)) as [DueLock, DueLock, DueLock];
    await writeLock(stage, sale, first, await lockUp(stage, sale, first));
    // It holds what both owe, until the later day.
    const both = await lockUp(stage, sale, { ...third, units: second.units + third.units });
    await dropPaidOnce(stage);
    for (const lock of [second, third]) await writeLock(stage, sale, lock, both);
    const report = await verified(stage, sale);
    expect(namesOf(report)).toEqual([['transaction_used_twice', lockId(sale, third.part)]]);
  });

  it('none a day after the end, with the rows and without them', () =>
    apart(async (own) => {
      const [owing, silent] = [await endedVesting(own), await endedVesting(own)];
      const ids = [];
      for (const lock of await dueLocks(own, owing)) ids.push(await writeLock(own, owing, lock));
      own.desk.ledger.advanceTime(DAY_SECONDS - 600);
      expect(namesOf(await verified(own, owing))).toEqual([]);
      const missing = [2, 3, 4].map((part) => lockId(silent, part));
      const absent = missing.map((id) => ['payout_missing', id]);
      expect(namesOf(await verified(own, silent))).toEqual(absent);
      own.desk.ledger.advanceTime(1_200);
      expect(namesOf(await verified(own, owing))).toEqual(ids.map((id) => ['lock_not_kept', id]));
      expect(namesOf(await verified(own, silent))).toEqual([...absent, ...missing.map((id) => ['lock_not_kept', id])]);
    }));

  it('a row that says less than is due', async () => {
    const sale = await endedVesting(stage);
    const lock = (await keepLocks(stage, sale, [2]))[0] as DueLock;
    const id = await writeLock(stage, sale, { ...lock, units: lock.units - 1n }, await lockUp(stage, sale, lock));
    const report = await verified(stage, sale);
    expect(report.differences).toMatchObject([{ kind: 'payout_differs', subject: id, field: 'tokens' }]);
  });

  it('the same locked twice, published or not', async () => {
    const sale = await endedVesting(stage, await unsoldParties(stage, '20000'));
    const [lock] = (await keepLocks(stage, sale)) as [DueLock];
    // The distributor's other escrows are its own affair.
    await lockUp(stage, sale, { ...lock, units: 1_000_000n });
    expect(namesOf(await verified(stage, sale))).toEqual([]);
    const again = await lockUp(stage, sale, lock);
    const report = await verified(stage, sale);
    const id = lockId(sale, lock.part);
    expect(report.differences).toMatchObject([{ kind: 'payout_paid_twice', subject: id, found: again.hash }]);
    const further = await writeLock(stage, sale, { ...lock, part: 5 }, again);
    expect(namesOf(await verified(stage, sale))).toEqual([
      ['payout_paid_twice', further],
      ['payout_paid_twice', id],
    ]);
  });

  it('locks of a sale that owes none: it promises none, or is cancelled', async () => {
    const unpromised = await unsoldDraft(stage, { unsold_until: null, distribution: 'at_end', vesting: VESTING });
    await launch(stage, unpromised);
    const cancelled = await vestingSale(stage);
    await cancelSale(stage, cancelled);
    await quiet(stage, { ...cancelled, issuer: cancelled.distributor });
    await endVesting(stage, unpromised);
    for (const sale of [unpromised, cancelled]) {
      const lock = { part: 2, units: 240_000_000n, until: daysAfterEnd(40) };
      const id = await writeLock(stage, sale, lock, await lockUp(stage, sale, lock));
      expect(namesOf(await verified(stage, sale))).toEqual([['payout_extra', id]]);
    }
  });

  it('a page that says otherwise than the terms', async () => {
    const sale = await vestingSale(stage);
    const report = await verifyAltered(stage, sale, (honest) => ({
      project: async (id) => ({ ...(await honest.project(id)), vesting_locked: false }),
    }));
    expect(report.differences).toMatchObject([{ kind: 'terms_shown_differ', field: 'vesting_locked' }]);
  });
});
