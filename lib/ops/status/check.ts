import { afterRunning } from '#lib/base/patience.ts';

/** What a health check found. The reason of a failure is for the log, not for the public. */
export interface CheckResult<T> {
  status: 'up' | 'down';
  latencyMs: number;
  value: T | null;
  failure: unknown;
}

/** Runs one health check under a time-out of its own (`afterRunning`): a part that hangs must not make the whole answer hang. */
export async function check<T>(timeoutMs: number, run: () => Promise<T>): Promise<CheckResult<T>> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const silence = Promise.withResolvers<never>();
  const cancel = afterRunning(timeoutMs, () => silence.reject(new Error(`No answer within ${timeoutMs} ms`)));
  try {
    const value = await Promise.race([run(), silence.promise]);
    return { status: 'up', latencyMs: latencyMs(), value, failure: null };
  } catch (failure) {
    return { status: 'down', latencyMs: latencyMs(), value: null, failure };
  } finally {
    cancel();
  }
}
