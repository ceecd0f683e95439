import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { Tool, ToolResult } from './answerer.ts';
import { readingCtx } from './reading-ctx.ts';

/** Longest a look-up may take; Postgres ends a statement that would. */
const TOOL_TIMEOUT_MS = 8_000;
/** Look-ups of one process at a time: each holds a connection to the database, and payments need some too. */
const MAX_RUNNING = 3;

/** A process has one pool, so one line waits for it. */
let running = 0;
const waiting: (() => void)[] = [];

async function taken<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

interface Runnable<I extends z.ZodType, R> extends Pick<Tool<I>, 'input' | 'isShared'> {
  run(ctx: Ctx, input: z.output<I>): Promise<R>;
}

/**
 * Runs a tool where nothing can be changed: in a transaction that Postgres keeps read-only, without a queue and a ledger to
 * send to. Whoever is talked into calling a tool can look things up and no more.
 */
export const runTool = <I extends z.ZodType, R extends ToolResult>(
  ctx: Ctx,
  tool: Runnable<I, R>,
  input: z.output<I>,
): Promise<R> =>
  taken(() => {
    if (tool.isShared === true) return tool.run(readingCtx(ctx, ctx.db), input);
    return ctx.db.transaction(
      async (tx) => {
        // A query, after which a transaction cannot be made to write any more.
        await tx.execute(sql`select set_config('statement_timeout', ${String(TOOL_TIMEOUT_MS)}, true)`);
        return tool.run(readingCtx(ctx, tx), input);
      },
      { accessMode: 'read only' },
    );
  });
