import pg from 'pg';
import { vi } from 'vitest';
import type { Client, Request } from 'xrpl';
import type { SystemStatus } from '#lib/ops/status/contracts.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, manifest, WAIT_MS } from './browser.ts';

/** Longer than any page waits. */
const NEVER_MS = 60_000;

/** Until everything works again and payments are read; the next test shall find it so. */
async function untilOperational(): Promise<void> {
  const every = { timeout: WAIT_MS, interval: 250 };
  await vi.waitFor(async () => {
    const { status } = (await (await fetch(`${BASE_URL}/api/system/status`)).json()) as SystemStatus;
    if (status !== 'operational') throw new Error(`The platform is ${status}`);
  }, every);
  // The beats that read payments may have ended meanwhile, and the cron that begins them again is up to a minute away.
  const cron = `${BASE_URL}/api/cron/process-payments`;
  await vi.waitFor(() => fetchOk(cron, { headers: { authorization: `Bearer ${manifest.cron_secret}` } }), every);
}

/** Lets the database take connections or none; those that it has end. */
async function admit(isOpen: boolean): Promise<void> {
  const url = new URL(manifest.postgres_url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await client.query(`alter database ${client.escapeIdentifier(name)} allow_connections ${isOpen}`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  } finally {
    await client.end();
  }
}

/** The database is away until the returned function is called, which waits until the platform works again. */
export async function takeDatabaseAway(): Promise<() => Promise<void>> {
  await admit(false);
  let isBack = false;
  return async () => {
    if (isBack) return;
    isBack = true;
    await admit(true);
    await untilOperational();
  };
}

// The sandbox's own command, of which xrpl.js knows no type.
const askFaults = (ledger: Client, faults: object) =>
  ledger.request({ command: 'sandbox_faults', ...faults } as unknown as Request);

/** The ledger answers nobody until the returned function is called, which waits until the platform works again. */
export async function takeLedgerAway(ledger: Client): Promise<() => Promise<void>> {
  await askFaults(ledger, { answer_delay_ms: NEVER_MS });
  return async () => {
    await askFaults(ledger, { clear: true });
    await untilOperational();
  };
}
