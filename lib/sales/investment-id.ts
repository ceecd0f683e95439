import { derivedId } from '#lib/base/ids.ts';

/** An investment's id follows from its payment's transaction hash, so that one payment cannot make two. */
export const investmentId = (txHash: string): string => derivedId('inv', txHash);
