import { isValidClassicAddress } from 'ripple-address-codec';
import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';

/** A number of the database, with room for a page behind it. */
const place = z
  .int()
  .min(1)
  .max(2 ** 30);

const listPlace = z.tuple([
  z.string().regex(idPattern('sync')),
  z
    .string()
    .max(250)
    .regex(/^\d+(?:\.\d+)?$/),
  z.string().refine(isValidClassicAddress),
  place,
  place,
]);

/** The last holder of a page: in which snapshot, with which balance, and as which of them all. */
export interface ListPlace {
  syncId: string;
  balance: string;
  account: string;
  rank: number;
  /** 1 for the first of the list; ranks skip, positions do not. */
  position: number;
}

export const encodePlace = ({ syncId, balance, account, rank, position }: ListPlace): string =>
  Buffer.from(JSON.stringify([syncId, balance, account, rank, position])).toString('base64url');

/** Throws `invalid_request` when the cursor is not one of this list. */
export function decodePlace(cursor: string | undefined): ListPlace | null {
  if (cursor === undefined) return null;
  try {
    const [syncId, balance, account, rank, position] = listPlace.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')),
    );
    return { syncId, balance, account, rank, position };
  } catch (cause) {
    const message = 'is not a cursor of this list';
    throw new PlatformError('invalid_request', `cursor: ${message}`, {
      cause,
      errors: [{ field: 'cursor', message }],
    });
  }
}
