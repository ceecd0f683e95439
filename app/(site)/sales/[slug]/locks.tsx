import type { LockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import type { UnsoldLock } from '#lib/sales/published/get-unsold-lock.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Address, Hash } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';
import { isToCome, locksNoVesting, VestingLocks } from './locked-vesting.tsx';

type Lock = ProjectResource['locks'][number];

interface Props {
  project: ProjectResource;
  nowMs: number;
}

/** A launch is refused until each lock is proven, and nothing ends an escrow before its time: a clock tells the rest. */
function stateOf({ until }: Lock, { status }: ProjectResource, nowMs: number): { says: string; tone: Tone } {
  if (status === 'draft') return { says: 'Promised', tone: 'neutral' };
  return Date.parse(until) > nowMs ? { says: 'Locked', tone: 'good' } : { says: 'Ended', tone: 'neutral' };
}

/** What the platform has locked at the end of the sale, as far as the terms promise it. */
interface AtEnd {
  unsold: UnsoldLock | null;
  vesting: LockedVesting | null;
}

/** Tokens that cannot move before a time, each with the transactions that prove it. */
export function Locks({ project, unsold, vesting, nowMs }: Props & AtEnd) {
  const { locks, unsold_until: unsoldUntil, vesting_locked: isVestingLocked } = project;
  if (locks.length === 0 && unsoldUntil === null && !isVestingLocked) return null;
  return (
    <Card id="locks" title="Locked tokens" lead={leadOf(project, { unsold, vesting }, nowMs)}>
      <ul className="divide-y divide-line">
        {project.locks.map((lock, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the terms keep their order
          <li key={index} className="space-y-2 py-3 first:pt-0 last:pb-0">
            <Line lock={lock} project={project} nowMs={nowMs} />
          </li>
        ))}
        {unsoldUntil !== null && (
          <li className="space-y-2 py-3 first:pt-0 last:pb-0">
            <Unsold project={project} until={unsoldUntil} unsold={unsold} nowMs={nowMs} />
          </li>
        )}
        {isVestingLocked && (
          <li className="space-y-2 py-3 first:pt-0 last:pb-0">
            <VestingLocks project={project} locked={vesting} nowMs={nowMs} />
          </li>
        )}
      </ul>
    </Card>
  );
}

const STANDS =
  'Escrows on the ledger hold these tokens, and nobody can release one before its time. The check under “Verify this sale” finds each of them on the ledger.';

function leadOf(project: ProjectResource, { unsold, vesting }: AtEnd, nowMs: number): string {
  const { locks, status, unsold_until: unsoldUntil, vesting_locked: isVestingLocked } = project;
  if (locks.length > 0) {
    return status === 'draft' ? 'The launch is refused until escrows on the ledger lock these tokens.' : STANDS;
  }
  const isOver = status === 'completed' || status === 'cancelled';
  const promised = [
    {
      isPromised: unsoldUntil !== null,
      isOwed: !isOver || unsold !== null,
      isMade: unsold !== null && unsold.transaction_hash !== null,
      what: 'what the sale does not sell',
    },
    {
      isPromised: isVestingLocked,
      isOwed: !locksNoVesting(project, vesting),
      isMade: vesting !== null && !vesting.days.some((day) => isToCome(day, nowMs)),
      what: 'the investors’ unvested tokens',
    },
  ].filter(({ isPromised }) => isPromised);
  const owed = promised.filter(({ isOwed }) => isOwed);
  const toCome = owed.filter(({ isMade }) => !isMade);
  const text = (each: typeof promised): string => each.map(({ what }) => what).join(' and ');
  if (owed.length === 0) return `The terms promised to lock ${text(promised)}. ${whyNothing(project)}`;
  if (toCome.length === 0) return STANDS;
  return `Escrows on the ledger will hold ${text(toCome)}, and nobody can release one before its time.`;
}

/** Why a sale that is over has nothing to lock. */
function whyNothing({ status, unsold_until: unsoldUntil, vesting_locked: isVestingLocked }: ProjectResource): string {
  if (status === 'cancelled') return 'The sale was cancelled: what was paid for tokens that were not sent is refunded.';
  const reasons = [
    ...(unsoldUntil === null ? [] : ['it sold all its tokens, or ended after the promised time']),
    ...(isVestingLocked ? ['nothing is due to investors on a day that begins two days or more after its end'] : []),
  ];
  return `There is nothing to lock: ${reasons.join(', and ')}.`;
}

/** What becomes of the tokens that the sale does not sell: a promise before its end, an escrow after it. */
function Unsold({ project, until, unsold, nowMs }: Props & { until: string; unsold: UnsoldLock | null }) {
  const { says, tone } = unsoldState(project, until, unsold, nowMs);
  const hash = unsold?.transaction_hash ?? null;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">Unsold tokens</span>
        {unsold !== null && <Tokens value={unsold.tokens} token={project.token} />}
        <Badge tone={tone}>{says}</Badge>
      </p>
      {says !== 'Nothing to lock' && (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-soft">{says === 'Ended' ? 'Could be released since' : 'Stay locked until'}</dt>
          <dd>
            <Time at={until} />
          </dd>
          <dt className="text-soft">Released to</dt>
          <dd>
            <Address address={project.distributor} /> (the distributor, which holds the tokens of the sale)
          </dd>
          <dt className="text-soft">Escrow</dt>
          <dd>{hash === null ? 'not yet: it is created after the end of the sale' : <Hash hash={hash} />}</dd>
        </dl>
      )}
    </>
  );
}

function unsoldState(
  { status }: ProjectResource,
  until: string,
  unsold: UnsoldLock | null,
  nowMs: number,
): { says: string; tone: Tone } {
  if (status !== 'completed' && status !== 'cancelled') return { says: 'Promised', tone: 'neutral' };
  if (unsold === null) return { says: 'Nothing to lock', tone: 'neutral' };
  if (unsold.transaction_hash === null) return { says: 'Being locked', tone: 'warn' };
  return Date.parse(until) > nowMs ? { says: 'Locked', tone: 'good' } : { says: 'Ended', tone: 'neutral' };
}

function Line({ lock, project, nowMs }: { lock: Lock; project: ProjectResource; nowMs: number }) {
  const { label, receiver, amount, until, escrows } = lock;
  const { says, tone } = stateOf(lock, project, nowMs);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{label}</span>
        <Tokens value={amount} token={project.token} />
        <Badge tone={tone}>{says}</Badge>
      </p>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-soft">{says === 'Ended' ? 'Could be released since' : 'Until'}</dt>
        <dd>
          <Time at={until} />
        </dd>
        <dt className="text-soft">For</dt>
        <dd>
          <Address address={receiver} />
        </dd>
        <dt className="text-soft">Escrows</dt>
        <dd className="flex flex-wrap gap-x-3 gap-y-1">
          {escrows.length === 0
            ? 'none yet'
            : escrows.map(({ transaction_hash: hash }) => <Hash key={hash} hash={hash} />)}
        </dd>
      </dl>
    </>
  );
}
