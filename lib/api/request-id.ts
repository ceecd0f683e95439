import { randomBytes } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';

/** Drawn at once for some ninety names: the operating system is asked that much more seldom. */
const POOL_BYTES = 4_096;

let pool: Uint8Array = new Uint8Array(0);

/** Each byte is given out once. */
function pooledBytes(size: number): Uint8Array {
  if (pool.length < size) pool = randomBytes(POOL_BYTES);
  const taken = pool.subarray(0, size);
  pool = pool.subarray(size);
  return taken;
}

/** A new name for a request, in its answer and in the logs; no secret. */
export const newRequestId = (): string => newId('req', pooledBytes);
