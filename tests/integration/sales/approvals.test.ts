import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askForApproval } from '#lib/sales/approvals/ask-for-approval.ts';
import { approve, refuse, withdraw } from '#lib/sales/approvals/decide-approval.ts';
import { getApproval, listApprovals } from '#lib/sales/approvals/list-approvals.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { balanceOf, FUNDED_DROPS, release, releasesOf } from '#tests/integration/payouts/raised.ts';
import { untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import {
  ADMIN_TOKENS,
  actionsOf,
  as,
  askByApi,
  auditOf,
  codeOf,
  decideByApi,
  earning,
  launchByApi,
  tokenOf,
} from './approvals-desk.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const reason = 'read and compared';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.set({ ADMIN_TOKENS, TWO_PERSON_ACTIONS: 'launch,release' }));
afterAll(() => stage?.end());

const asked = (name: string, { project }: Pick<Sale, 'project'>, action: 'launch' | 'release' = 'launch') =>
  askForApproval(as(stage, name), { projectId: project.id, action, reason: 'ready as agreed' });
const statusOf = async (id: string) => (await getApproval(stage.ctx, id)).status;

describe('the rule of two persons', () => {
  it('refuses a launch by one operator, says what to do instead, and signs nothing', async () => {
    const sale = await stage.draft();
    const answer = await launchByApi('alice', sale);
    expect(answer).toMatchObject({ status: 403, body: { code: 'approval_required' } });
    expect(answer.body.detail).toContain('POST /api/admin/approvals');
    expect(await actionsOf(stage, sale)).toEqual([]);
  });

  it('refuses a release by one operator, and still shows what one would be', async () => {
    const sale = await earning(stage, 20);
    const given = { token: tokenOf('alice'), params: { id: sale.project.id } };
    const refused = await ask('releaseRaised', { ...given, body: { reason } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'approval_required' } });
    const shown = await ask('releaseRaised', { ...given, body: { reason, dry_run: true } });
    expect(shown).toMatchObject({ status: 200, body: { amount_xrp: '20.000000' } });
    expect(await releasesOf(stage, sale)).toEqual([]);
  });

  it('holds for what the setting names alone', async () => {
    stage.set({ TWO_PERSON_ACTIONS: 'release' });
    const sale = await stage.draft();
    expect(await launchByApi('alice', sale)).toMatchObject({ status: 202 });
    await stage.settle(sale.deposit);
    stage.set({ TWO_PERSON_ACTIONS: 'launch,release' });
    const paused = await ask('actOnProject', {
      token: tokenOf('alice'),
      params: { id: sale.project.id, action: 'pause' },
      body: { reason },
    });
    expect(paused).toMatchObject({ status: 202 });
  });

  it('lets no other kind of actor launch by itself, whatever the setting says', async () => {
    stage.set({ TWO_PERSON_ACTIONS: undefined });
    const sale = await stage.draft();
    for (const actor of [{ kind: 'scheduler' }, { kind: 'queue' }, { kind: 'anonymous' }] as const) {
      expect(await codeOf(stage.act(sale, 'launch', { ...as(stage, 'alice'), actor }))).toBe('approval_required');
    }
  });
});

describe('a launch that was asked for', () => {
  it('is carried out by another operator, in their name, with the terms that the request names', async () => {
    const sale = await stage.draft();
    const request = await askByApi('alice', { project_id: sale.project.id, action: 'launch' });
    const terms = await getTerms(stage.ctx, sale.project.id);
    expect(request).toMatchObject({
      status: 201,
      body: {
        project_id: sale.project.id,
        project_name: 'Sale',
        action: 'launch',
        status: 'open',
        requested_by: { kind: 'administrator', name: 'alice', tenant_id: null },
        reason: 'ready as agreed',
        launch: { terms_hash: terms.sha256, canonical: terms.canonical },
        release: null,
        closed_by: null,
      },
    });
    const id = String(request.body.id);
    expect(await actionsOf(stage, sale)).toEqual([]);

    const decided = await decideByApi('bob', id, 'approve');
    const [action] = await actionsOf(stage, sale);
    expect(decided).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        closed_by: { kind: 'administrator', name: 'bob' },
        closed_reason: reason,
        transaction_hash: action?.txHash,
        payout_id: null,
      },
    });
    expect(action).toMatchObject({ action: 'launch', termsHash: terms.sha256, status: 'submitted' });
    await stage.settle(sale.deposit);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'active', terms_hash: terms.sha256 });
    expect(await auditOf(stage, id)).toMatchObject([
      { actor: 'administrator:bob', action: 'approval.approve', reason, after: { transaction_hash: action?.txHash } },
      { actor: 'administrator:alice', action: 'approval.ask', after: { terms_hash: terms.sha256 } },
    ]);
    expect((await auditOf(stage, sale.project.id))[0]).toMatchObject({
      actor: 'administrator:bob',
      action: 'project.launch',
      after: { transaction_hash: action?.txHash, approval: id },
    });
  });

  it('is never decided by who asked, nor by another token of their name, nor by who may only look', async () => {
    const sale = await stage.draft();
    const { body } = await askByApi('alice', { project_id: sale.project.id, action: 'launch' });
    for (const name of ['alice', 'alice-2', 'eve']) {
      for (const decision of ['approve', 'refuse']) {
        expect(await decideByApi(name, body.id, decision)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    expect(await askByApi('eve', { project_id: sale.project.id, action: 'launch' })).toMatchObject({ status: 403 });
    // And not by writing it into the row.
    const closed = { closedAt: new Date(), closerKind: 'administrator', closerName: 'alice' } as const;
    const forged = { status: 'approved', transactionHash: 'AB', ...closed } as const;
    await expect(changeRows(stage.database.db, 'approvals', { id: String(body.id) }, forged)).rejects.toMatchObject({
      cause: { constraint: 'approvals_two_persons' },
    });
    expect(await statusOf(String(body.id))).toBe('open');
    expect(await actionsOf(stage, sale)).toEqual([]);
  });

  it('is checked like a launch when it is asked for, and again when it is approved', async () => {
    const unready = await stage.draft({ treasury: null });
    expect(await codeOf(asked('alice', unready))).toBe('launch_not_ready');

    const sale = await stage.draft();
    const { id } = await asked('alice', sale);
    await stage.setFlag(sale.deposit, 'asfDepositAuth');
    expect(await codeOf(approve(as(stage, 'bob'), { id, reason }))).toBe('launch_not_ready');
    expect(await statusOf(id)).toBe('open');
    expect(await actionsOf(stage, sale)).toEqual([]);
    expect(await auditOf(stage, id)).toHaveLength(1);
  });

  it('lapses when the draft has changed since, and says in what; it can be asked for anew', async () => {
    const sale = await stage.draft();
    const { id } = await asked('alice', sale);
    await patchProject(stage.ctx, {
      id: sale.project.id,
      patch: { max_per_wallet_xrp: 500_000_000n, claim_days: 30 },
      reason: 'the owner has thought again',
    });
    expect(await getApproval(stage.ctx, id)).toMatchObject({
      status: 'lapsed',
      closed_reason: 'The draft has changed since: claim_days, max_per_wallet_xrp.',
    });
    await expect(approve(as(stage, 'bob'), { id, reason })).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('claim_days, max_per_wallet_xrp'),
    });
    expect(await actionsOf(stage, sale)).toEqual([]);

    const again = await asked('carol', sale);
    expect(again.launch?.terms_hash).toBe((await getTerms(stage.ctx, sale.project.id)).sha256);
    await approve(as(stage, 'bob'), { id: again.id, reason });
    expect((await actionsOf(stage, sale)).map(({ termsHash }) => termsHash)).toEqual([again.launch?.terms_hash]);
    // It stays lapsed, though the launch is on its way.
    expect(await statusOf(id)).toBe('lapsed');
  });

  it('stays as it is while only what no terms hold has changed', async () => {
    const sale = await stage.draft();
    const { id } = await asked('alice', sale);
    await patchProject(stage.ctx, { id: sale.project.id, patch: { description: 'Better' }, reason: 'a text' });
    expect(await statusOf(id)).toBe('open');
  });

  it('lapses when nobody decides it within seven days', async () => {
    const sale = await stage.draft();
    const { id, created_at: from, expires_at: to } = await asked('alice', sale);
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * DAY_MS);
    const late = as(stage, 'bob');
    const { clock } = late;
    const now = clock.nowMs();
    clock.advance(7 * DAY_MS);
    try {
      expect(await codeOf(approve(late, { id, reason }))).toBe('conflict');
      expect(await statusOf(id)).toBe('lapsed');
      expect((await asked('alice', sale)).status).toBe('open');
    } finally {
      clock.set(now);
    }
  });

  it('is asked for once at a time, and again after it was withdrawn or refused', async () => {
    const sale = await stage.draft();
    const first = await asked('alice', sale);
    await expect(asked('bob', sale)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(first.id),
    });
    expect(await codeOf(withdraw(as(stage, 'bob'), { id: first.id, reason }))).toBe('forbidden');
    expect(await withdraw(as(stage, 'alice'), { id: first.id, reason })).toMatchObject({
      status: 'withdrawn',
      closed_by: { name: 'alice' },
    });
    const second = await asked('bob', sale);
    expect(await refuse(as(stage, 'alice'), { id: second.id, reason: 'the price is wrong' })).toMatchObject({
      status: 'refused',
      closed_by: { name: 'alice' },
      closed_reason: 'the price is wrong',
    });
    for (const decide of [approve, refuse]) {
      await expect(decide(as(stage, 'carol'), { id: second.id, reason })).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('alice has refused it'),
      });
    }
    expect(await actionsOf(stage, sale)).toEqual([]);
    expect((await auditOf(stage, second.id)).map(({ action }) => action)).toEqual(['approval.refuse', 'approval.ask']);
  });

  it('takes no amount, and needs a draft', async () => {
    const sale = await stage.draft();
    const given = { project_id: sale.project.id, action: 'launch' };
    expect(await askByApi('alice', { ...given, amount_xrp: '5' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'amount_xrp' }] },
    });
    const running = await stage.launched();
    expect(await codeOf(asked('alice', running))).toBe('transition_not_allowed');
  });
});

describe('a release that was asked for', () => {
  it('pays exactly the amount and the account that the request names', async () => {
    const sale = await earning(stage, 30);
    const request = await askByApi('alice', { project_id: sale.project.id, action: 'release', amount_xrp: '12.5' });
    const named = { destination: sale.treasury.address, amount_xrp: '12.500000' };
    expect(request).toMatchObject({ status: 201, body: { action: 'release', launch: null, release: named } });
    expect(await releasesOf(stage, sale)).toEqual([]);

    const decided = await decideByApi('bob', request.body.id, 'approve');
    const [payout] = await releasesOf(stage, sale);
    expect(decided).toMatchObject({ status: 200, body: { status: 'approved', payout_id: payout?.id } });
    expect(payout).toMatchObject({ amount: 12_500_000n, destination: sale.treasury.address });
    await untilQuiet(stage, sale);
    expect(await balanceOf(stage, sale.treasury)).toBe(FUNDED_DROPS + 12_500_000n);
    expect((await auditOf(stage, sale.project.id))[0]).toMatchObject({
      actor: 'administrator:bob',
      action: 'project.release',
      after: { ...named, payout: payout?.id, approval: request.body.id },
    });
  });

  it('names what is releasable now where no amount is given, and pays no more although more has come', async () => {
    const sale = await earning(stage, 10);
    const { id, release: named } = await asked('alice', sale, 'release');
    expect(named?.amount_xrp).toBe('10.000000');
    await stage.pay(await stage.account(), sale, 7);
    await untilQuiet(stage, sale);
    await approve(as(stage, 'bob'), { id, reason });
    expect((await releasesOf(stage, sale)).map(({ amount }) => amount)).toEqual([10_000_000n]);
  });

  it('is refused and stays open while the account cannot spare it', async () => {
    const sale = await earning(stage, 30);
    const { id } = await asked('alice', sale, 'release');
    await release(stage, sale, 25);
    expect(await codeOf(approve(as(stage, 'bob'), { id, reason }))).toBe('limit_reached');
    expect(await statusOf(id)).toBe('open');
    expect(await releasesOf(stage, sale)).toHaveLength(1);
  });

  it('lapses with its sale', async () => {
    const sale = await earning(stage, 30);
    const { id } = await asked('alice', sale, 'release');
    await stage.act(sale, 'cancel');
    await stage.settle(sale.deposit);
    expect(await getApproval(stage.ctx, id)).toMatchObject({
      status: 'lapsed',
      closed_reason: expect.stringContaining('cancelled'),
    });
    expect(await codeOf(approve(as(stage, 'bob'), { id, reason }))).toBe('conflict');
    expect(await releasesOf(stage, sale)).toEqual([]);
  });
});

describe('a member’s request', () => {
  it('is approved by an operator, who can neither withdraw it nor is taken for who asked by a name that is alike', async () => {
    const sale = await stage.draft();
    const { launch, expires_at } = await asked('alice', sale);
    const { db } = stage.database;
    const [tenantId, id] = [`ten_${'0'.repeat(22)}`, `apr_${'m'.repeat(22)}`];
    await addRows(db, 'tenants', { id: tenantId });
    await addRows(db, 'members', { id: `mem_${'m'.repeat(22)}`, tenantId, walletAddress: 'bob', role: 'owner' });
    await changeRows(db, 'approvals', { projectId: sale.project.id }, { status: 'lapsed', closedAt: new Date() });
    await addRows(db, 'approvals', {
      id,
      projectId: sale.project.id,
      action: 'launch',
      requesterKind: 'member',
      requesterName: 'bob',
      tenantId,
      reason: 'we are ready',
      terms: launch?.canonical,
      termsHash: launch?.terms_hash,
      expiresAt: new Date(expires_at),
      createdAt: new Date(stage.ctx.clock.nowMs()),
    });
    expect(await codeOf(withdraw(as(stage, 'bob'), { id, reason }))).toBe('forbidden');
    expect(await approve(as(stage, 'bob'), { id, reason })).toMatchObject({
      status: 'approved',
      requested_by: { kind: 'member', name: 'bob', tenant_id: tenantId },
    });
  });
});

describe('the list of requests', () => {
  it('shows the newest first, page by page, and each status as it is now', async () => {
    const [one, two, three] = [await stage.draft(), await stage.draft(), await stage.draft()];
    const open = await asked('alice', one);
    const lapsed = await asked('alice', two);
    const refused = await asked('alice', three);
    stage.ctx.clock.advance(1_000);
    const newest = await asked('bob', await stage.draft());
    await patchProject(stage.ctx, { id: two.project.id, patch: { claim_days: 30 }, reason });
    await refuse(as(stage, 'bob'), { id: refused.id, reason });

    const ids = async (query: Partial<Parameters<typeof listApprovals>[1]>) => {
      const page = await listApprovals(stage.ctx, { limit: 200, ...query });
      return page.approvals.map(({ id }) => id);
    };
    const among = (all: string[]) => all.filter((id) => [open.id, lapsed.id, refused.id, newest.id].includes(id));
    expect(among(await ids({ status: 'open' })).toSorted()).toEqual([open.id, newest.id].toSorted());
    expect(among(await ids({ status: 'lapsed' }))).toEqual([lapsed.id]);
    expect(among(await ids({ status: 'refused' }))).toEqual([refused.id]);
    expect(await ids({ project_id: two.project.id })).toEqual([lapsed.id]);

    const whole = await ids({});
    expect(among(whole)[0]).toBe(newest.id);
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listApprovals(stage.ctx, { limit: 2, cursor });
      walked.push(...page.approvals.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(whole);
    const read = await ask('getApproval', { token: tokenOf('eve'), params: { id: newest.id } });
    expect(read).toMatchObject({ status: 200, body: { id: newest.id, status: 'open' } });
    const unknown = await ask('getApproval', { token: tokenOf('eve'), params: { id: `apr_${'0'.repeat(22)}` } });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
