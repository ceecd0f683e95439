import path from 'node:path';
import type { AmendmentProfile } from 'xrpl-sandbox/amendments.ts';
import { z } from 'zod';
import { inheritedEnvironment } from './app-env.ts';
import { firstMessage } from './health.ts';
import type { Layout } from './layout.ts';
import type { LedgerFlags } from './options.ts';
import { HOST } from './ports.ts';
import type { Secrets } from './secrets.ts';
import type { Supervisor } from './supervisor.ts';

const READY_TIMEOUT_MS = 30_000;
const PROGRAM = path.join(import.meta.dirname, 'stand-in.ts');

const ledgerAddresses = z.object({ wsUrl: z.string(), rpcUrl: z.string(), faucetUrl: z.string() });
const oneAddress = z.object({ url: z.string() });

export type LedgerAddresses = z.output<typeof ledgerAddresses>;

type Environment = { supervisor: Supervisor; layout: Layout };

/** Starts the ledger stand-in as a child and returns its addresses once it listens. */
export async function startLedgerChild(
  ground: Environment,
  options: LedgerFlags & { port: number; intervalMs: number; networkId: number; profile: AmendmentProfile },
): Promise<LedgerAddresses> {
  return ledgerAddresses.parse(await startStandIn(ground, 'ledger', options));
}

/** Starts what a real standalone server lacks, as a child, and returns the addresses of both. */
export async function startStandaloneChild(
  ground: Environment,
  options: { url: string; port: number; intervalMs: number },
): Promise<LedgerAddresses> {
  return ledgerAddresses.parse(await startStandIn(ground, 'standalone', options));
}

/** Starts the QStash stand-in as a child and returns its URL once it listens. */
export async function startQStashChild(ground: Environment, port: number, secrets: Secrets): Promise<string> {
  const {
    qstashToken: token,
    qstashCurrentSigningKey: currentSigningKey,
    qstashNextSigningKey: nextSigningKey,
  } = secrets;
  const options = { port, token, currentSigningKey, nextSigningKey };
  return oneAddress.parse(await startStandIn(ground, 'qstash', options)).url;
}

/** Starts the Redis REST stand-in as a child, in front of a redis-server where one is given; returns its URL. */
export async function startRedisChild(
  ground: Environment & { redisServer: string | undefined },
  port: number,
  secrets: Secrets,
): Promise<string> {
  // undefined disappears in JSON.
  const options = { port, token: secrets.redisToken, redisUrl: ground.redisServer };
  return oneAddress.parse(await startStandIn(ground, 'redis', options)).url;
}

function startStandIn(
  { supervisor, layout }: Environment,
  name: string,
  options: Record<string, unknown>,
): Promise<unknown> {
  const child = supervisor.start({
    name,
    args: [PROGRAM, name],
    env: { ...inheritedEnvironment(), STAND_IN_OPTIONS: JSON.stringify({ host: HOST, ...options }) },
    cwd: layout.root,
    talks: true,
  });
  return firstMessage(child, READY_TIMEOUT_MS);
}
