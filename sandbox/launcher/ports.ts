import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxFailure } from './failure.ts';

/** Everything in the sandbox listens here and is not reachable from other machines. */
export const HOST = '127.0.0.1';

/** What listens on which port, in the order of the ports. */
const SERVICES = {
  app: 'the app',
  ledger: 'the ledger (WebSocket and JSON-RPC)',
  qstash: 'QStash',
  redis: 'Redis (REST)',
  postgres: 'PostgreSQL',
  receiver: 'the webhook receiver',
  walletApps: 'Xaman and WalletConnect',
} as const;

export type Service = keyof typeof SERVICES;

export const PORT_COUNT = Object.keys(SERVICES).length;

// Children of a run that was killed a moment ago are still letting go of their ports.
const LET_GO_MS = 2_000;

/** The port of each service, counted from the base port. */
export function portsFrom(base: number): Record<Service, number> {
  return {
    app: base,
    ledger: base + 1,
    qstash: base + 2,
    redis: base + 3,
    postgres: base + 4,
    receiver: base + 5,
    walletApps: base + 6,
  };
}

/**
 * Makes sure that every port can be listened on.
 *
 * @throws SandboxFailure that names each port that can not, what it is for, and how to choose another
 */
export async function requireFreePorts(ports: Partial<Record<Service, number>>, base: number): Promise<void> {
  const until = Date.now() + LET_GO_MS;
  let refused = await refusals(ports);
  while (refused.length > 0 && Date.now() < until) {
    await sleep(100);
    refused = await refusals(ports);
  }
  if (refused.length === 0) return;
  const other = base + 1000 + PORT_COUNT < 65_536 ? base + 1000 : 4000;
  throw new SandboxFailure(`${refused.join('\n')}\nChoose another base port: npm run sandbox -- --port ${other}`);
}

async function refusals(ports: Partial<Record<Service, number>>): Promise<string[]> {
  const lines: string[] = [];
  for (const service of Object.keys(SERVICES) as Service[]) {
    const port = ports[service];
    const reason = port === undefined ? null : await refusal(port);
    if (reason) lines.push(`Port ${port} is needed for ${SERVICES[service]}, but ${reason}.`);
  }
  return lines;
}

async function refusal(port: number): Promise<string | null> {
  const probe = createServer();
  try {
    await once(probe.listen(port, HOST), 'listening');
    probe.close();
    await once(probe, 'close');
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'EADDRINUSE') return 'another program is using it';
    return code === 'EACCES' ? 'this user may not listen on it' : `listening on it fails (${String(code)})`;
  }
}
