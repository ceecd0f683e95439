import { fundOwnerAccounts, prepareAccounts } from '../crowd/accounts.ts';
import { connectLedger, type SandboxLedger } from '../crowd/ledger.ts';
import { type Receiver, startReceiver } from '../receiver/index.ts';
import { startWalletApps, type WalletApps } from '../wallet-apps/index.ts';
import { XAMAN_NETWORK } from './app-env.ts';
import { buildApp } from './build.ts';
import { bringUnderCustody } from './custody.ts';
import { migrate, startDatabase } from './database.ts';
import type { RealServices } from './env-file.ts';
import type { Layout } from './layout.ts';
import type { SandboxOptions } from './options.ts';
import { HOST, type Service } from './ports.ts';
import type { Secrets } from './secrets.ts';
import {
  type LedgerAddresses,
  startLedgerChild,
  startQStashChild,
  startRedisChild,
  startStandaloneChild,
} from './stand-ins.ts';
import type { Supervisor } from './supervisor.ts';
import { startWitnesses, type Witnesses } from './witnesses.ts';

/** No public network's, so nothing signed here is valid there; low enough (ledger rule: 1024) that transactions need no NetworkID field. */
const SANDBOX_NETWORK_ID = 1000;

export type Environment = {
  options: SandboxOptions;
  ports: Record<Service, number>;
  layout: Layout;
  real: RealServices;
  /** Settings of the language model; none without --openai. */
  openai: Record<string, string>;
  /** Of a redis-server behind the Redis stand-in. */
  redisServer: string | undefined;
  secrets: Secrets;
  supervisor: Supervisor;
  signal: AbortSignal;
};

/** What the app needs before it can start. */
export type Services = {
  postgresUrl: string;
  redisUrl: string;
  qstashUrl: string;
  receiver: Receiver;
  ledgerUrl: string;
  /** null with a real ledger. */
  ledger: { addresses: LedgerAddresses; connection: SandboxLedger } | null;
  /** null with a real ledger, whose wallets are real too. */
  walletApps: WalletApps | null;
  /** null with a real ledger, or without witnesses. */
  witnesses: Witnesses | null;
};

/** Starts every service and, without --dev, builds the app, all at the same time: the build alone decides how long that takes. */
export async function startServices(ground: Environment): Promise<Services> {
  const { options, layout, ports, real, secrets, supervisor } = ground;
  const [ledger, postgresUrl, qstashUrl, redisUrl, receiver] = await Promise.all([
    real.ledger ? null : startLedger(ground),
    startMigratedDatabase(ground),
    real.qstash?.QSTASH_URL ?? startQStashChild(ground, ports.qstash, secrets),
    real.redis?.KV_REST_API_URL ?? startRedisChild(ground, ports.redis, secrets),
    supervisor.adopt(startReceiver({ port: ports.receiver, host: HOST })),
    options.dev ? null : buildApp(layout, options.port, supervisor),
  ]);
  const ledgerUrl = ledger?.addresses.wsUrl ?? real.ledger?.XRPL_URLS.split(',')[0]?.trim() ?? '';
  const witnesses =
    ledger === null || options.witnesses === 0
      ? null
      : await startWitnesses(ground, {
          ledgerUrl,
          networkId: ledger.connection.networkId,
          baseUrl: `http://${HOST}:${ground.ports.app}`,
        });
  const walletApps = ledger === null ? null : await startWallets(ground, ledger.addresses);
  return { ledger, ledgerUrl, walletApps, witnesses, postgresUrl, qstashUrl, redisUrl, receiver };
}

async function startLedger(ground: Environment) {
  const { options, ports, secrets, supervisor, signal } = ground;
  const common = { port: ports.ledger, intervalMs: options.ledgerIntervalMs };
  const addresses =
    options.standaloneUrl === null
      ? await startLedgerChild(ground, {
          ...common,
          ...options.ledger,
          networkId: options.ledger.networkId ?? SANDBOX_NETWORK_ID,
          profile: options.ledger.profile ?? 'mainnet',
        })
      : await startStandaloneChild(ground, { ...common, url: options.standaloneUrl });
  const connection = await supervisor.adopt(connectLedger(addresses.wsUrl, addresses.faucetUrl, signal));
  await prepareAccounts(connection, secrets);
  await fundOwnerAccounts(connection, secrets);
  if (options.witnesses > 0) await bringUnderCustody(addresses.wsUrl, connection, secrets);
  return { addresses, connection };
}

function startWallets({ ports, secrets, supervisor }: Environment, ledger: LedgerAddresses): Promise<WalletApps> {
  return supervisor.adopt(
    startWalletApps({
      port: ports.walletApps,
      host: HOST,
      xaman: { apiKey: secrets.xamanApiKey, apiSecret: secrets.xamanApiSecret, network: XAMAN_NETWORK },
      walletConnect: { projectId: secrets.walletConnectProjectId },
      ledger,
    }),
  );
}

async function startMigratedDatabase({ layout, ports, real, supervisor }: Environment): Promise<string> {
  const url = real.postgres?.POSTGRES_URL ?? (await startDatabase(layout, ports.postgres, supervisor));
  await migrate(layout, real.postgres?.POSTGRES_URL_NON_POOLING ?? url, supervisor);
  return url;
}
