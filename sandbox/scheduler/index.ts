import { readFile } from 'node:fs/promises';
import { Cron } from 'croner';
import { z } from 'zod';

export type Scheduler = {
  /** Paths and times that are served. */
  crons: { path: string; schedule: string }[];
  /** Stops firing and ends calls that are still open. */
  close(): Promise<void>;
};

export type SchedulerOptions = {
  /** A vercel.json; without `crons` in it, or without the file, nothing is scheduled. */
  cronFile: string;
  baseUrl: string;
  cronSecret: string;
  /** One line a failed call. */
  onFailure: (line: string) => void;
};

// The longest a function on Vercel may run.
const CALL_TIMEOUT_MS = 300_000;

const configSchema = z.object({
  crons: z.array(z.object({ path: z.string().startsWith('/'), schedule: z.string() })).default([]),
});

/**
 * Calls the crons of a vercel.json as Vercel does: GET, `Authorization: Bearer CRON_SECRET`, times in UTC. Unlike there,
 * a cron is not called again while its last call runs.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { crons } = configSchema.parse(JSON.parse(await readFile(options.cronFile, 'utf8').catch(() => '{}')));
  const closing = new AbortController();
  const calls = new Set<Promise<void>>();
  const call = async (path: string) => {
    const failure = await callCron(new URL(path, options.baseUrl), options.cronSecret, closing.signal);
    if (failure && !closing.signal.aborted) options.onFailure(`${path}: ${failure}`);
  };
  const jobs = crons.map(
    ({ path, schedule }) =>
      new Cron(schedule, { timezone: 'UTC', protect: true }, () => {
        const running = call(path).finally(() => calls.delete(running));
        calls.add(running);
        return running;
      }),
  );
  const close = async () => {
    for (const job of jobs) job.stop();
    closing.abort();
    await Promise.all(calls);
  };
  return { crons, close };
}

/** Why the call failed, or null. */
async function callCron(url: URL, cronSecret: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${cronSecret}`, 'User-Agent': 'vercel-cron/1.0' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const body = await response.text();
    return response.ok ? null : `${response.status} ${body.slice(0, 500)}`;
  } catch (error) {
    return error instanceof Error ? `${error.message} ${String(error.cause ?? '')}`.trim() : String(error);
  }
}
