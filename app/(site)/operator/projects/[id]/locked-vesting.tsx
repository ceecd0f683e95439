import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens } from '../../../_ui/amounts.tsx';
import { Card } from '../../../_ui/card.tsx';
import { LockedDays } from '../../../sales/[slug]/locked-vesting.tsx';

/** What vesting owes and the platform has locked, day by day; nothing before that is worked out, and where it is nothing. */
export async function LockedVesting({
  ctx,
  project,
}: {
  ctx: Parameters<typeof getLockedVesting>[0] & { clock: { nowMs(): number } };
  project: ProjectResource;
}) {
  const locked = project.vesting_locked ? await getLockedVesting(ctx, project.id) : null;
  if (locked === null || locked.days.length === 0) return null;
  const { token } = project;
  return (
    <Card
      id="locked-vesting"
      title="Investors’ unvested tokens"
      lead="Each day’s tokens are in escrow until the day begins. Then the platform finishes the escrow, and sends them to the investors."
    >
      <div className="space-y-3">
        <p>
          <Tokens value={locked.in_escrow} token={token} /> of <Tokens value={locked.tokens} token={token} /> are in
          escrow
        </p>
        <LockedDays days={locked.days} token={token} nowMs={ctx.clock.nowMs()} />
      </div>
    </Card>
  );
}
