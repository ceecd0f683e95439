import { SnapshotError } from '../chain.ts';
import { type Handler, RpcError } from './types.ts';

/** `sandbox_snapshot`: keeps the ledger as it is now, and says under which number. No real server has this command. */
export const sandboxSnapshot: Handler = ({ chain }) => {
  const snapshot = chain.snapshot();
  return { ledger_index: chain.history.lastIndex, snapshot };
};

/**
 * `sandbox_restore`: returns to the snapshot of that number, which stays; what came later is as if it had never been.
 * No real server has this command.
 */
export const sandboxRestore: Handler = ({ chain }, { snapshot }) => {
  if (typeof snapshot !== 'number') throw new RpcError('invalidParams', { message: "Invalid field 'snapshot'." });
  try {
    const { header } = chain.restore(snapshot);
    return { ledger_hash: header.hash, ledger_index: header.ledgerIndex };
  } catch (error) {
    if (error instanceof SnapshotError) throw new RpcError('invalidParams', { message: error.message });
    throw error;
  }
};
