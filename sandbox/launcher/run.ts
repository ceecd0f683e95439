import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { launchDemoSale } from '../crowd/demo-sale.ts';
import type { SandboxLedger } from '../crowd/ledger.ts';
import { startApp } from './app.ts';
import { startCrowd } from './crowd.ts';
import { signerSetOf } from './custody.ts';
import { type RealServices, readEnvFile, realServicesIn, redisServerOf, usedOf, type Variables } from './env-file.ts';
import { SandboxFailure } from './failure.ts';
import { type Layout, layoutOf } from './layout.ts';
import { readChosenLedger } from './ledger-choice.ts';
import { liveUntilStopped } from './lifecycle.ts';
import type { SandboxOptions } from './options.ts';
import { HOST, portsFrom, requireFreePorts } from './ports.ts';
import { announceReady, manifestOf, removeStaleManifest } from './ready.ts';
import { registerRunning } from './running.ts';
import { generateSecrets } from './secrets.ts';
import { type Environment, type Services, startServices } from './services.ts';
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
      profile: options.ledger.profile ?? 'recorded',
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
  const variables = await readEnvFile(options.envFile);
  const named = realServicesIn(variables);
  const redisServer = redisServerOf(process.env);
  const ledger = await chosenLedger(options, variables);
  const real = usedOf(named);
  if (ledger !== null) real.ledger = ledger;
  const openai = modelSettings(options, variables);
  const ports = portsFrom(options.port);
  await requireFreePorts(withoutReal(ports, real), options.port);
  await supervisor.adopt(registerRunning(layout.runningFolder, options.port).then((close) => ({ close })));
  await removeStaleManifest(layout, `http://${HOST}:${ports.app}`);
  if (options.fresh) await forget(layout);
  if (options.envFile === null && existsSync(layout.envLocalFile)) {
    say('.env.local is not read: the sandbox uses nothing but its own (--env-file names a file)');
  }
  if (named.redis && !real.redis) say('the redis of --env-file is left out: it needs a postgres beside it');
  sayWhatStarts(real);

  const secrets = generateSecrets(options.witnesses);
  const ground: Environment = { options, ports, layout, real, openai, redisServer, secrets, supervisor, signal };
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

function launchSale(ground: Environment, services: Services, ledger: SandboxLedger, baseUrl: string) {
  const { secrets, signal, options } = ground;
  const { adminToken, cronSecret } = secrets;
  const approverToken = options.twoPersons ? secrets.colleagueToken : null;
  const { receiver, witnesses } = services;
  const custody = witnesses === null ? null : { set: signerSetOf(secrets), approve: witnesses.approve };
  const tokens = { adminToken, approverToken, cronSecret };
  return launchDemoSale({ baseUrl, accounts: secrets, ...tokens, ledger, receiver, custody, signal });
}

/** What `--ledger` names, once its servers have said that they may be used; null without it. */
async function chosenLedger(
  { ledgerUrls: urls, ledger: { networkId }, isMainNetworkMeant }: SandboxOptions,
  variables: Variables,
): Promise<NonNullable<RealServices['ledger']> | null> {
  if (urls.length === 0) {
    if (variables.XRPL_URLS) say('XRPL_URLS of --env-file is not used: give the servers by --ledger');
    return null;
  }
  const found = await readChosenLedger({ urls, networkId, isMainNetworkMeant });
  if (found.lacksMptHolders) {
    say('no server of --ledger knows mpt_holders (only Clio does): the holders of an MPT cannot be read');
  }
  if (!variables.SIGNING_KEYS) {
    say('no SIGNING_KEYS in --env-file: nothing can be launched or paid out on that ledger');
  }
  return {
    XRPL_URLS: urls.join(),
    XRPL_NETWORK_ID: String(found.networkId),
    SIGNING_KEYS: variables.SIGNING_KEYS ?? '',
    PLATFORM_TOKEN: variables.PLATFORM_TOKEN ?? '',
  };
}

/** With `--openai` what the shell, or else the file, says of the language model; without it nothing, and that is told. */
function modelSettings({ openai }: SandboxOptions, variables: Variables): Record<string, string> {
  const names = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'];
  const given = Object.fromEntries(
    names.map((name) => [name, process.env[name] || variables[name] || '']).filter(([, value]) => value !== ''),
  );
  if (openai && !given.OPENAI_API_KEY) {
    throw new SandboxFailure('--openai needs OPENAI_API_KEY in this shell or in --env-file.');
  }
  if (openai) say('the assistant uses a language model: what is asked leaves this machine');
  else if (given.OPENAI_API_KEY) say('OPENAI_API_KEY is not used, the built-in assistant answers (--openai uses it)');
  return openai ? given : {};
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
  if (left.length > 0) say(`no stand-in for ${left.join(', ')}: a real one is named`);
  if (real.ledger) {
    say(`the ledger of network ${real.ledger.XRPL_NETWORK_ID} is used: no accounts are funded, no demo sale, no crowd`);
  }
  if (real.postgres && !real.ledger)
    say('warning: the database keeps its rows, but the ledger stand-in starts a new history');
  if (left.length === 0) say('starting with an empty ledger and an empty database');
}
