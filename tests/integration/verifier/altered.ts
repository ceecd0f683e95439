import { reportOf, type VerificationReport } from '@tranche/verifier/report.ts';
import type { LedgerSource, PublishedSource } from '@tranche/verifier/types.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import type { Sale, Stage } from '#tests/integration/sales/stage.ts';

interface Over {
  asOf?: number;
  ledger?: LedgerSource;
}

/** Verifies what a platform publishes that answers otherwise than the books say. */
export async function verifyAltered(
  stage: Stage,
  { project }: Pick<Sale, 'project'>,
  alter: (honest: PublishedSource) => Partial<PublishedSource>,
  { asOf, ledger = stage.ctx.ledger }: Over = {},
): Promise<VerificationReport> {
  const honest = databaseSource(stage.ctx);
  const { progress, inputs } = await verifySale({
    source: { ...honest, ...alter(honest) },
    ledger,
    projectId: project.id,
    asOf: asOf ?? null,
    progress: null,
    pageDone: async () => true,
  });
  return reportOf(progress, inputs);
}

/** Pages with each row replaced by others. */
export async function* replacing<Row>(
  pages: AsyncIterable<readonly Row[]>,
  by: (row: Row) => readonly Row[],
): AsyncGenerator<Row[]> {
  for await (const page of pages) yield page.flatMap(by);
}

/** What a report names, without its texts. */
export const namesOf = ({ differences }: VerificationReport) => differences.map(({ kind, subject }) => [kind, subject]);

/** Decides and pays all that is open. */
export async function quiet(stage: Stage, sale: Sale): Promise<void> {
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
}
