import { randomBytes } from 'node:crypto';
import { sha512Half } from '../hashing.ts';
import type { JsonDraft, JsonObject } from '../json.ts';
import { humanTime } from './render.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

/** The release whose answers the sandbox gives. */
const BUILD_VERSION = '3.2.0';
const LOAD_BASE = 256;
const DROPS_PER_XRP = 1_000_000;
/** The amendments whose rules the sandbox follows. */
const AMENDMENTS = [
  'Clawback',
  'DeletableAccounts',
  'DepositAuth',
  'DepositPreauth',
  'DisallowIncoming',
  'MPTokensV1',
  'MultiSignReserve',
  'TicketBatch',
  'fixMPTDeliveredAmount',
  'fixPreviousTxnID',
  'fixUniversalNumber',
];

export const ping: Handler = () => ({ role: 'admin', unlimited: true });
export const random: Handler = () => ({ random: randomBytes(32).toString('hex').toUpperCase() });
export const version: Handler = () => ({ version: { first: 1, good: 1, last: 2 } });

/** What `server_info` and `server_state` have in common. */
function common({ chain, startedAtMs, port }: RpcContext): JsonDraft {
  const upUs = String((Date.now() - startedAtMs) * 1000);
  const idle = { duration_us: '0', transitions: '0' };
  return {
    build_version: BUILD_VERSION,
    complete_ledgers: chain.history.completeLedgers(),
    hostid: 'sandbox',
    initial_sync_duration_us: '0',
    io_latency_ms: 1,
    jq_trans_overflow: '0',
    load: { job_types: [], threads: 1 },
    network_id: chain.rules.networkId,
    node_size: 'tiny',
    peer_disconnects: '0',
    peer_disconnects_resources: '0',
    peers: 0,
    ports: [{ port: String(port), protocol: ['http', 'ws'] }],
    pubkey_validator: 'none',
    server_state: 'full',
    server_state_duration_us: upUs,
    state_accounting: {
      connected: idle,
      disconnected: { duration_us: '0', transitions: '1' },
      full: { duration_us: upUs, transitions: '1' },
      syncing: idle,
      tracking: idle,
    },
    time: humanTime(Date.now(), `${String(Date.now() % 1000).padStart(3, '0')}000`),
    uptime: Math.floor((Date.now() - startedAtMs) / 1000),
    validation_quorum: 0,
  };
}

export const serverInfo: Handler = (context) => {
  const { chain } = context;
  const { header } = chain.history.last;
  const { rules } = chain;
  const ageSeconds = chain.nowSeconds - header.closeTime;
  return {
    info: {
      ...common(context),
      last_close: { converge_time_s: 0, proposers: 0 },
      load_factor: 1,
      validated_ledger: {
        age: Math.max(0, ageSeconds),
        base_fee_xrp: Number(rules.baseFeeDrops) / DROPS_PER_XRP,
        hash: header.hash,
        reserve_base_xrp: Number(rules.reserveBaseDrops) / DROPS_PER_XRP,
        reserve_inc_xrp: Number(rules.reserveIncDrops) / DROPS_PER_XRP,
        seq: header.ledgerIndex,
      },
      validator_list: { count: 0, expiration: 'unknown', status: 'unknown' },
    },
  };
};

export const serverState: Handler = (context) => {
  const { chain } = context;
  const { header } = chain.history.last;
  const { rules } = chain;
  return {
    state: {
      ...common(context),
      last_close: { converge_time: 0, proposers: 0 },
      load_base: LOAD_BASE,
      load_factor: LOAD_BASE,
      load_factor_fee_escalation: LOAD_BASE,
      load_factor_fee_queue: LOAD_BASE,
      load_factor_fee_reference: LOAD_BASE,
      load_factor_server: LOAD_BASE,
      validated_ledger: {
        base_fee: Number(rules.baseFeeDrops),
        close_time: header.closeTime,
        hash: header.hash,
        reserve_base: Number(rules.reserveBaseDrops),
        reserve_inc: Number(rules.reserveIncDrops),
        seq: header.ledgerIndex,
      },
      validator_list_expires: 0,
    },
  };
};

/** The open ledger has no size limit here, so the fee never escalates. */
export const fee: Handler = ({ chain }) => {
  const baseDrops = String(chain.rules.baseFeeDrops);
  return {
    current_ledger_size: String(chain.openTransactions.size),
    current_queue_size: '0',
    drops: { base_fee: baseDrops, median_fee: '5000', minimum_fee: baseDrops, open_ledger_fee: baseDrops },
    expected_ledger_size: '1000',
    ledger_current_index: chain.open.ledgerIndex,
    levels: { median_level: '128000', minimum_level: '256', open_ledger_level: '256', reference_level: '256' },
  };
};

export const feature: Handler = (_context, request) => {
  const features: Record<string, JsonObject> = {};
  for (const name of AMENDMENTS) {
    features[sha512Half(Buffer.from(name))] = { enabled: true, name, supported: true };
  }
  if (request.feature === undefined) return { features };
  const wanted = Object.entries(features).find(([id, { name }]) => request.feature === id || request.feature === name);
  if (!wanted) throw new RpcError('invalidParams', { message: 'Feature unknown or invalid.' });
  return { [wanted[0]]: wanted[1] };
};
