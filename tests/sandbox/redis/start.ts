import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';

/** With REDIS_TEST_URL the same guarantees are checked in front of a real Redis; its data are flushed. */
export const redisUrl = process.env.REDIS_TEST_URL;

export function startTestRedis(token = 't'): Promise<RunningRedisRest> {
  return startRedisRest({ token, redisUrl });
}
