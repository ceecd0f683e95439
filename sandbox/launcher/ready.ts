import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { SANDBOX_PACE } from './app-env.ts';
import type { Layout } from './layout.ts';
import { type Manifest, removeManifest, writeManifest } from './manifest.ts';
import type { Environment, Services } from './services.ts';
import { say } from './terminal.ts';

/** The manifest of a running sandbox. */
export function manifestOf(
  { real, secrets }: Environment,
  services: Services,
  baseUrl: string,
  project: Manifest['project'],
): Manifest {
  const { deposit, distributor, issuer } = secrets;
  return {
    base_url: baseUrl,
    ledger_ws: services.ledgerUrl,
    ledger_rpc: services.ledger?.addresses.rpcUrl ?? null,
    faucet_url: services.ledger?.addresses.faucetUrl ?? null,
    qstash_url: services.qstashUrl,
    qstash_token: real.qstash?.QSTASH_TOKEN ?? secrets.qstashToken,
    redis_url: services.redisUrl,
    postgres_url: services.postgresUrl,
    admin_token: secrets.adminToken,
    colleague_token: secrets.colleagueToken,
    read_only_token: secrets.readOnlyToken,
    cron_secret: secrets.cronSecret,
    receiver_url: services.receiver.url,
    wallet_apps: services.walletApps && {
      url: services.walletApps.url,
      relay_url: services.walletApps.relayUrl,
      project_id: secrets.walletConnectProjectId,
    },
    accounts: services.ledger ? { deposit, distributor, issuer } : null,
    owner_accounts: services.ledger ? { deposit: secrets.ownerDeposit, distributor: secrets.ownerDistributor } : null,
    witnesses: (services.witnesses?.running ?? []).map(({ name, url, key }) => ({ name, url, key })),
    project,
  };
}

/** What does not run as in production; docs/sandbox.md has it whole. */
const DIFFERENCES = [
  `not as in production: a beat each ${SANDBOX_PACE.HEARTBEAT_SECONDS} s, rate limits times ${SANDBOX_PACE.RATE_LIMIT_SCALE}, one process, PostgreSQL by TCP,`,
  '  webhooks to this machine allowed (docs/sandbox.md, "What differs from production")',
];

/** Writes the manifest and tells that the sandbox is ready; the manifest goes away with the sandbox. */
export async function announceReady({ options, layout, supervisor }: Environment, manifest: Manifest): Promise<void> {
  const { manifestFile } = layout;
  await supervisor.adopt(
    writeManifest(manifestFile, manifest).then(() => ({ close: () => removeManifest(manifestFile, manifest) })),
  );
  const { base_url, project } = manifest;
  say('sandbox ready');
  say(`  app        ${base_url}`);
  if (project) say(`  demo sale  ${base_url}/api/projects/${project.id}`);
  say(`  ledger     ${manifest.ledger_ws}${manifest.ledger_rpc ? `  JSON-RPC ${manifest.ledger_rpc}` : ''}`);
  if (manifest.faucet_url) say(`  faucet     ${manifest.faucet_url}`);
  say(`  qstash     ${manifest.qstash_url}`);
  say(`  redis      ${manifest.redis_url}`);
  say(`  receiver   ${manifest.receiver_url}/events`);
  for (const { name, url } of manifest.witnesses) say(`  ${name.padEnd(10)} ${url}`);
  say(`  manifest   ${path.relative(process.cwd(), manifestFile)} (addresses, tokens and keys)`);
  say(`  logs       ${path.relative(process.cwd(), layout.logFolder)}`);
  if (options.dev)
    say('the development server runs in place of a build: a change of app or lib is live at the next request');
  for (const line of DIFFERENCES) say(line);
  say('Ctrl-C stops everything.');
}

/** Removes the manifest that a killed sandbox on the same port left: nobody shall take it for this one's. */
export async function removeStaleManifest(layout: Layout, baseUrl: string): Promise<void> {
  const text = await readFile(layout.manifestFile, 'utf8').catch(() => '');
  if (text.includes(`"base_url": "${baseUrl}"`)) await rm(layout.manifestFile, { force: true });
}
