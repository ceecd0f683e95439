import type { Snapshot } from '#lib/accounts/holders/contracts.ts';
import { formatAmount, formatCount } from '../_ui/format.ts';

type Step = Snapshot['histogram'][number];

const rangeText = ({ from, to }: Step): string =>
  to === null ? `${formatAmount(from)} and more` : `${formatAmount(from)} to ${formatAmount(to)}`;

/** Holders by balance, a bar each step; the figures stand beside the bars, so nothing depends on the picture. */
export function Histogram({ steps, unit }: { steps: readonly Step[]; unit: string }) {
  const most = Math.max(1, ...steps.map(({ holders }) => holders));
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Holders by balance in {unit}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Balance</th>
          <th scope="col">Bar</th>
          <th scope="col">Holders</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.from}>
            <th scope="row" className="figures w-px py-1 pr-4 text-right font-normal whitespace-nowrap text-soft">
              {rangeText(step)}
            </th>
            <td className="py-1" aria-hidden>
              <svg
                viewBox="0 0 100 1"
                preserveAspectRatio="none"
                className="block h-4 w-full overflow-hidden rounded"
                aria-hidden
              >
                <rect width="100" height="1" className="fill-sunken" />
                <rect width={(step.holders / most) * 100} height="1" className="fill-accent" />
              </svg>
            </td>
            <td className="figures w-px py-1 pl-4 text-right">{formatCount(step.holders)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
