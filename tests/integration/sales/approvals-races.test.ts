import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '#lib/base/errors.ts';
import { askForApproval } from '#lib/sales/approvals/ask-for-approval.ts';
import { approve, refuse, withdraw } from '#lib/sales/approvals/decide-approval.ts';
import { getApproval } from '#lib/sales/approvals/list-approvals.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { releasesOf } from '#tests/integration/payouts/raised.ts';
import { ADMIN_TOKENS, actionsOf, as, auditOf, codeOf, earning } from './approvals-desk.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const reason = 'read and compared';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  stage.set({ ADMIN_TOKENS, TWO_PERSON_ACTIONS: 'launch,release' });
});
afterAll(() => stage?.end());

const asked = ({ project }: Pick<Sale, 'project'>, action: 'launch' | 'release', amountDrops?: bigint) =>
  askForApproval(as(stage, 'alice'), { projectId: project.id, action, amountDrops, reason: 'ready as agreed' });

const DECISIONS = {
  approve: (id: string, name: string) => approve(as(stage, name), { id, reason }),
  refuse: (id: string, name: string) => refuse(as(stage, name), { id, reason }),
  withdraw: (id: string) => withdraw(as(stage, 'alice'), { id, reason }),
};
const OUTCOMES = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;
const decisions = fc.array(
  fc.record({
    decision: fc.constantFrom('approve' as const, 'refuse' as const, 'withdraw' as const),
    name: fc.constantFrom('bob', 'carol', 'dave'),
  }),
  { minLength: 2, maxLength: 5 },
);

describe('of all who decide one request at once', () => {
  it('exactly one does, and a release is paid once if that one approved, else never', async () => {
    const sale = await earning(stage, 30);
    await fc.assert(
      fc.asyncProperty(decisions, async (all) => {
        const paidBefore = (await releasesOf(stage, sale)).length;
        const { id } = await asked(sale, 'release', 100_000n);
        const results = await Promise.all(all.map(({ decision, name }) => codeOf(DECISIONS[decision](id, name))));
        const winners = all.filter((_, index) => results[index] === 'done');
        expect(winners).toHaveLength(1);
        expect(results.filter((code) => code !== 'done').every((code) => code === 'conflict')).toBe(true);
        const [winner] = winners;
        const closed = await getApproval(stage.ctx, id);
        expect(closed.status).toBe(OUTCOMES[winner!.decision]);
        const releases = await releasesOf(stage, sale);
        expect(releases).toHaveLength(paidBefore + (closed.status === 'approved' ? 1 : 0));
        expect(closed.payout_id).toBe(closed.status === 'approved' ? releases.at(-1)?.id : null);
        expect((await auditOf(stage, id)).map(({ action }) => action)).toEqual([
          `approval.${winner!.decision}`,
          'approval.ask',
        ]);
      }),
      { numRuns: 25 },
    );
  });

  it('exactly one does, and a launch is signed for good by that one alone', async () => {
    for (const all of [
      ['approve', 'approve'],
      ['approve', 'withdraw'],
      ['approve', 'refuse'],
    ] as const) {
      const sale = await stage.draft();
      const { id } = await asked(sale, 'launch');
      const results = await Promise.all(
        all.map((decision, index) => codeOf(DECISIONS[decision](id, ['bob', 'carol'][index]!))),
      );
      expect(results.toSorted()).toEqual(['conflict', 'done']);
      const { status, transaction_hash: hash } = await getApproval(stage.ctx, id);
      expect(status).toBe(OUTCOMES[all[results.indexOf('done')]!]);
      expect((await actionsOf(stage, sale)).map(({ txHash }) => txHash)).toEqual(status === 'approved' ? [hash] : []);
    }
  });
});

describe('an approval beside a change of the draft', () => {
  it('launches the terms that were asked for, or nothing', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const sale = await stage.draft();
      const { id, launch } = await asked(sale, 'launch');
      const patched = patchProject(stage.ctx, { id: sale.project.id, patch: { claim_days: 30 }, reason });
      const [approved] = await Promise.all([codeOf(approve(as(stage, 'bob'), { id, reason })), codeOf(patched)]);
      const actions = await actionsOf(stage, sale);
      expect(actions.map(({ termsHash }) => termsHash)).toEqual(approved === 'done' ? [launch?.terms_hash] : []);
      expect((await getApproval(stage.ctx, id)).status).toBe(approved === 'done' ? 'approved' : 'lapsed');
      const { claim_days } = await getProject(stage.ctx, sale.project.id);
      expect(claim_days).toBe(approved === 'done' ? 90 : 30);
      seen.add(approved);
    }
    expect([...seen].every((code) => code === 'done' || code === 'conflict')).toBe(true);
  });

  it('launches nothing when the draft changes after the approval was checked and before it is written', async () => {
    const sale = await stage.draft();
    const { id } = await asked(sale, 'launch');
    const bob = as(stage, 'bob');
    const { ledger } = bob;
    // The ledger is asked for the account just before the launch is signed.
    let isPatched = false;
    const between = Object.assign(Object.create(ledger) as typeof ledger, {
      submit: ledger.submit.bind(ledger),
      serverState: async () => {
        if (!isPatched) {
          isPatched = true;
          await patchProject(stage.ctx, { id: sale.project.id, patch: { claim_days: 30 }, reason });
        }
        return ledger.serverState();
      },
    });
    const refusal = await approve({ ...bob, ledger: between }, { id, reason }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PlatformError);
    expect(refusal).toMatchObject({ code: 'conflict' });
    expect(isPatched).toBe(true);
    expect(await actionsOf(stage, sale)).toEqual([]);
    expect((await getApproval(stage.ctx, id)).status).toBe('lapsed');
  });
});

describe('an approval of a draft that changes between its check and its launch', () => {
  it('launches nothing, though the changed draft could be launched by itself', async () => {
    const sale = await stage.draft();
    const { id } = await asked(sale, 'launch');
    const bob = as(stage, 'bob');
    let isChecked = false;
    let isPatched = false;
    /** Before the first query after the check, the draft changes. */
    const changeOnce = async () => {
      if (!isChecked || isPatched) return;
      isPatched = true;
      await patchProject(stage.ctx, { id: sale.project.id, patch: { claim_days: 30 }, reason });
    };
    const late = <T extends object>(query: T): T =>
      new Proxy(query, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          if (name === 'then') {
            return (...then: unknown[]) => changeOnce().then(() => Reflect.apply(value, target, then));
          }
          return (...given: unknown[]) => {
            const next: unknown = Reflect.apply(value, target, given);
            return typeof next === 'object' && next !== null ? late(next) : next;
          };
        },
      });
    const db = Object.assign(Object.create(bob.db) as typeof bob.db, {
      select: (...given: Parameters<typeof bob.db.select>) => late(bob.db.select(...given)),
    });
    const clock = Object.assign(Object.create(bob.clock) as typeof bob.clock, {
      nowMs: () => {
        isChecked = true;
        return stage.ctx.clock.nowMs();
      },
    });
    expect(await codeOf(approve({ ...bob, db, clock }, { id, reason }))).toBe('conflict');
    expect(isPatched).toBe(true);
    expect(await actionsOf(stage, sale)).toEqual([]);
    expect((await getApproval(stage.ctx, id)).status).toBe('lapsed');
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'draft', claim_days: 30 });
  });
});

describe('two who ask at once', () => {
  it('leave one open request', async () => {
    const sale = await stage.draft();
    const results = await Promise.all(
      ['alice', 'bob', 'carol'].map((name) =>
        codeOf(askForApproval(as(stage, name), { projectId: sale.project.id, action: 'launch', reason })),
      ),
    );
    expect(results.toSorted()).toEqual(['conflict', 'conflict', 'done']);
  });
});
