import { Notice } from '../_ui/notice.tsx';

/** What of the address was not understood, and is left out. */
export const FilterFault = ({ faults }: { faults: readonly string[] }) =>
  faults.length === 0 ? null : (
    <div className="mb-5">
      <Notice tone="warn" title="Invalid filters were ignored">
        {faults.join('; ')}
      </Notice>
    </div>
  );
