import { getUnsoldLock } from '#lib/sales/published/get-unsold-lock.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens } from '../../../_ui/amounts.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Code } from '../../../_ui/code.tsx';
import { Time } from '../../../_ui/time.tsx';

/** How the unsold tokens of a sale come out of their escrow: what to sign, once its time has passed. */
export async function UnsoldRelease({
  ctx,
  project,
}: {
  ctx: Parameters<typeof getUnsoldLock>[0] & { clock: { nowMs(): number } };
  project: ProjectResource;
}) {
  const { id, token, unsold_until: until } = project;
  const lock = until === null ? null : await getUnsoldLock(ctx, id);
  if (until === null || lock === null || lock.finish === null) return null;
  const isOver = Date.parse(until) <= ctx.clock.nowMs();
  return (
    <Card
      id="unsold"
      title="Unsold tokens"
      lead={
        isOver
          ? 'Their time has passed. Any account can sign this, and the tokens go back to the distributor.'
          : 'They are in escrow. After the time this page shows what to sign.'
      }
    >
      <div className="space-y-3">
        <p>
          <Tokens value={lock.tokens} token={token} />, locked until <Time at={until} />
        </p>
        {isOver && <Code text={JSON.stringify(lock.finish, null, 2)} label="transaction that releases unsold tokens" />}
      </div>
    </Card>
  );
}
