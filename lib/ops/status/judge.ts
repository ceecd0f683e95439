import { CAUSES, type Cause, HEALTH_RANK, type HealthStatus, PARTS, type Part } from './causes.ts';
import type { SystemStatus } from './contracts.ts';
import { isViolated } from './read-figures.ts';

/** A healthy network closes a ledger every few seconds; after this it, or the server we read, has stopped. */
export const STALE_LEDGER_SECONDS = 60;
/** A server this many ledgers behind another one, about a minute, is not merely a moment late. */
export const BEHIND_LEDGERS = 15;
/** About eight minutes of ledgers: more than a run of the minutely cron ever leaves unread. */
const UNREAD_LEDGERS = 128;

/** What a reading shows of the parts, before it is judged. */
export type Shown = Pick<SystemStatus, 'checks' | 'ledger' | 'metrics' | 'invariants'>;

function ledgerCauses({ checks, ledger }: Shown): Cause[] {
  const { servers } = ledger;
  // Which server answered first is chance: when all are away that is one cause, not two.
  if (checks.ledger.status === 'down') return ['ledger_down'];
  const found: Cause[] = [];
  if (ledger.age_seconds !== null && ledger.age_seconds > STALE_LEDGER_SECONDS) found.push('ledger_stale');
  if (servers.some(({ status }) => status === 'down')) found.push('ledger_server_down');
  if (servers.some(({ behind }) => (behind ?? 0) > BEHIND_LEDGERS)) found.push('ledger_server_behind');
  if (servers.some(({ agrees }) => agrees === false)) found.push('ledger_servers_disagree');
  return found;
}

/** Why the platform is not operational, the worst first; nothing when it is. What nobody can tell is no cause. Pure. */
export function findCauses(shown: Shown): Cause[] {
  const { checks, ledger, metrics, invariants } = shown;
  if (checks.database.status === 'down') return ['database_down', ...partCauses(shown)];
  const found = partCauses(shown);
  if (metrics === null) found.push('metrics_missing');
  if ((ledger.lag ?? 0) > UNREAD_LEDGERS) found.push('processing_behind');
  if (metrics?.jobs.some(({ late }) => late === true)) found.push('job_late');
  if (isViolated(invariants)) found.push('invariant_violated');
  return found;
}

function partCauses(shown: Shown): Cause[] {
  const { cache, queue } = shown.checks;
  return [
    ...ledgerCauses(shown),
    ...(cache.status === 'down' ? (['cache_down'] as const) : []),
    ...(queue.status === 'down' ? (['queue_down'] as const) : []),
  ];
}

/** Where a part stands, and what is told of it. */
export interface PartHealth {
  status: HealthStatus;
  detail: string;
}

/**
 * Down without the database, because nothing works then; degraded for any other cause, because payments are then only
 * late: the ledger keeps them. Pure.
 */
export function overallStatus(causes: readonly Cause[]): HealthStatus {
  if (causes.includes('database_down')) return 'down';
  return causes.length === 0 ? 'operational' : 'degraded';
}

/** The health of every part, `platform` being all of them together. Pure. */
export function partHealth(causes: readonly Cause[]): Record<Part, PartHealth> {
  const healthOf = (part: Part): PartHealth => {
    const effects = causes
      .map((cause) => CAUSES[cause])
      .filter((effect) => part === 'platform' || effect.part === part);
    if (effects.length === 0) return { status: 'operational', detail: 'All is well again.' };
    const worst = effects.reduce((a, b) => (HEALTH_RANK[b.status] > HEALTH_RANK[a.status] ? b : a));
    const status = part === 'platform' ? overallStatus(causes) : worst.status;
    return { status, detail: effects.map(({ detail }) => detail).join(' ') };
  };
  return Object.fromEntries(PARTS.map((part) => [part, healthOf(part)])) as Record<Part, PartHealth>;
}
