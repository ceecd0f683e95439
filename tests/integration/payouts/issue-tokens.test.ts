import { desc, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { applyEnv } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { issueTokensNow } from '#lib/jobs/issue-tokens.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { issueTokensContract } from '#lib/payouts/issue/contracts.ts';
import { testEnv } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { addProject, createEach, keptQueue, moveTo, setLines, tally, wholeDatabase } from './monitor-scene.ts';
import { openWorld, putKeysInForce, type World } from './world.ts';

let world: World;
let ctx: Ctx;

beforeAll(async () => {
  world = await openWorld();
  ctx = {
    ...world.ctx,
    queue: keptQueue().queue,
    actor: { kind: 'administrator', name: 'alice', role: 'operator' },
  };
  // The feed of the deposit account is not what is looked at here.
  await changeRows(world.database.db, 'depositAccounts', {}, { cursorLedger: 100_000, confirmedLedger: 100_000 });
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.database.db.execute(
    sql`truncate payout_attempts, payouts, investments, payments, audit_entries, events cascade`,
  );
  await world.ctx.redis.flushdb();
});

const REASON = 'holders asked';
type Body = Parameters<typeof issueTokensContract.body.parse>[0];
const issue = async (body: Record<string, unknown>) => {
  const parsed = issueTokensContract.body.parse({ reason: REASON, ...body } as Body);
  return issueTokensContract.responses[200].parse(await issueTokensNow(ctx, parsed));
};
const investmentOf = async (payoutId: string) => (await world.payout(payoutId)).investmentId!;
const set = (id: string, values: Partial<typeof payouts.$inferInsert>) =>
  changeRows(world.database.db, 'payouts', { id }, values);

describe('issue-tokens', () => {
  it('pays what a sale owes to who can take it, names who cannot and why, and writes down who asked', async () => {
    const holders = await world.holders(3);
    const [bare] = (await world.desk.accounts(1)) as [Wallet];
    const ids = await createEach(world, [...holders, bare!]);
    // Otherwise they would be looked at only tomorrow.
    await changeRows(world.database.db, 'payouts', {}, { nextCheckAt: new Date('2030-01-01') });

    const first = await issue({ project_id: world.projectId });
    expect(first).toMatchObject({ dry_run: false, selected: 4, beyond_limit: 0, continued: true });
    expect(first.outcomes).toMatchObject({ submitted: 0, queued: 3, waiting: 1 });
    const bareInvestment = await investmentOf(ids[3]!);
    expect(first.refusals).toContainEqual(
      expect.objectContaining({ investment_id: bareInvestment, outcome: 'waiting', reason: 'trust_line_missing' }),
    );
    // Its tickets were asked for; with them it pays.
    world.desk.close();
    const second = await issue({ project_id: world.projectId });
    expect(second.outcomes).toMatchObject({ submitted: 3, queued: 0, waiting: 1, already_paid: 0 });
    world.desk.close();
    await world.run();
    expect(await tally(world)).toEqual({ validated: 3, 'waiting_holder trust_line_missing': 1 });
    expect((await issue({ project_id: world.projectId })).outcomes).toMatchObject({ already_paid: 3, waiting: 1 });

    const entries = await world.database.db.select().from(auditEntries).orderBy(desc(auditEntries.createdAt));
    expect(entries).toHaveLength(6);
    expect(entries.filter(({ action }) => action === 'tokens.issue_result')).toHaveLength(3);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: 'administrator:alice', subject: world.projectId, reason: REASON });
      expect(entry.after).toMatchObject({ outcomes: { waiting: 1 } });
    }
  });

  it('changes not one row in a dry run, and foresees what the run then does', async () => {
    const holders = await world.holders(2);
    const [bare] = (await world.desk.accounts(1)) as [Wallet];
    const ids = await createEach(world, [...holders, bare!]);
    await set(ids[0]!, { status: 'held', reason: 'tecNO_LINE' });
    await set(ids[1]!, { status: 'waiting_holder', reason: 'trust_line_missing' });
    const before = await wholeDatabase(world);
    const dry = await issue({ project_id: world.projectId, dry_run: true });
    expect(await wholeDatabase(world)).toEqual(before);
    expect(dry).toMatchObject({ dry_run: true, selected: 3, continued: false });
    expect(dry.outcomes).toMatchObject({ submitted: 2, waiting: 1 });
    expect(dry.refusals).toHaveLength(1);
    const { outcomes } = await issue({ project_id: world.projectId });
    expect(outcomes.submitted + outcomes.queued).toBe(2);
    await world.runUntilDone();
    expect(await tally(world)).toMatchObject({ validated: 2 });
  });

  it('pays once, however often and beside whatever it is asked', async () => {
    const holders = await world.holders(40);
    const ids = await createEach(world, holders);
    const investmentIds = await Promise.all(ids.map(investmentOf));
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        issue({ project_id: world.projectId }),
        issue({ investment_ids: investmentIds }),
        processPayments(ctx),
        issue({ project_id: world.projectId, limit: 10 }),
      ]);
      world.desk.close();
    }
    await world.runUntilDone();
    expect(await tally(world)).toEqual({ validated: 40 });
    const paid = await Promise.all(holders.map(({ address }) => world.tokens(address)));
    expect(new Set(paid)).toEqual(new Set(['1']));
    const last = await issue({ investment_ids: investmentIds });
    expect(last.outcomes).toMatchObject({ already_paid: 40, submitted: 0 });
    expect(last.refusals).toHaveLength(40);
    expect(last.refusals[0]).toMatchObject({ outcome: 'already_paid', reason: 'validated' });
  });

  it('frees what is held for a cause that is over, and nothing that a person holds or whose cause stands', async () => {
    const [cured, byHand, standing, unsignable] = (await world.holders(4)) as [Wallet, Wallet, Wallet, Wallet];
    const ids = await createEach(world, [cured, byHand, standing, unsignable]);
    await set(ids[0]!, { status: 'held', reason: 'transfer_fee' });
    await set(ids[1]!, { status: 'held', reason: 'operator_hold' });
    await set(ids[2]!, { status: 'held', reason: 'tecNO_LINE', amount: 2_000_000_000_000n });
    await set(ids[3]!, { status: 'held', reason: 'unsignable' });
    const { outcomes, refusals } = await issue({ project_id: world.projectId });
    expect(outcomes).toMatchObject({ submitted: 1, held: 3 });
    expect(refusals.map(({ payout_id, reason }) => [payout_id, reason])).toEqual(
      expect.arrayContaining([
        [ids[1], 'operator_hold'],
        [ids[2], 'trust_line_limit'],
        [ids[3], 'unsignable'],
      ]),
    );
    expect(await world.payout(ids[1]!)).toMatchObject({ status: 'held', reason: 'operator_hold' });
    expect(await world.payout(ids[2]!)).toMatchObject({ status: 'held', reason: 'tecNO_LINE' });
    await world.runUntilDone();
  });

  it('overrides neither a halt nor a cancelled sale', async () => {
    const { db } = world.database;
    const [holder] = (await world.holders(1)) as [Wallet];
    await createEach(world, [holder]);
    await changeRows(db, 'depositAccounts', {}, { halted: true });
    expect(await issue({ project_id: world.projectId })).toMatchObject({
      outcomes: { stopped: 1, submitted: 0, queued: 0 },
      refusals: [{ outcome: 'stopped', reason: 'account_halted' }],
    });
    await changeRows(db, 'depositAccounts', {}, { halted: false });
    await changeRows(db, 'projects', {}, { status: 'cancelled' });
    expect(await issue({ project_id: world.projectId })).toMatchObject({
      outcomes: { stopped: 1 },
      refusals: [{ reason: 'sale_cancelled' }],
    });
    await changeRows(db, 'projects', {}, { status: 'active' });
    await world.runUntilDone();
  });

  it('keeps to the hourly ceiling, and foresees it', async () => {
    const settings = (limit: string) => {
      const keys = [world.distributor, world.deposit].map((one) => `${one.address}=ed25519:${one.seed}`).join(',');
      applyEnv(
        testEnv({
          XRPL_URLS: world.desk.ledger.wsUrl,
          XRPL_NETWORK_ID: String(NETWORK_ID),
          SIGNING_KEYS: keys,
          PAYOUT_HOURLY_LIMIT: limit,
        }),
      );
    };
    await createEach(world, await world.holders(3));
    settings('2');
    const dry = await issue({ project_id: world.projectId, dry_run: true });
    expect(dry.outcomes).toMatchObject({ submitted: 2, waiting: 1 });
    expect(dry.refusals).toMatchObject([{ reason: 'hourly_ceiling' }]);
    for (let round = 0; round < 3; round++) {
      await issue({ project_id: world.projectId });
      world.desk.close();
      await world.run();
    }
    expect((await rowsOf(world.database.db, 'payoutAttempts')).length).toBe(2);
    expect((await issue({ project_id: world.projectId })).refusals).toMatchObject([
      { outcome: 'waiting', reason: 'hourly_ceiling' },
    ]);
    putKeysInForce(world);
  });

  it('says of every investment asked for why it is not tried: not due, not ended, not confirmed, gone', async () => {
    const { db } = world.database;
    const [holder] = (await world.holders(1)) as [Wallet];
    const ids = await createEach(world, [holder, holder, holder, holder]);
    const [later, unended, pending, gone] = await Promise.all(ids.map(investmentOf));
    await set(ids[0]!, { dueAt: new Date('2030-01-01T00:00:00Z') });
    await set(ids[3]!, { status: 'cancelled', reason: 'sale_cancelled' });
    await db.delete(payouts).where(inArray(payouts.id, [ids[1]!, ids[2]!]));
    await changeRows(
      db,
      'investments',
      { id: unended! },
      { status: 'confirmed', payoutsPlanned: false, confirmedDrops: 1n, totalUnits: 1n, confirmedAt: new Date() },
    );
    const { outcomes, refusals, selected } = await issue({ investment_ids: [later, unended, pending, gone] });
    expect(selected).toBe(0);
    expect(outcomes).toMatchObject({ not_due: 2, nothing_owed: 1, cancelled: 1, submitted: 0, queued: 0 });
    expect(Object.fromEntries(refusals.map((each) => [each.investment_id, each]))).toMatchObject({
      [later!]: { outcome: 'not_due', reason: 'not_due', due_at: '2030-01-01T00:00:00.000Z' },
      [unended!]: { outcome: 'not_due', reason: 'sale_not_ended', payout_id: null },
      [pending!]: { outcome: 'nothing_owed', reason: 'pending_confirmation' },
      [gone!]: { outcome: 'cancelled', reason: 'sale_cancelled' },
    });
  });

  it('takes those due longest first up to its limit, and says what is left', async () => {
    const ids = await createEach(world, await world.holders(3));
    await set(ids[2]!, { dueAt: new Date('2020-01-01') });
    const { selected, beyond_limit, refusals } = await issue({ project_id: world.projectId, limit: 1, dry_run: true });
    expect({ selected, beyond_limit, refusals }).toEqual({ selected: 1, beyond_limit: 2, refusals: [] });
  });

  it('names what it does not know, and asks for a choice', async () => {
    const nothing = `proj_${'0'.repeat(22)}`;
    const nobody = `inv_${'0'.repeat(22)}`;
    const [holder] = (await world.desk.accounts(1)) as [Wallet];
    const [id] = await createEach(world, [holder]);
    const known = await investmentOf(id!);
    await expect(issue({ project_id: nothing })).rejects.toMatchObject({ code: 'project_not_found' });
    await expect(issue({ investment_ids: [known, nobody] })).rejects.toMatchObject({
      code: 'investment_not_found',
      detail: expect.stringContaining('investment_ids[1]'),
    });
    const other = await addProject(world, { tokenKind: 'iou', issuer: world.issuer.address });
    await expect(issue({ project_id: other, investment_ids: [known] })).rejects.toMatchObject({
      code: 'investment_not_found',
      detail: expect.stringContaining(other),
    });
    await expect(issue({})).rejects.toThrow(/give project_id, investment_ids, or both/);
    await moveTo(world, [id!], other);
    await setLines(world, [holder], '10');
    expect((await issue({ project_id: other, investment_ids: [known], dry_run: true })).outcomes.submitted).toBe(1);
  });

  it('says for all of an account that no key may sign for it', async () => {
    await createEach(world, await world.holders(2));
    applyEnv(testEnv({ XRPL_URLS: world.desk.ledger.wsUrl, XRPL_NETWORK_ID: String(NETWORK_ID) }));
    const { outcomes, refusals } = await issue({ project_id: world.projectId, dry_run: true });
    expect(outcomes.waiting).toBe(2);
    expect(refusals.map(({ reason }) => reason)).toEqual(['signing_key_missing', 'signing_key_missing']);
    putKeysInForce(world);
  });
});
