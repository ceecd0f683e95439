import { rm } from 'node:fs/promises';
import { launchDemoSale } from '../crowd/demo-sale.ts';
import type { SandboxLedger } from '../crowd/ledger.ts';
import { startApp } from './app.ts';
import { startCrowd } from './crowd.ts';
import { type RealServices, readRealServices, usedOf } from './env-local.ts';
import { type Layout, layoutOf } from './layout.ts';
import { liveUntilStopped } from './lifecycle.ts';
import type { SandboxOptions } from './options.ts';
import { HOST, portsFrom, requireFreePorts } from './ports.ts';
import { announceReady, manifestOf, removeStaleManifest } from './ready.ts';
import { noteRunning } from './running.ts';
import { generateSecrets } from './secrets.ts';
import { type Ground, type Services, startServices } from './services.ts';
import { startLedgerChild } from './stand-ins.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { say } from './terminal.ts';

/** Runs a sandbox until it is asked to stop or something fails; returns the exit code. Nothing is left running. */
export async function runSandbox(options: SandboxOptions, root?: string): Promise<number> {
  const layout = layoutOf(options.port, root);
  const supervisor = createSupervisor(layout.logFolder);
  return liveUntilStopped(supervisor, (signal) =>
    options.ledgerOnly
      ? startLedgerOnly(options, layout, supervisor)
      : startEverything(options, layout, supervisor, signal),
  );
}

async function startLedgerOnly(options: SandboxOptions, layout: Layout, supervisor: Supervisor): Promise<void> {
  await requireFreePorts({ ledger: options.port }, options.port);
  const { wsUrl, rpcUrl, faucetUrl } = await startLedgerChild(
    { supervisor, layout },
    // As a standalone server: scenarios recorded against one can be played here.
    {
      port: options.port,
      intervalMs: options.ledgerIntervalMs,
      ...options.ledger,
      networkId: options.ledger.networkId ?? 0,
    },
  );
  say('sandbox ready');
  say(`  ledger     ${wsUrl}  JSON-RPC ${rpcUrl}`);
  say(`  faucet     ${faucetUrl}`);
  say('Ctrl-C stops it.');
}

async function startEverything(
  options: SandboxOptions,
  layout: Layout,
  supervisor: Supervisor,
  signal: AbortSignal,
): Promise<void> {
  const named = await readRealServices(layout.envLocalFile);
  const real = usedOf(named);
  const ports = portsFrom(options.port);
  await requireFreePorts(withoutReal(ports, real), options.port);
  await supervisor.adopt(noteRunning(layout.runningFolder, options.port).then((close) => ({ close })));
  await removeStaleManifest(layout, `http://${HOST}:${ports.app}`);
  if (options.fresh) await forget(layout);
  if (named.redis && !real.redis) say('the real redis of .env.local is left out: it needs a real postgres beside it');
  sayWhatStarts(real);

  const ground: Ground = { options, ports, layout, real, secrets: generateSecrets(), supervisor, signal };
  const services = await startServices(ground);
  const baseUrl = await startApp(ground, services);
  const sale =
    options.demo && services.ledger ? await launchSale(ground, services, services.ledger.connection, baseUrl) : null;
  await services.ledger?.connection.close();
  await announceReady(ground, manifestOf(ground, services, baseUrl, sale));
  if (sale && services.ledger && options.crowd) {
    const { wsUrl, faucetUrl } = services.ledger.addresses;
    startCrowd(layout, supervisor, { baseUrl, ledgerUrl: wsUrl, faucetUrl, project: sale });
  }
}

function launchSale(ground: Ground, services: Services, ledger: SandboxLedger, baseUrl: string) {
  const { secrets, signal } = ground;
  const { adminToken, cronSecret } = secrets;
  const { receiver } = services;
  return launchDemoSale({ baseUrl, accounts: secrets, adminToken, cronSecret, ledger, receiver, signal });
}

function withoutReal(ports: ReturnType<typeof portsFrom>, real: RealServices): Partial<typeof ports> {
  return Object.fromEntries(Object.entries(ports).filter(([service]) => !(service in real)));
}

async function forget(layout: Layout): Promise<void> {
  await rm(layout.buildRecordFile, { force: true });
  await rm(layout.logFolder, { recursive: true, force: true });
}

function sayWhatStarts(real: RealServices): void {
  const left = Object.keys(real);
  if (left.length > 0) say(`.env.local names a real ${left.join(', ')}: no stand-in for it`);
  if (real.ledger) say('a real ledger is used: no accounts are funded, no demo sale, no crowd');
  else if (real.postgres) say('warning: the database keeps its rows, but the ledger stand-in starts a new history');
  else say('starting with an empty ledger and an empty database');
}
