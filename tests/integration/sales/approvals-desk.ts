import { createHash } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import type { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { type RaisingSale, raising } from '#tests/integration/payouts/raised.ts';
import { holders, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import type { Sale, Stage } from '#tests/integration/sales/stage.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';

export const tokenOf = (name: string): string => `token-of-${name}-in-these-tests-0123456789`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Alice has two tokens. */
const OPERATORS = ['alice', 'bob', 'carol', 'dave'];
export const ADMIN_TOKENS = [
  ...OPERATORS.map((name) => `${name}:operator:${sha256(tokenOf(name))}`),
  `alice:operator:${sha256(tokenOf('alice-2'))}`,
  `eve:read_only:${sha256(tokenOf('eve'))}`,
].join(',');

/** The ctx of an operator. */
export const as = (stage: Stage, name: string): TestCtx =>
  testCtx({
    db: stage.database.db,
    overrides: { actor: { kind: 'administrator', name, role: 'operator' }, clock: stage.ctx.clock },
  });

/** What was done, or the code of the refusal. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof PlatformError) return error.code;
      throw error;
    },
  );

export const askByApi = (name: string, body: Record<string, unknown>) =>
  ask('askForApproval', { token: tokenOf(name), body: { reason: 'ready as agreed', ...body } });
export const decideByApi = (name: string, id: unknown, decision: string) =>
  ask('decideApproval', {
    token: tokenOf(name),
    params: { id: String(id), decision },
    body: { reason: 'read and compared' },
  });
export const launchByApi = (name: string, { project }: Pick<Sale, 'project'>) =>
  ask('actOnProject', {
    token: tokenOf(name),
    params: { id: project.id, action: 'launch' },
    body: { reason: 'the day has come' },
  });

export const actionsOf = (stage: Stage, { project }: Pick<Sale, 'project'>) =>
  rowsOf(stage.database.db, 'actions', { projectId: project.id });

/** Who did what to a subject, the newest first. */
export const auditOf = async (stage: Stage, subject: string) => {
  const rows = await stage.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, subject))
    .orderBy(desc(auditEntries.createdAt));
  return rows.map(({ actor, action, reason, after }) => ({ actor, action, reason, after }));
};

/** A running sale that has earned so much. */
export async function earning(stage: Stage, xrp: number): Promise<RaisingSale> {
  const sale = await raising(stage);
  const [buyer] = (await holders(stage, sale, 1)) as [Wallet];
  await stage.pay(buyer, sale, xrp);
  await untilQuiet(stage, sale);
  return sale;
}
