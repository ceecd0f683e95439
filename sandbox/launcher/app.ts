import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { startScheduler } from '../scheduler/index.ts';
import { appEnvironment, appSettings } from './app-env.ts';
import { waitForHealth } from './health.ts';
import { HOST } from './ports.ts';
import type { Environment, Services } from './services.ts';
import { writeSettings } from './settings-file.ts';

const HEALTHY_TIMEOUT_MS = 60_000;
/** The development server compiles what it is first asked for. */
const DEV_HEALTHY_TIMEOUT_MS = 240_000;

/** Starts the built app, or with --dev its development server, and its scheduler; returns the app's base URL once it is healthy. */
export async function startApp(ground: Environment, services: Services): Promise<string> {
  const { options, layout, ports, real, openai, secrets, supervisor, signal } = ground;
  const baseUrl = `http://${HOST}:${ports.app}`;
  const surroundings = {
    port: ports.app,
    baseUrl,
    postgresUrl: services.postgresUrl,
    redisUrl: services.redisUrl,
    qstashUrl: services.qstashUrl,
    ledgerUrl: services.ledgerUrl,
    networkId: services.ledger?.connection.networkId ?? Number(real.ledger?.XRPL_NETWORK_ID),
    walletApps: services.walletApps && {
      xamanUrl: services.walletApps.xamanUrl,
      relayUrl: services.walletApps.relayUrl,
    },
    secrets,
    witnesses: services.witnesses?.running ?? [],
    twoPersons: options.twoPersons,
    real,
    openai,
  };
  await supervisor.adopt(writeSettings(layout.settingsFile, appSettings(surroundings)));
  const app = supervisor.start({
    name: 'app',
    args: [layout.nextProgram, options.dev ? 'dev' : 'start', '-H', HOST, '-p', String(ports.app)],
    env: { ...appEnvironment(surroundings), NODE_ENV: options.dev ? 'development' : 'production' },
    cwd: layout.root,
  });
  await waitForHealth(
    app,
    `${baseUrl}/api/system/status`,
    options.dev ? DEV_HEALTHY_TIMEOUT_MS : HEALTHY_TIMEOUT_MS,
    signal,
  );
  await supervisor.adopt(
    startScheduler({
      cronFile: layout.cronFile,
      baseUrl,
      cronSecret: secrets.cronSecret,
      onFailure: (line) => {
        const entry = `${new Date().toISOString()} ${line}\n`;
        appendFile(path.join(layout.logFolder, 'scheduler.log'), entry, { mode: 0o600 }).catch(() => {});
      },
    }),
  );
  return baseUrl;
}
