import { randomUUID } from 'node:crypto';
import { Cron } from 'croner';
import { HttpError } from '../http-server.ts';
import { Alarm } from './alarm.ts';
import type { VirtualClock } from './clock.ts';
import type { DeliveryOrder } from './message.ts';

/** A message published again and again. Times are milliseconds of the virtual clock. */
export interface Schedule {
  scheduleId: string;
  /** As the client wrote it, with `CRON_TZ=<zone> ` in front where it gave one. */
  cron: string;
  order: DeliveryOrder;
  createdAtMs: number;
  lastAtMs?: number;
  /** Undefined while paused, and for a pattern that never comes again. */
  nextAtMs: number | undefined;
  isPaused: boolean;
}

function parseCron(text: string): Cron {
  const [, timezone = 'UTC', pattern = text] = /^CRON_TZ=(\S+)\s+(.+)$/.exec(text) ?? [];
  try {
    return new Cron(pattern, { timezone, mode: '5-part' });
  } catch {
    throw new HttpError(400, `invalid cron: ${text}`);
  }
}

function nextAfterMs(cron: string, afterMs: number): number | undefined {
  return parseCron(cron).nextRun(new Date(afterMs))?.getTime();
}

/** Turns schedules into messages as the virtual clock passes their times. */
export class Schedules {
  readonly #schedules = new Map<string, Schedule>();
  readonly #clock: VirtualClock;
  readonly #publish: (schedule: Schedule, atMs: number) => void;
  readonly #alarm: Alarm;

  constructor(clock: VirtualClock, publish: (schedule: Schedule, atMs: number) => void) {
    this.#clock = clock;
    this.#publish = publish;
    this.#alarm = new Alarm(clock, () => this.fireDue());
  }

  /** Creates a schedule, or replaces the one of the same id. @throws HttpError 400 for a pattern that is no cron */
  put(cron: string, order: DeliveryOrder, scheduleId = `scd_${randomUUID().replaceAll('-', '')}`): Schedule {
    const nowMs = this.#clock.nowMs();
    const createdAtMs = this.#schedules.get(scheduleId)?.createdAtMs ?? nowMs;
    const schedule = { scheduleId, cron, order, createdAtMs, nextAtMs: nextAfterMs(cron, nowMs), isPaused: false };
    this.#schedules.set(scheduleId, schedule);
    this.#setAlarm();
    return schedule;
  }

  list(): Schedule[] {
    return [...this.#schedules.values()];
  }

  /** @throws HttpError 404 */
  get(scheduleId: string): Schedule {
    const schedule = this.#schedules.get(scheduleId);
    if (schedule === undefined) throw new HttpError(404, `schedule ${scheduleId} not found`);
    return schedule;
  }

  /** @throws HttpError 404 */
  delete(scheduleId: string): void {
    this.get(scheduleId);
    this.#schedules.delete(scheduleId);
    this.#setAlarm();
  }

  /** What fell into a pause is not made up for. @throws HttpError 404 */
  setPaused(scheduleId: string, isPaused: boolean): void {
    const schedule = this.get(scheduleId);
    schedule.isPaused = isPaused;
    schedule.nextAtMs = isPaused ? undefined : nextAfterMs(schedule.cron, this.#clock.nowMs());
    this.#setAlarm();
  }

  /** Publishes every time that has come, each one if several were skipped at once. */
  fireDue(): void {
    const nowMs = this.#clock.nowMs();
    for (const schedule of this.#schedules.values()) {
      while (schedule.nextAtMs !== undefined && schedule.nextAtMs <= nowMs) {
        const atMs = schedule.nextAtMs;
        schedule.lastAtMs = atMs;
        schedule.nextAtMs = nextAfterMs(schedule.cron, atMs);
        this.#publish(schedule, atMs);
      }
    }
    this.#setAlarm();
  }

  close(): void {
    this.#alarm.clear();
  }

  #setAlarm(): void {
    const times = this.list().flatMap((schedule) => schedule.nextAtMs ?? []);
    this.#alarm.setFor(times.length === 0 ? undefined : Math.min(...times));
  }
}
