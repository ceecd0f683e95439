import { sql } from 'drizzle-orm';
import { Agent } from 'undici';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { sendTestEvent } from '#lib/webhooks/testing/send-test-event.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const { dispatch, allDeliveries, allAttempts, expireLeases } = desk;

/** Makes Postgres itself refuse to store attempts where `when` holds for one of them. */
async function refuseToStore(when: string): Promise<void> {
  const { db } = desk.stage.ctx;
  await db.execute(sql`create sequence refusals`);
  await db.execute(
    sql.raw(`create function refuse() returns trigger language plpgsql as $$
      begin if ${when} then raise exception 'out of memory' using errcode = '53200'; end if; return new; end $$`),
  );
  await db.execute(
    sql`create trigger refuse before insert on delivery_attempts for each row execute function refuse()`,
  );
}
const storeAgain = async () => {
  await desk.stage.ctx.db.execute(sql`drop function if exists refuse cascade`);
  await desk.stage.ctx.db.execute(sql`drop sequence if exists refusals`);
};
afterEach(storeAgain);

test('outcomes outlive a statement that failed: they are stored, and no receiver gets an event again', async () => {
  // A sequence is not rolled back: the first two statements fail.
  await refuseToStore(`nextval('refusals') <= 2`);
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db, 30);
  expect(await dispatch()).toMatchObject({ attempted: 30, success: 30, more: false });
  expect(desk.receiver.received).toHaveLength(30);
  expect((await allDeliveries()).every((row) => row.status === 'success' && row.leasedUntil === null)).toBe(true);
  expect(await allAttempts()).toHaveLength(30);
});

test('an outcome that cannot be stored keeps no other from being stored', async () => {
  desk.receiver.answerWith((n, response) => response.writeHead(200).end(n === 5 ? 'poison' : 'fine'));
  await refuseToStore(`new.response_body = 'poison'`);
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db, 30);
  expect(await dispatch()).toMatchObject({ attempted: 30, success: 29 });
  const rows = await allDeliveries();
  expect(rows.filter((row) => row.status === 'success')).toHaveLength(29);
  expect(rows.filter((row) => row.leasedUntil !== null)).toMatchObject([{ status: 'pending', nextAttempt: 1 }]);
});

test('while outcomes cannot be stored nothing more begins, whatever is claimed', async () => {
  const { ctx } = desk.stage;
  const warn = vi.spyOn(ctx.log, 'warn');
  onTestFinished(() => warn.mockRestore());
  desk.receiver.answerWith((_n, response) => setTimeout(() => response.writeHead(200).end(), 50));
  await newWebhook(ctx, desk.receiver.url);
  await reportInvestments(ctx.db, 80);
  const dispatching = dispatch();
  await expect.poll(() => desk.receiver.received.length, { interval: 5 }).toBeGreaterThan(8);
  await refuseToStore('true');
  const before = warn.mock.calls.length;
  await expect.poll(() => warn.mock.calls.length, { interval: 5 }).toBeGreaterThan(before);
  const begun = desk.receiver.received.length;
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(before + 3);
  // Those that had begun have arrived since.
  expect(desk.receiver.received.length).toBeLessThanOrEqual(begun + 8);
  await storeAgain();
  expect(await dispatching).toMatchObject({ attempted: 80, success: 80 });
  expect(desk.receiver.received).toHaveLength(80);
});

test('what cannot be stored at all leaves its claims to run out, and its connections are closed', async () => {
  await refuseToStore('true');
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db, 3);
  const destroyed = vi.spyOn(Agent.prototype, 'destroy');
  await expect(dispatch()).rejects.toThrow();
  expect(destroyed).toHaveBeenCalled();
  destroyed.mockRestore();
  const claimed = (await allDeliveries()).filter((row) => row.leasedUntil !== null).length;
  expect(claimed).toBeGreaterThan(0);
  await storeAgain();
  await expireLeases();
  expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ released: claimed });
  expect(await dispatch()).toMatchObject({ success: 3 });
});

test('the outcome of a retry, and that of a test event, outlive a statement that failed', async () => {
  desk.receiver.answerWith(status(500));
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db);
  await dispatch();
  await refuseToStore(`nextval('refusals') = 1`);
  desk.receiver.answerWith(status(200));
  await desk.stage.advance(5);
  await expect.poll(async () => (await allDeliveries())[0]?.status).toBe('success');
  expect(desk.receiver.received).toHaveLength(2);
  await storeAgain();
  await refuseToStore(`nextval('refusals') = 1`);
  const sent = await sendTestEvent(developer, {
    webhook_id: webhook.id,
    event_type: 'investment.created',
    test_data: {},
  });
  expect(sent).toMatchObject({ status: 'success' });
});
