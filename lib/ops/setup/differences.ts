import { sha256Hex } from '#lib/base/secretbox.ts';
import type { FoundSchedule } from './found-schedule.ts';
import type { WantedSchedule } from './wanted-schedules.ts';

function sentCredential(header: FoundSchedule['header']): string | undefined {
  const entry = Object.entries(header ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return entry?.[1][0];
}

/** QStash shows a redacted header as a hash of it. A hash of a form we do not know tells nothing, and counts as the same. */
function hasCredential(header: FoundSchedule['header'], authorization: string): boolean {
  const sent = sentCredential(header);
  if (sent === undefined) return false;
  const hash = /^REDACTED:([0-9a-f]{64})$/i.exec(sent)?.[1];
  if (hash !== undefined) return hash.toLowerCase() === sha256Hex(authorization);
  return sent.startsWith('REDACTED:') || sent === authorization;
}

/** In what a schedule is not what it should be, in words; nothing when it is. */
export function differences(wanted: WantedSchedule, found: FoundSchedule): string[] {
  const { destination, cron, authorization } = wanted;
  return [
    found.destination === destination ? null : `it calls ${found.destination}`,
    found.cron === cron ? null : `it runs at "${found.cron}"`,
    found.method === 'GET' ? null : `it calls by ${found.method}`,
    hasCredential(found.header, authorization) ? null : 'it sends another CRON_SECRET',
    found.isPaused ? 'it is paused' : null,
  ].filter((one) => one !== null);
}
