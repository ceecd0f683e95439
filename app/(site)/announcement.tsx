import { getStatus } from '#lib/ops/status/get-status.ts';
import { pageCtx } from './_data/page-ctx.ts';
import { Time } from './_ui/time.tsx';

/** The work that the operators have announced, above every page while it lasts. */
export async function Announcement() {
  const { maintenance } = await getStatus(await pageCtx());
  if (maintenance === null) return null;
  return (
    <div className="border-b border-warn/30 bg-warn-soft text-warn">
      <p className="mx-auto max-w-6xl px-4 py-2.5 text-sm sm:px-6">
        <strong className="font-semibold">Maintenance:</strong> {maintenance.message}
        {maintenance.expected_end_at !== null && (
          <>
            {' '}
            Expected to end <Time at={maintenance.expected_end_at} />.
          </>
        )}
      </p>
    </div>
  );
}
