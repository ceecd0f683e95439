import type { AccountObjectsRequest } from 'xrpl';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault, ledgerUnavailable } from './fault.ts';

/** Objects by which XRP or tokens leave an account later, without a signature of its own. */
const LEAVING = ['check', 'escrow', 'payment_channel', 'offer', 'nft_offer', 'delegate'] as const;
const MAX_PAGES = 60;

const objectPage = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    marker: z.unknown().optional(),
    account_objects: z.array(z.object({ Account: z.string().optional(), Owner: z.string().optional() })),
  }),
);

/** Which kinds of such objects the account itself has made, in the newest validated ledger. */
export async function readLeavingObjects(server: LedgerServer, address: string): Promise<string[]> {
  const found: string[] = [];
  for (const type of LEAVING) if (await hasOwn(server, address, type)) found.push(type);
  return found;
}

async function hasOwn(server: LedgerServer, address: string, type: (typeof LEAVING)[number]): Promise<boolean> {
  let marker: unknown;
  let ledgerIndex: AccountObjectsRequest['ledger_index'] = 'validated';
  try {
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const answer: z.output<typeof objectPage> = objectPage.parse(
        await server.request({
          command: 'account_objects',
          account: address,
          type: type as NonNullable<AccountObjectsRequest['type']>,
          ledger_index: ledgerIndex,
          limit: 400,
          ...(marker === undefined ? {} : { marker }),
        }),
      );
      // What others made for the account is listed too.
      if (answer.account_objects.some(({ Account, Owner }) => (Account ?? Owner) === address)) return true;
      ({ marker, ledger_index: ledgerIndex } = answer);
      if (marker === undefined) return false;
    }
  } catch (error) {
    // The network has no objects of this kind, or the account is not there.
    if (isFault(error, 'invalidParams', 'actNotFound')) return false;
    throw error;
  }
  throw ledgerUnavailable('The account has more objects than can be read');
}
