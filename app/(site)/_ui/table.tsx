import type { ReactNode } from 'react';

/** What is wider than a narrow screen scrolls within itself, also by keyboard. */
export const Scrolling = ({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) => (
  <section aria-label={label} tabIndex={0} className={`relative overflow-x-auto ${className}`}>
    {children}
  </section>
);

/** A table that scrolls within itself on a narrow screen. `caption` is said, and shown only when `isTitled`. */
export function Table({
  caption,
  columns,
  children,
}: {
  caption: string;
  /** Headings; one that ends in `>` stands over figures, at the right. */
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <Scrolling label={caption} className="-mx-5 px-5 sm:-mx-6 sm:px-6">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-soft">
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`py-2 pr-4 font-medium whitespace-nowrap last:pr-0 ${column.endsWith('>') ? 'text-right' : ''}`}
              >
                {column.replace(/>$/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </Scrolling>
  );
}

export const Cell = ({ isFigure = false, children }: { isFigure?: boolean; children: ReactNode }) => (
  <td className={`py-2.5 pr-4 align-baseline last:pr-0 ${isFigure ? 'figures text-right whitespace-nowrap' : ''}`}>
    {children}
  </td>
);
