import type { ReactNode } from 'react';
import { formatCounted } from '../../_ui/format.ts';

const OPEN_ROWS = 4;

/** The first rows of a list, and the others on demand; `one` is what a row is called. */
export function Folding({ rows, one = 'more part' }: { rows: readonly ReactNode[]; one?: string }) {
  const more = rows.length - OPEN_ROWS;
  return (
    <>
      <ol className="divide-y divide-line text-sm">{rows.slice(0, OPEN_ROWS)}</ol>
      {more > 0 && (
        <details>
          <summary className="link mt-2 inline-flex text-sm">{formatCounted(more, one)}</summary>
          <ol className="mt-2 divide-y divide-line text-sm">{rows.slice(OPEN_ROWS)}</ol>
        </details>
      )}
    </>
  );
}
