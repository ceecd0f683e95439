import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { appendAudit } from '#lib/audit.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { ask } from './ask.ts';
import { type Acts, auditedActs } from './audited-acts.ts';

let stage: Stage;
let world: Acts;
beforeAll(async () => {
  stage = await openStage();
  world = await auditedActs(stage);
});
afterAll(async () => {
  await world?.receiver.close();
  await stage?.end();
});

const isForAdministrators = ({ access }: (typeof CONTRACTS)[number]) =>
  access.some(({ kind }) => kind === 'administrator');
/** The monitor is asked for by GET, and pays what became payable. */
const CHANGING = CONTRACTS.filter(
  (contract) => isForAdministrators(contract) && (contract.method !== 'GET' || contract.id === 'trustlineMonitor'),
).map(({ id }) => id);

const token = TEST_READ_ONLY_TOKEN;
const read = async (query: string) => {
  const answer = await ask('listAudit', { token, query });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as { entries: Record<string, unknown>[]; next_cursor: string | null };
};

describe('what an administrator changes', () => {
  test('is known for every operation there is', () => {
    expect(Object.keys(world.acts).toSorted()).toEqual(CHANGING.toSorted());
  });

  // One after the other: an act may need what the one before it left, as ending a maintenance does.
  test.each(CHANGING.toSorted((a, b) => order(a) - order(b)))(
    '%s leaves an entry with actor, reason and request',
    async (id) => {
      const answer = await world.acts[id]!();
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      const entries = await rowsOf(stage.database.db, 'auditEntries', { requestId: answer.requestId });
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          actor: 'administrator:operator',
          action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
        });
        expect(entry.reason.length).toBeGreaterThan(2);
        expect(entry.subject).not.toBe('');
      }
    },
  );

  test('is shown without any secret that was made or used', async () => {
    const rows = JSON.stringify(await rowsOf(stage.database.db, 'auditEntries'));
    for (const secret of [TEST_ADMIN_TOKEN, 'whsec_', world.receiver.url]) expect(rows).not.toContain(secret);
  });
});

/** Beginnings before ends, and what stops the account last. */
function order(id: string): number {
  return [
    'startMaintenance',
    'endMaintenance',
    'haltDepositAccount',
    'resumeDepositAccount',
    'commitAllowlist',
  ].indexOf(id);
}

describe('the audit log', () => {
  const append = (entry: {
    action: string;
    subject: string;
    name?: string;
    before?: unknown;
    after?: unknown;
    reason?: string;
  }) =>
    appendAudit(
      stage.database.db,
      { ...stage.ctx, actor: { kind: 'administrator', name: entry.name ?? 'alice', role: 'operator' } },
      { reason: 'a test', ...entry },
    );

  /** Gives entries times of their own, a second each, however quickly they were written. */
  const setApart = (actions: string, position: string) =>
    stage.database.db.execute(sql`
      update audit_entries set created_at = created_at + make_interval(secs => ${sql.raw(position)})
      where action like ${actions}`);

  test('shows of an entry what its contract names, and nothing else', async () => {
    const { entries } = await read('');
    const named = ['action', 'actor', 'after', 'before', 'created_at', 'id', 'reason', 'request_id', 'subject'];
    for (const entry of entries) expect(Object.keys(entry).toSorted()).toEqual(named);
    expect(entries.length).toBeGreaterThan(10);
  });

  test('is filtered by actor, action or family of actions, subject and time', async () => {
    const from = new Date().toISOString();
    await append({ action: 'sample.one', subject: 'a' });
    await append({ action: 'sample.two', subject: 'b', name: 'bob' });
    await append({ action: 'samples.other', subject: 'a', name: 'bob' });
    await setApart('sample%', `array_position(array['sample.one', 'sample.two', 'samples.other'], action)`);
    const actions = async (query: string) => (await read(`?from=${from}&${query}`)).entries.map(({ action }) => action);
    expect(await actions('action=sample')).toEqual(['sample.two', 'sample.one']);
    expect(await actions('action=sample.one')).toEqual(['sample.one']);
    expect(await actions('actor=administrator%3Abob')).toEqual(['samples.other', 'sample.two']);
    expect(await actions('subject=a')).toEqual(['samples.other', 'sample.one']);
    expect(await actions('to=2100-01-01T00:00:00Z')).toHaveLength(3);
    expect((await read(`?to=${from}&action=sample`)).entries).toEqual([]);
  });

  test('is read page by page, each entry once', async () => {
    for (const subject of ['1', '2', '3', '4', '5']) await append({ action: 'page.turn', subject });
    await setApart('page.turn', 'subject::integer');
    const seen: unknown[] = [];
    let cursor = '';
    for (;;) {
      const page = await read(`?action=page&limit=2${cursor}`);
      seen.push(...page.entries.map(({ subject }) => subject));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  test('shows before and after, and blots out what a caller forgot to leave out', async () => {
    const seed = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
    await append({
      action: 'sample.secret',
      subject: 'x',
      reason: `because of ${seed}`,
      before: { token: { currency: 'DMO' }, note: `whsec_${'a'.repeat(44)}` },
      after: { secret: 'anything', list: [seed], amount_xrp: '1.000000' },
    });
    const [entry] = (await read('?action=sample.secret')).entries;
    expect(entry).toMatchObject({
      reason: 'because of [redacted]',
      before: { token: { currency: 'DMO' }, note: '[redacted]' },
      after: { secret: '[redacted]', list: ['[redacted]'], amount_xrp: '1.000000' },
    });
  });

  test('names the field that is wrong', async () => {
    for (const [query, field] of [
      ['?from=yesterday', 'from'],
      ['?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
      ['?cursor=x', 'cursor'],
    ] as const) {
      expect(await ask('listAudit', { token, query })).toMatchObject({
        status: 400,
        body: { errors: [{ field }] },
      });
    }
  });
});
