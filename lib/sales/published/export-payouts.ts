import { type PublishedPayout, publishedPayout } from '@tranche/verifier/published.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject, type ProjectRow } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import { saleAsOf } from './ended-by.ts';
import type { Exported } from './export-payments.ts';
import { openPaid, openPayouts } from './open-rows.ts';
import { paidPlace, payoutPlace } from './places.ts';
import { atMost, CONTENT_TYPE, type ExportFormat, rowsAsText } from './rows-as-text.ts';

const COLUMNS = Object.keys(publishedPayout.shape) as (keyof PublishedPayout)[];

interface Asked {
  id: string;
  format: ExportFormat;
  order: 'payment' | 'ledger';
  as_of?: number | undefined;
  limit?: number | undefined;
  account?: string | undefined;
  cursor?: string | undefined;
}

/**
 * Every payout of a project: what is validated up to the ledger `as_of` with its transaction, all others as owed or
 * cancelled. Throws `project_not_found`, and `invalid_request` for a ledger that is not confirmed yet or a cursor of the
 * other order, `ledger_unavailable` (ended-by.ts).
 */
export async function exportPayouts(ctx: Ctx, input: Asked): Promise<Exported> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  return {
    contentType: CONTENT_TYPE[input.format],
    chunks: rowsAsText(atMost(await pagesOf(ctx, project, asOf, input), input.limit), COLUMNS, input.format),
    headers: {
      vary: 'accept',
      'x-as-of-ledger': String(asOf),
      'content-disposition': `attachment; filename="${project.slug}-payouts-${asOf}.${input.format}"`,
    },
  };
}

const invalid = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });

async function pagesOf(ctx: Ctx, project: ProjectRow, asOf: number, { order, account, cursor }: Asked) {
  if (order === 'payment') {
    if (account !== undefined) throw invalid('account', 'goes with order=ledger only');
    const after = cursor === undefined ? null : payoutPlace(cursor);
    if (cursor !== undefined && after === null) throw invalid('cursor', 'belongs to order=ledger');
    return openPayouts(ctx.db, project, await saleAsOf(ctx, project, asOf), after);
  }
  const after = cursor === undefined ? null : paidPlace(cursor);
  if (cursor !== undefined && after === null) throw invalid('cursor', 'belongs to order=payment');
  return openPaid(ctx.db, project, asOf, account ?? null, after);
}
