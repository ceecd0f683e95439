import type { JsonObject } from '../json.ts';
import { parsePathRequest, pathAnswer } from './pathRequest.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** `ripple_path_find`: paths for one payment, in the ledger that is asked for. */
export const ripplePathFind: Handler = (context, request) => {
  const { view, fields } = selectLedger(context, request);
  try {
    return {
      ...pathAnswer(view, context.chain.rules, parsePathRequest(request), { legacy: true, isFull: true }),
      ...fields,
    };
  } catch (error) {
    // The ledger is named even where the request is refused.
    throw error instanceof RpcError ? error.with(fields) : error;
  }
};

/** `path_find`: paths for one payment, looked for again with each ledger until the request is closed. */
export const pathFind: Handler = (context, request) => {
  const { subcommand } = request;
  if (typeof subcommand !== 'string') throw new RpcError('invalidParams');
  const { subscriber, streams, node, chain } = context;
  if (!subscriber) throw new RpcError('noEvents');
  if (subcommand === 'create') {
    streams.closePathRequest(subscriber);
    const paths = parsePathRequest(request);
    const status = pathAnswer(chain.state.view(node.last.header), chain.rules, paths, { legacy: false, isFull: false });
    streams.openPathRequest(subscriber, { paths, status });
    return status;
  }
  if (subcommand !== 'close' && subcommand !== 'status') throw new RpcError('invalidParams');
  const status: JsonObject | undefined = streams.pathStatus(subscriber);
  if (!status) throw new RpcError('noPathRequest');
  if (subcommand === 'status') return { ...status, status: 'success' };
  streams.closePathRequest(subscriber);
  return { ...status, closed: true };
};
