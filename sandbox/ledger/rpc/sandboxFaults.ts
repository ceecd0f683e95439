import type { Faults, LedgerRange } from '../faults.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { type Handler, RpcError } from './types.ts';

const NUMBERS = {
  answer_delay_ms: 'answerDelayMs',
  drop_socket_on_page: 'dropSocketOnPage',
  lag_ledgers: 'lagLedgers',
  load_factor: 'loadFactor',
  lose_submit_answers: 'loseSubmitAnswers',
  lose_submits: 'loseSubmits',
} as const;

function invalid(name: string): RpcError {
  return new RpcError('invalidParams', { message: `Invalid field '${name}'.` });
}

function count(name: string, value: Json | undefined, least = 0): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
  throw invalid(name);
}

function ranges(value: Json): LedgerRange[] {
  if (!Array.isArray(value)) throw invalid('missing_ledgers');
  return value.map((range: Json) => {
    if (!Array.isArray(range) || range.length !== 2) throw invalid('missing_ledgers');
    const [from, to] = range.map((bound: Json) => count('missing_ledgers', bound, 1));
    if (from === undefined || to === undefined || to < from) throw invalid('missing_ledgers');
    return { from, to };
  });
}

function narrowing(value: Json): Faults['narrowAccountTx'] {
  if (!isObject(value)) throw invalid('narrow_account_tx');
  const { drop_oldest: oldest = 0, drop_newest: newest = 0 } = value;
  return { dropOldest: count('drop_oldest', oldest), dropNewest: count('drop_newest', newest) };
}

function changesOf(request: JsonObject): Partial<Faults> {
  const changes: { -readonly [K in keyof Faults]?: Faults[K] } = {};
  for (const [name, fault] of Object.entries(NUMBERS)) {
    if (request[name] !== undefined) changes[fault] = count(name, request[name], name === 'load_factor' ? 1 : 0);
  }
  if (request.lacks_clio_commands !== undefined) {
    if (typeof request.lacks_clio_commands !== 'boolean') throw invalid('lacks_clio_commands');
    changes.lacksClioCommands = request.lacks_clio_commands;
  }
  if (request.missing_ledgers !== undefined) changes.missingLedgers = ranges(request.missing_ledgers);
  if (request.narrow_account_tx !== undefined) changes.narrowAccountTx = narrowing(request.narrow_account_tx);
  return changes;
}

function shown(faults: Faults): JsonObject {
  const { dropOldest, dropNewest } = faults.narrowAccountTx;
  return {
    ...Object.fromEntries(Object.entries(NUMBERS).map(([name, fault]) => [name, faults[fault]])),
    lacks_clio_commands: faults.lacksClioCommands,
    missing_ledgers: faults.missingLedgers.map(({ from, to }) => [from, to]),
    narrow_account_tx: { drop_newest: dropNewest, drop_oldest: dropOldest },
  };
}

/**
 * `sandbox_faults`: changes what is wrong with this server and answers what is. `clear: true` first ends every fault;
 * `expire_markers: true` lets every marker given so far expire. No real server has this command.
 */
export const sandboxFaults: Handler = ({ node }, request) => {
  const changes = changesOf(request);
  if (request.clear === true) node.faults.clear();
  if (request.expire_markers === true) node.markers.expireAll();
  return { faults: shown(node.faults.set(changes)) };
};
