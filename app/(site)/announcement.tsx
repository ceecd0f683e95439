import type { ReactNode } from 'react';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { networkName } from './_data/network-name.ts';
import { pageCtx } from './_data/page-ctx.ts';
import { Time } from './_ui/time.tsx';

const MAIN_NET = 0;

const Line = ({ children }: { children: ReactNode }) => (
  <p className="mx-auto max-w-6xl px-4 py-2 text-sm sm:px-6">{children}</p>
);

/** What holds for every page: that it is no real sale, and the work that the operators have announced while it lasts. */
export async function Announcement() {
  const { maintenance, network_id } = await getStatus(await pageCtx());
  return (
    <aside aria-label="Notices" className="border-b border-warn/30 bg-warn-soft text-warn empty:hidden">
      {network_id !== MAIN_NET && (
        <Line>
          <strong className="font-semibold">Test network:</strong> this site runs on {networkName(network_id)}. Nothing
          here has value; send no real XRP.
        </Line>
      )}
      {maintenance !== null && (
        <Line>
          <strong className="font-semibold">Maintenance:</strong> {maintenance.message}
          {maintenance.expected_end_at !== null && (
            <>
              {' '}
              Expected to end <Time at={maintenance.expected_end_at} />.
            </>
          )}
        </Line>
      )}
    </aside>
  );
}
