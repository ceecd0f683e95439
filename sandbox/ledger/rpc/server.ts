import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { decodeNodePublic, encodeNodePublic } from 'ripple-address-codec';
import type { JsonDraft } from '../json.ts';
import { asText, missingField } from './fields.ts';
import { loadFactors, loadLevels } from './load.ts';
import { humanTime } from './render.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

/** The release whose answers the sandbox gives. */
const BUILD_VERSION = '3.2.0';
const GIT = { branch: 'HEAD', hash: '3c43f4614f87965298773279ff5b85d4c56c637b' };
const DROPS_PER_XRP = 1_000_000;
/** How long a standalone server says that agreeing on a ledger took. */
const CONVERGE_MS = 100;
/** Of this process; nothing is ever signed with it. */
export const NODE_KEY = encodeNodePublic(Buffer.concat([Buffer.of(2), randomBytes(32)]));

export const ping: Handler = () => ({ role: 'admin', unlimited: true });
/** 256 random bits in hex. */
export const randomBits = (): string => randomBytes(32).toString('hex').toUpperCase();

export const random: Handler = () => ({ random: randomBits() });
/** In version 1 the versions are spelled in three parts. */
export const version: Handler = ({ apiVersion }) => ({
  version: apiVersion === 1 ? { first: '1.0.0', good: '1.0.0', last: '1.0.0' } : { first: 1, last: 2 },
});

/** No server here has a manifest; what is checked is only the question. */
export const manifest: Handler = (_context, request) => {
  if (!('public_key' in request)) throw missingField('public_key');
  const requested = asText(request.public_key);
  if (!isNodeKey(requested)) throw new RpcError('invalidParams', { fields: { requested } });
  return { requested };
};

function isNodeKey(text: string): boolean {
  try {
    return decodeNodePublic(text).length > 0;
  } catch {
    return false;
  }
}

/** What `server_info` and `server_state` have in common. */
function common({ node, port }: RpcContext): JsonDraft {
  const upUs = String((Date.now() - node.startedAtMs) * 1000);
  const idle = { duration_us: '0', transitions: '0' };
  return {
    build_version: BUILD_VERSION,
    complete_ledgers: node.completeLedgers,
    git: GIT,
    initial_sync_duration_us: '0',
    io_latency_ms: 1,
    jq_trans_overflow: '0',
    load: { job_types: [], threads: 1 },
    network_id: node.rules.networkId,
    node_size: 'tiny',
    peer_disconnects: '0',
    peer_disconnects_resources: '0',
    peers: 0,
    ports: [{ port: String(port), protocol: ['http', 'ws'] }],
    pubkey_node: NODE_KEY,
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
    uptime: Math.floor((Date.now() - node.startedAtMs) / 1000),
    validation_quorum: 0,
  };
}

/** Milliseconds that the last close took; the ledger a server starts with took none. */
function convergeMs({ node }: RpcContext): number {
  return node.lastIndex > 2 ? CONVERGE_MS : 0;
}

export const serverInfo: Handler = (context) => {
  const { chain, node } = context;
  const { header } = node.last;
  const { rules } = node;
  const ageSeconds = chain.nowSeconds - header.closeTime;
  return {
    info: {
      ...common(context),
      ...loadFactors(context),
      hostid: hostname(),
      last_close: { converge_time_s: convergeMs(context) / 1000, proposers: 0 },
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
  const { header } = context.node.last;
  const { rules } = context.node;
  return {
    state: {
      ...common(context),
      ...loadLevels(context),
      last_close: { converge_time: convergeMs(context), proposers: 0 },
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
