import { BASE_LEVEL } from '../feeMetrics.ts';
import type { JsonObject } from '../json.ts';
import type { RpcContext } from './types.ts';

type Loaded = Pick<RpcContext, 'node' | 'chain'>;

const LOAD_BASE = Number(BASE_LEVEL);

/** What the open ledger asks for, in 256ths of the usual fee. */
function escalationLevel({ chain, node }: Loaded): number {
  return node.lags ? LOAD_BASE : Number(chain.requiredLevel);
}

function serverLevel({ node }: Loaded): number {
  return node.faults.current.loadFactor * LOAD_BASE;
}

/** Load as factors, as `server_info` shows it: what is not above the usual stays out. */
export function loadFactors(loaded: Loaded): JsonObject {
  const server = serverLevel(loaded);
  const escalation = escalationLevel(loaded);
  const factor = Math.max(server, escalation);
  return {
    load_factor: factor / LOAD_BASE,
    ...(server === LOAD_BASE ? {} : { load_factor_local: server / LOAD_BASE }),
    ...(escalation === LOAD_BASE ? {} : { load_factor_fee_escalation: escalation / LOAD_BASE }),
    ...(server === factor ? {} : { load_factor_server: server / LOAD_BASE }),
  };
}

/** Load in 256ths, as `server_state` shows it. */
export function loadLevels(loaded: Loaded): JsonObject {
  const server = serverLevel(loaded);
  const escalation = escalationLevel(loaded);
  return {
    load_base: LOAD_BASE,
    load_factor: Math.max(server, escalation),
    load_factor_fee_escalation: escalation,
    load_factor_fee_queue: LOAD_BASE,
    load_factor_fee_reference: LOAD_BASE,
    load_factor_server: server,
  };
}
