import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

// vitest setupFiles of the system project: its files share one sandbox, whose ledger closes on demand, and two at once would
// close each other's ledgers. A file has its turn while it holds a lock of the sandbox's database, which ends with its
// process at the latest.
const LOCK = 'select pg_advisory_lock(8_264_901)';
/** For as long as all the others take on a busy machine. */
const TURN_TIMEOUT_MS = 600_000;

let holder: Client;
beforeAll(async () => {
  holder = new Client({ connectionString: inject('sandbox').manifest.postgres_url });
  await holder.connect();
  await holder.query(LOCK);
}, TURN_TIMEOUT_MS);
afterAll(() => holder.end());
