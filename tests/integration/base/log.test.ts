import { DrizzleQueryError } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { problemResponse } from '#lib/api/problem.ts';
import { applyEnv } from '#lib/base/env.ts';
import { logger, serialiseError } from '#lib/base/log.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import { DEPOSIT } from '#tests/support/sale.ts';

let database: FreshDatabase;

beforeAll(async () => {
  applyEnv(testEnv({ LOG_LEVEL: 'debug' }));
  database = await freshDatabase();
});
afterAll(() => database?.close());

/** Stands for a signed transaction: whoever reads it can submit it. */
const BLOB = `1200032400000014${'AB'.repeat(120)}`;

/** The failure of a real statement: there is no such project. */
async function failedStatement(txBlob = BLOB): Promise<DrizzleQueryError> {
  try {
    await addRows(database.db, 'actions', {
      txHash: 'F'.repeat(64),
      account: DEPOSIT,
      projectId: 'nobody',
      action: 'launch',
      status: 'submitted',
      txBlob,
    });
  } catch (error) {
    if (error instanceof DrizzleQueryError) return error;
    throw error;
  }
  throw new Error('The statement did not fail');
}

/** Everything that `write` writes to the log. */
function logged(write: () => void): string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  try {
    write();
  } finally {
    spy.mockRestore();
  }
  return lines.join('');
}

describe('a failed statement', () => {
  it('quotes its parameters, in message and stack: what the log must leave out', async () => {
    const failure = await failedStatement();
    expect(failure.message).toContain(BLOB);
    expect(failure.stack).toContain(BLOB);
  });

  it('is logged with its text and its cause, without its parameters', async () => {
    const text = JSON.stringify(serialiseError(await failedStatement()));
    expect(text).not.toContain(BLOB);
    expect(text).toContain('insert into');
    expect(text).toContain('params: [left out]');
    // The way to the statement and the database's own word stay.
    expect(text).toContain('failedStatement');
    expect(text).toContain('violates foreign key constraint');
    expect(text).toContain('"code":"23503"');
  });

  it('is as silent as the cause of a cause', async () => {
    const failure = await failedStatement();
    const wrapped = new Error('the action was not written', {
      cause: new Error('the database refused', { cause: failure }),
    });
    const quoting = new Error(`retry failed: ${failure.message}`, { cause: failure });
    for (const error of [wrapped, quoting]) {
      const text = JSON.stringify(serialiseError(error));
      expect(text).not.toContain(BLOB);
      expect(text).toContain('violates foreign key constraint');
    }
    expect(JSON.stringify(serialiseError(wrapped))).toContain('the database refused');
  });

  it('leaves no parameter in a line of the log, under either name of an error', async () => {
    const failure = await failedStatement();
    const text = logged(() => {
      logger().error({ err: failure }, 'not written');
      logger()
        .child({ request_id: 'req_1' })
        .warn({ error: new Error('outer', { cause: failure }) }, 'not written');
    });
    expect(text.match(/not written/g)).toHaveLength(2);
    expect(text).not.toContain(BLOB);
  });

  it('leaves no parameter in the log of a request that it ended, nor in the answer', async () => {
    const failure = await failedStatement();
    let answer: Response | undefined;
    const text = logged(() => {
      answer = problemResponse(failure, 'req_1', logger);
    });
    expect(text).toContain('Failed query');
    expect(text).not.toContain(BLOB);
    expect(await answer?.text()).not.toMatch(/Failed query|insert into|params/);
  });

  it('leaves out a parameter of several lines, even one that looks like a stack', async () => {
    const failure = await failedStatement(`first line\n    at second line\n${BLOB}`);
    expect(failure.message).toContain(BLOB);
    expect(JSON.stringify(serialiseError(failure))).not.toContain(BLOB);
  });
});
