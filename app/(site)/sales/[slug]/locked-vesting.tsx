import type { LockedDay, LockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { formatDate } from '../../_ui/format.ts';
import { Address, Hash } from '../../_ui/hash.tsx';
import { Folding } from './folding.tsx';

type Token = ProjectResource['token'];
interface State {
  says: string;
  tone: Tone;
}

/** Whether a sale that has ended locks nothing of its vesting: it is cancelled, nobody has bought, or all is due within days. */
export const locksNoVesting = ({ status }: ProjectResource, locked: LockedVesting | null): boolean =>
  locked === null ? status === 'cancelled' : locked.days.length === 0;

/** What becomes of tokens that are bought and not due yet: a promise before the end of the sale, an escrow for each day after it. */
export function VestingLocks({
  project,
  locked,
  nowMs,
}: {
  project: ProjectResource;
  locked: LockedVesting | null;
  nowMs: number;
}) {
  const { says, tone } = stateOf(project, locked, nowMs);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">Investors’ unvested tokens</span>
        {locked !== null && locked.days.length > 0 && <Tokens value={locked.tokens} token={project.token} />}
        <Badge tone={tone}>{says}</Badge>
      </p>
      {says !== 'Nothing to lock' && (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-soft">Stay locked until</dt>
          <dd>{untilText(locked)}</dd>
          <dt className="text-soft">Released to</dt>
          <dd>
            <Address address={project.distributor} /> (the distributor, which sends them to the investors that day)
          </dd>
          <dt className="text-soft">Without a lock</dt>
          <dd>
            what is due on days that begin within two days of the end: the distributor sends it from what it holds
          </dd>
          {locked === null ? (
            <>
              <dt className="text-soft">Escrows</dt>
              <dd>not yet: they are created after the end of the sale</dd>
            </>
          ) : (
            <>
              <dt className="text-soft">In escrow now</dt>
              <dd>
                <Tokens value={locked.in_escrow} token={project.token} /> of{' '}
                <Tokens value={locked.tokens} token={project.token} />
              </dd>
            </>
          )}
        </dl>
      )}
      {locked !== null && locked.days.length > 0 && (
        <LockedDays days={locked.days} token={project.token} nowMs={nowMs} />
      )}
    </>
  );
}

function untilText(locked: LockedVesting | null): string {
  const last = locked?.days.at(-1);
  if (last === undefined) return 'the day on which each part is due';
  return `the day on which each part is due, the last on ${formatDate(last.until)}`;
}

function stateOf(project: ProjectResource, locked: LockedVesting | null, nowMs: number): State {
  const { status } = project;
  if (status !== 'completed' && status !== 'cancelled') return { says: 'Promised', tone: 'neutral' };
  if (locksNoVesting(project, locked)) return { says: 'Nothing to lock', tone: 'neutral' };
  const days = locked?.days ?? [];
  if (days.length === 0 || days.some((day) => isToCome(day, nowMs))) return { says: 'Being locked', tone: 'warn' };
  if (days.every((day) => day.is_released || day.transaction_hash === null)) return { says: 'Ended', tone: 'neutral' };
  return { says: 'Locked', tone: 'good' };
}

/** What is not in escrow when its day begins is paid from the balance. */
export const isToCome = ({ until, transaction_hash: hash }: LockedDay, nowMs: number): boolean =>
  hash === null && Date.parse(until) > nowMs;

function dayStateOf(day: LockedDay, nowMs: number): State {
  if (isToCome(day, nowMs)) return { says: 'Being locked', tone: 'warn' };
  if (day.transaction_hash === null) return { says: 'Not locked', tone: 'warn' };
  if (day.is_released) return { says: 'Released', tone: 'neutral' };
  return Date.parse(day.until) > nowMs ? { says: 'Locked', tone: 'good' } : { says: 'Being released', tone: 'neutral' };
}

/** The days in their order, each with what is due then and the transaction that has locked it. */
export function LockedDays({ days, token, nowMs }: { days: readonly LockedDay[]; token: Token; nowMs: number }) {
  const rows = days.map((day) => {
    const { says, tone } = dayStateOf(day, nowMs);
    return (
      <li key={day.until} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
        <span className="figures text-soft">{formatDate(day.until)}</span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Tokens value={day.tokens} token={token} />
          {day.transaction_hash !== null && <Hash hash={day.transaction_hash} />}
          <Badge tone={tone}>{says}</Badge>
        </span>
      </li>
    );
  });
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-4 border-b border-line pb-1.5 text-xs text-soft">
        <span>Locked until (00:00 UTC)</span>
        <span>Tokens, and the transaction that locked them</span>
      </p>
      <Folding rows={rows} one="more day" />
    </div>
  );
}
