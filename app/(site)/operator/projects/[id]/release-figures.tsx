import type { ReactNode } from 'react';
import type { getRelease } from '#lib/payouts/release/read-release.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { Address } from '../../../_ui/hash.tsx';

type Figures = Awaited<ReturnType<typeof getRelease>>;

/** What was raised, and what of it may go to the treasury now; why not more. */
export const ReleaseFigures = ({ figures, children }: { figures: Figures; children?: ReactNode }) => (
  <>
    <Facts>
      <Fact name="Treasury, as anchored">
        <Address address={figures.treasury ?? ''} />
      </Fact>
      <Fact name="Raised, less refunds">
        <Xrp isExact value={figures.raised_xrp} />
      </Fact>
      <Fact name={figures.status === 'completed' ? 'Earned (the sale is over)' : 'Earned (its tokens have arrived)'}>
        <Xrp isExact value={figures.earned_xrp} />
      </Fact>
      <Fact name="Released">
        <Xrp isExact value={figures.released_xrp} />
      </Fact>
      <Fact name="Releasable now">
        <Xrp isExact value={figures.releasable_xrp} className="font-semibold" />
      </Fact>
      {children}
    </Facts>
    {figures.not_releasable_reason !== null && (
      <p className="my-3 text-sm text-soft">{figures.not_releasable_reason}</p>
    )}
  </>
);
