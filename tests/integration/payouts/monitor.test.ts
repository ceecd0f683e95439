import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountSetAsfFlags, MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { continueContract } from '#lib/jobs/contracts.ts';
import { monitorTrustLines } from '#lib/jobs/monitor-trust-lines.ts';
import { trustlineMonitorContract } from '#lib/payouts/monitor/contracts.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import {
  addProject,
  counting,
  createEach,
  flagLines,
  keptQueue,
  letWait,
  moveTo,
  SET_FREEZE,
  setLines,
  tally,
} from './monitor-scene.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let holders: Wallet[];
let strangers: Wallet[];

/** 300 holders of the sale's token, 20 of one whose issuer must authorise them, 20 of an MPT, all waiting. */
async function setScene(): Promise<void> {
  const { desk } = world;
  const [strict] = (await desk.accounts(1)) as [Wallet];
  await desk.send(strict, {
    TransactionType: 'AccountSet',
    Account: strict.address,
    SetFlag: AccountSetAsfFlags.asfRequireAuth,
  });
  const created = await desk.send(world.issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: world.issuer.address,
    AssetScale: 6,
    Flags: MPTokenIssuanceCreateFlags.tfMPTCanTransfer,
  });
  desk.close();
  const { result } = await desk.client.request({ command: 'tx', transaction: created });
  const { mpt_issuance_id: issuanceId } = result.meta as { mpt_issuance_id: string };

  holders = await desk.accounts(300);
  strangers = await desk.accounts(20);
  await createEach(world, holders);
  const strictProject = await addProject(world, { tokenKind: 'iou', issuer: strict.address });
  await moveTo(world, await createEach(world, strangers), strictProject);
  const mptProject = await addProject(world, { tokenKind: 'mpt', issuer: world.issuer.address, issuanceId });
  await moveTo(world, await createEach(world, strangers), mptProject);
  await letWait(world);

  await setLines(world, holders.slice(0, 120), '1000');
  await setLines(world, holders.slice(120, 140), '0.5');
  await setLines(world, holders.slice(140, 160), '1000');
  await flagLines(world, world.issuer, holders.slice(140, 160), SET_FREEZE);
  await setLines(world, strangers, '1000', strict.address);
}

beforeAll(async () => {
  world = await openWorld();
  await setScene();
}, 180_000);
afterAll(() => world.end());

/** The ledger while no server of it answers. */
const away = (): TestCtx['ledger'] => ({
  ...world.ctx.ledger,
  serverState: async () => {
    throw new PlatformError('ledger_unavailable', 'No ledger server gave a usable answer');
  },
});

const COUNTS = { checked: 340, ready: 120, missing: 160, limit_too_low: 20, frozen: 20, unauthorised: 20, other: 0 };

describe('the trust line monitor', () => {
  it('goes on by messages from slice to slice, excludes every other run meanwhile, and ends once', async () => {
    const { queue, of } = keptQueue();
    let nowMs = world.ctx.clock.nowMs();
    // Each look at the clock is half a minute after the last one: no slice has time for more than one page.
    const clock = { nowMs: () => (nowMs += 30_000) };
    const ctx = { ...world.ctx, queue, clock };
    const first = await monitorTrustLines(ctx);
    expect(first).toMatchObject({ checked: 200, continued: true });

    await expect(monitorTrustLines(ctx)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('under way'),
    });

    const [message] = of('trustline-monitor');
    const body = continueContract.body.parse(message);
    // A slice that fails leaves its message good; otherwise QStash may bring one twice, also at once.
    await expect(continueJob({ ...ctx, ledger: away() }, body)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    const { ctx: counted, asked } = counting({ ...world.ctx, queue });
    const answers = await Promise.all([continueJob(counted, body), continueJob(counted, body)]);
    expect(answers).toEqual(Array(2).fill({ job: 'trustline-monitor', continued: false }));
    expect(await continueJob(counted, body)).toMatchObject({ continued: false });
    expect(asked.get('serverState')).toBe(1);
    expect(of('trustline-monitor')).toHaveLength(1);
    // What became payable was handed to the payer by the slices that found it.
    expect(of('process-payments').length).toBeGreaterThan(0);
    expect(await tally(world)).toEqual({
      ready: COUNTS.ready,
      'waiting_holder trust_line_missing': 140,
      'waiting_holder token_not_opted_in': 20,
      'waiting_holder trust_line_limit': 20,
      'waiting_holder trust_line_frozen': 20,
      'waiting_holder trust_line_unauthorized': 20,
    });
    await expect(monitorTrustLines(ctx)).resolves.toMatchObject({ checked: 200, continued: true });
    await world.database.db.execute('update leases set holder = null, leased_until = null');
  });

  it('tells 300 waiting holders apart by one pass over their issuer’s lines, and asks no account twice', async () => {
    await changeRows(
      world.database.db,
      'payouts',
      { kind: 'distribution' },
      { status: 'waiting_holder', reason: 'trust_line_missing', nextCheckAt: new Date('2030-01-01') },
    );
    const { queue } = keptQueue();
    const { ctx, asked } = counting({ ...world.ctx, queue });
    const answer = await monitorTrustLines(ctx);
    expect(trustlineMonitorContract.responses[200].parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ ...COUNTS, continued: false });
    // One pass for the 300; the 20 of the other issuer are one page's worth, the distributors have lines of their own.
    expect(asked.get('issuedLines')).toBe(2);
    expect(asked.get('trustLine')).toBeLessThanOrEqual(4);
    // Those whose line would take it, the 20 of the MPT, issuers and payers.
    expect(asked.get('account')).toBeLessThan(160);
    expect(asked.get('mptHolding')).toBeLessThanOrEqual(24);
  });

  it('pays at once whom it found ready, and nobody else', async () => {
    await world.runUntilDone();
    expect(await tally(world)).toMatchObject({ validated: 120, 'waiting_holder trust_line_missing': 140 });
    expect(await world.tokens(holders[0]!.address)).toBe('1');
    const again = await monitorTrustLines({ ...world.ctx, queue: keptQueue().queue });
    expect(again).toMatchObject({ ...COUNTS, checked: 220, ready: 0 });
  });

  it('leaves what is halted, held or in line for its hour as it is', async () => {
    const { db } = world.database;
    const look = async () => (await monitorTrustLines({ ...world.ctx, queue: keptQueue().queue })).checked;
    const [one, other] = await db.select({ id: payouts.id }).from(payouts).where(eq(payouts.status, 'waiting_holder'));
    await changeRows(db, 'payouts', { id: one!.id }, { status: 'held', reason: 'operator_hold' });
    await changeRows(db, 'payouts', { id: other!.id }, { status: 'ready', reason: 'hourly_ceiling' });
    expect(await look()).toBe(218);
    expect(await world.payout(one!.id)).toMatchObject({ status: 'held', reason: 'operator_hold' });
    expect(await world.payout(other!.id)).toMatchObject({ status: 'ready', reason: 'hourly_ceiling' });
    await changeRows(db, 'depositAccounts', {}, { halted: true });
    expect(await look()).toBe(0);
    await changeRows(db, 'depositAccounts', {}, { halted: false });
  });

  it('says that the ledger is away, and lets the next run begin', async () => {
    const ctx = { ...world.ctx, queue: keptQueue().queue };
    await expect(monitorTrustLines({ ...ctx, ledger: away() })).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await expect(monitorTrustLines(ctx)).resolves.toMatchObject({ checked: 218 });
  });
});
