import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';

async function refuse(): Promise<never> {
  throw new Error('A tool of the assistant tried to change something');
}

/** A ctx that reads, from the given database or transaction: it acts for nobody, and its ledger and queue take nothing. */
export const readingCtx = (ctx: Ctx, db: Db): Ctx => ({
  db,
  get redis() {
    return ctx.redis;
  },
  get queue() {
    return { ...ctx.queue, publish: refuse };
  },
  get ledger() {
    return { ...ctx.ledger, submit: refuse };
  },
  clock: ctx.clock,
  random: ctx.random,
  actor: { kind: 'anonymous' },
  requestId: ctx.requestId,
  log: ctx.log,
});
