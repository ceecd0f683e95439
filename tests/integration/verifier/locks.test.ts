import type { CreatedEscrow, Lock } from '@tranche/rules/locks.ts';
import { ledgerUnavailable } from '@tranche/verifier/errors.ts';
import { reportText, type VerificationReport } from '@tranche/verifier/report.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projects } from '#drizzle/schema/sale.ts';
import {
  type LockScene,
  ledgerSeconds,
  lockScene,
  passLedgerSeconds,
  RIPPLE_EPOCH_SECONDS,
  teamLock,
  UNTIL,
  UNTIL_SECONDS,
} from '#tests/integration/sales/escrows.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { namesOf, quiet, verifyAltered } from './altered.ts';
import { named, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
let scene: LockScene;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
  scene = await lockScene(stage);
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

/** The validated ledger that holds a transaction. */
async function ledgerOf(hash: string): Promise<number> {
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  return Number(result.ledger_index);
}

const shown = async (hashes: string[], over: Partial<Lock> = {}): Promise<Lock> => ({
  label: 'Team',
  receiver: scene.team.address,
  amount: '100.000000',
  until: UNTIL,
  escrows: await Promise.all(
    hashes.map(async (hash) => ({ transaction_hash: hash, ledger_index: await ledgerOf(hash) })),
  ),
  ...over,
});

/** A platform that launches whatever it likes: to its own checklist each escrow is as the lock wants it. */
async function launchedBlindly(locks: Lock[]): Promise<Sale> {
  const sale = await stage.draft({}, { issuer: scene.issuer });
  await stage.database.db.update(projects).set({ locks }).where(eq(projects.id, sale.project.id));
  const perfect = (hash: string): CreatedEscrow => ({
    ledgerIndex:
      locks.flatMap(({ escrows }) => escrows).find((each) => each.transaction_hash === hash)?.ledger_index ?? 0,
    escrowId: hash,
    sequence: 1,
    owner: scene.holder.address,
    destination: scene.team.address,
    amount: scene.amount('1000'),
    finishAfterMs: Date.parse(UNTIL),
    hasCondition: false,
    cancelAfterMs: null,
  });
  const blind = { ...stage.ctx, ledger: { ...stage.ctx.ledger, createdEscrow: async (hash: string) => perfect(hash) } };
  await stage.act(sale, 'launch', blind);
  await quiet(stage, sale);
  return sale;
}

const honestly = (sale: Sale): Promise<VerificationReport> => verifyAltered(stage, sale, () => ({}));

describe('locks that stand', () => {
  it('are found on the public ledger, and named with what is locked', async () => {
    const escrows = [
      await scene.lock({ Amount: scene.amount('60') }),
      await scene.lock({ Amount: scene.amount('50'), FinishAfter: UNTIL_SECONDS + 5 }),
    ];
    const sale = await stage.launched({ locks: [teamLock(scene, escrows)] }, { issuer: scene.issuer });
    const verified = await verify(stage, served, sale);
    expect(named(verified)).toEqual([]);
    expect(verified.code).toBe(0);
    const { receiver, amount, until } = await shown([]);
    expect(verified.report.locks).toEqual([
      { label: 'Team', receiver, amount, until, locked: '110.000000', in_escrow: '110.000000' },
    ]);
    expect(reportText(verified.report)).toContain(
      `lock         Team: 110.000000 of 100.000000 tokens for ${receiver} until ${UNTIL}, all still in escrow`,
    );
  });

  it('are told from those that were released after their time, which is no difference', async () => {
    const finishAfter = (await ledgerSeconds(stage)) + 600;
    const until = new Date((finishAfter + RIPPLE_EPOCH_SECONDS) * 1000).toISOString();
    const released = await scene.lock({ Amount: scene.amount('60'), FinishAfter: finishAfter });
    const standing = await scene.lock({ Amount: scene.amount('50'), FinishAfter: finishAfter });
    const lock = teamLock(scene, [released, standing], { until });
    const sale = await stage.launched({ locks: [lock] }, { issuer: scene.issuer });
    const { issuer: stranger } = scene;
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: released });
    const { Sequence: OfferSequence = 0 } = result.tx_json as { Sequence?: number };
    await passLedgerSeconds(stage, finishAfter);
    await stage.desk.send(stranger, {
      TransactionType: 'EscrowFinish',
      Account: stranger.address,
      Owner: scene.holder.address,
      OfferSequence,
    });
    stage.desk.close();
    await quiet(stage, sale);
    const { verdict, locks, differences } = await honestly(sale);
    expect({ verdict, differences }).toEqual({ verdict: 'agrees', differences: [] });
    expect(locks).toMatchObject([{ locked: '110.000000', in_escrow: '50.000000' }]);
  });

  it('are proven by their creation where no server holds the state of the last ledger', async () => {
    const sale = await stage.launched({ locks: [teamLock(scene, [await scene.lock()])] }, { issuer: scene.issuer });
    const silent = async () => {
      throw ledgerUnavailable('the ledger server does not hold it');
    };
    for (const escrowStands of [silent, undefined]) {
      const ledger = { ...stage.ctx.ledger, escrowStands } as Stage['ctx']['ledger'];
      const report = await verifyAltered(stage, sale, () => ({}), { ledger });
      expect(report).toMatchObject({ verdict: 'agrees', locks: [{ locked: '100.000000', in_escrow: null }] });
    }
  });

  it('are not checked by a server that does not hold their ledgers, nor by one that cannot be asked', async () => {
    const sale = await stage.launched({ locks: [teamLock(scene, [await scene.lock()])] }, { issuer: scene.issuer });
    const silent = async () => {
      throw ledgerUnavailable('the ledger server does not hold it');
    };
    for (const createdEscrow of [silent, undefined]) {
      const ledger = { ...stage.ctx.ledger, createdEscrow } as Stage['ctx']['ledger'];
      const report = await verifyAltered(stage, sale, () => ({}), { ledger });
      expect(report).toMatchObject({ verdict: 'unchecked', differences: [], locks: [{ locked: null }] });
      expect(report.unchecked).toMatchObject([{ account: scene.team.address }]);
    }
  });
});

describe('a platform that launches with locks that do not stand is found out', () => {
  it.each<[string, () => Promise<Lock[]>]>([
    ['too little', async () => [await shown([await scene.lock({ Amount: scene.amount('99.999999') })])]],
    [
      'a token of the same code by another issuer',
      async () => [await shown([await (await lockScene(stage)).lock({ Destination: scene.team.address })])],
    ],
    [
      'an escrow that ends a second too early',
      async () => [await shown([await scene.lock({ FinishAfter: UNTIL_SECONDS - 1 })])],
    ],
    [
      'an escrow for somebody else',
      async () => [await shown([await scene.lock({ Destination: scene.holder.address })])],
    ],
    ['a transaction that failed', async () => [await shown([await scene.lock({ Amount: scene.amount('1000000') })])]],
    [
      'a transaction that never was',
      async () => [await shown([], { escrows: [{ transaction_hash: 'F'.repeat(64), ledger_index: 3 }] })],
    ],
    [
      'an escrow of another ledger than the terms say',
      async () => {
        const hash = await scene.lock();
        return [await shown([], { escrows: [{ transaction_hash: hash, ledger_index: (await ledgerOf(hash)) - 1 }] })];
      },
    ],
    [
      'one escrow twice for a lock',
      async () => {
        const hash = await scene.lock({ Amount: scene.amount('50') });
        return [await shown([hash, hash])];
      },
    ],
    [
      'one escrow for two locks',
      async () => {
        const hash = await scene.lock();
        return [await shown([hash], { amount: '100.000000' }), await shown([hash], { label: 'Advisors' })];
      },
    ],
  ])('%s', async (_, locks) => {
    const sale = await launchedBlindly(await locks());
    const report = await honestly(sale);
    expect(namesOf(report)).toEqual([['lock_not_kept', sale.project.id]]);
    expect(report.verdict).toBe('differs');
  });

  it('an escrow that was created after the launch', async () => {
    const hash = await scene.lock();
    const late = (await ledgerOf(hash)) + 1_000;
    const sale = await launchedBlindly([
      await shown([], { escrows: [{ transaction_hash: hash, ledger_index: late }] }),
    ]);
    const found = await stage.ctx.ledger.createdEscrow(hash, null);
    const ledger = { ...stage.ctx.ledger, createdEscrow: async () => found && { ...found, ledgerIndex: late } };
    const report = await verifyAltered(stage, sale, () => ({}), { ledger });
    expect(namesOf(report)).toEqual([['lock_not_kept', sale.project.id]]);
  });

  it('an escrow that is gone before anything could end it', async () => {
    const sale = await stage.launched({ locks: [teamLock(scene, [await scene.lock()])] }, { issuer: scene.issuer });
    const ledger = { ...stage.ctx.ledger, escrowStands: async () => false };
    const report = await verifyAltered(stage, sale, () => ({}), { ledger });
    expect(namesOf(report)).toEqual([['lock_not_kept', sale.project.id]]);
    expect(report.differences[0]?.message).toContain('holds nothing in ledger');
  });

  it('a page that shows another lock than the terms', async () => {
    const sale = await stage.launched({ locks: [teamLock(scene, [await scene.lock()])] }, { issuer: scene.issuer });
    const report = await verifyAltered(stage, sale, (honest) => ({
      project: async (id) => {
        const project = await honest.project(id);
        return { ...project, locks: project.locks.map((lock) => ({ ...lock, amount: '1000.000000' })) };
      },
    }));
    expect(report.differences).toMatchObject([{ kind: 'terms_shown_differ', field: 'locks' }]);
  });
});
