import { notFound } from 'next/navigation';
import { PlatformError } from '#lib/base/errors.ts';

/** What was read, or the page that says there is no such thing, also where the address asks for what cannot be. Other failures stay failures. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (err) {
    if (err instanceof PlatformError && (err.status === 404 || err.status === 400)) notFound();
    throw err;
  }
}
