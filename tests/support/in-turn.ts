import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { sharesSandbox } from './sandbox.ts';

// vitest setupFiles: files that share the sandbox of the run take turns. Its ledger closes on demand, and two at once would
// close each other's ledgers. A file has its turn while it holds a lock of the sandbox's database, which ends with its
// process at the latest.
const LOCK = 'select pg_advisory_lock(8_264_901)';
/** For as long as all the others take on a busy machine. */
const TURN_TIMEOUT_MS = 600_000;

let holder: Client | undefined;
beforeAll(async () => {
  if (!sharesSandbox(expect.getState().testPath ?? '')) return;
  holder = new Client({ connectionString: inject('sandbox').manifest.postgres_url });
  await holder.connect();
  await holder.query(LOCK);
}, TURN_TIMEOUT_MS);
afterAll(() => holder?.end());
