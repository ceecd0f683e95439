import { type PublishedPayment, publishedPayment } from '@tranche/verifier/published.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import { openPayments } from './open-rows.ts';
import type { DecisionPlace } from './places.ts';
import { atMost, CONTENT_TYPE, type ExportFormat, rowsAsText } from './rows-as-text.ts';

const COLUMNS = Object.keys(publishedPayment.shape) as (keyof PublishedPayment)[];

/** An answer that is written page by page while it is read. */
export interface Exported {
  contentType: string;
  chunks: AsyncIterable<string>;
  headers: Record<string, string>;
}

/**
 * Every decision about a project's payments as of a confirmed ledger. Throws `project_not_found`, and `invalid_request` for
 * a ledger that is not confirmed yet.
 */
export async function exportPayments(
  ctx: Ctx,
  input: {
    id: string;
    format: ExportFormat;
    as_of?: number | undefined;
    limit?: number | undefined;
    cursor?: DecisionPlace | undefined;
  },
): Promise<Exported> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  return {
    contentType: CONTENT_TYPE[input.format],
    chunks: rowsAsText(
      atMost(openPayments(ctx.db, project, asOf, input.cursor ?? null), input.limit),
      COLUMNS,
      input.format,
    ),
    headers: {
      vary: 'accept',
      'x-as-of-ledger': String(asOf),
      'content-disposition': `attachment; filename="${project.slug}-payments-${asOf}.${input.format}"`,
    },
  };
}
