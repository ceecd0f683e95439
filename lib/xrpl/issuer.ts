import { z } from 'zod';
import { readAccountAnswer } from './account.ts';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { IssuerState } from './types.ts';

const issuerAnswer = z.object({ ledger_index: z.int(), signer_lists: z.array(z.unknown()) });

/**
 * An issuer with whether it has a signer list, in one answer, so that both are of one ledger: the newest validated one.
 * Null when the account does not exist there.
 */
export async function readIssuer(server: LedgerServer, address: string): Promise<IssuerState | null> {
  try {
    const answer = await server.request({
      command: 'account_info',
      account: address,
      signer_lists: true,
      ledger_index: 'validated',
    });
    const { ledger_index: ledgerIndex, signer_lists: lists } = issuerAnswer.parse(answer);
    return { ...readAccountAnswer(answer), ledgerIndex, hasSignerList: lists.length > 0 };
  } catch (error) {
    if (isFault(error, 'actNotFound')) return null;
    throw error;
  }
}
