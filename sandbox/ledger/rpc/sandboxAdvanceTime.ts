import { isoTime } from './render.ts';
import { type Handler, RpcError } from './types.ts';

/**
 * `sandbox_advance_time`: moves the ledger's clock on by `seconds` and closes a ledger, so that the next transaction
 * sees the new time. No real server has this command.
 */
export const sandboxAdvanceTime: Handler = ({ chain }, { seconds }) => {
  if (typeof seconds !== 'number' || !chain.canAdvance(seconds)) {
    throw new RpcError('invalidParams', { message: "Invalid field 'seconds'." });
  }
  const { closeTime, ledgerIndex } = chain.advanceTime(seconds).header;
  return { close_time: closeTime, close_time_iso: isoTime(closeTime), ledger_index: ledgerIndex };
};
