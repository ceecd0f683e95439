import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';
import type { SubmitResult } from './types.ts';

const submitted = z.object({
  engine_result: z.string(),
  engine_result_message: z.string().default(''),
  applied: z.boolean().default(false),
  queued: z.boolean().default(false),
});

/**
 * Hands a signed transaction to the server. What comes back is provisional (docs/ledger-facts.md, 15, 30); a blob that
 * the server cannot even read is answered with its error code as `engineResult`.
 */
export async function submitBlob(server: LedgerServer, blob: string): Promise<SubmitResult> {
  try {
    const answer = submitted.parse(await server.request({ command: 'submit', tx_blob: blob }));
    return {
      engineResult: answer.engine_result,
      message: answer.engine_result_message,
      applied: answer.applied,
      queued: answer.queued,
    };
  } catch (error) {
    if (!isFault(error, 'invalidTransaction', 'invalidParams')) throw error;
    return { engineResult: error.code, message: error.message, applied: false, queued: false };
  }
}
