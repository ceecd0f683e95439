import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './tests/support/file-order.ts';
import { standInOnly } from './tests/support/stand-in-only.ts';

/** Signing, SQL and whole sandboxes on a small machine. */
const REAL_PARTS_TIMEOUT_MS = 60_000;
/** Properties with thousands of runs on a machine that has other work too. */
const PURE_CODE_TIMEOUT_MS = 30_000;
/** What is waited for comes at once on a quiet machine: this is for how long a busy one may take, never how long a test does. */
const POLL_TIMEOUT_MS = 20_000;

// No log line may hold a secret: what the tests log, and the secrets that they make, is gathered and compared in the end.
const EVIDENCE = 'tests/support/evidence.ts';
const EVERY_FILE = 'tests/support/every-file.ts';

// Every test file, and every process that a test starts, loads the same ledger library: it is compiled once.
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'node-compile-cache');

/**
 * With LEDGER_URL the tests of the ledger use that standalone server in place of ledgers of their own, one file after the
 * other, since its ledgers close for all of them at once.
 */
const ledgerUrl = process.env.LEDGER_URL;
const leftOut = ledgerUrl === undefined ? [] : standInOnly();
for (const { file, reason } of leftOut) process.stdout.write(`left out: ${file} (${reason})\n`);

export default defineConfig({
  test: {
    // Files wait for ledgers, databases and their turn as much as they compute: two more than there are processors keep those
    // busy.
    maxWorkers: ledgerUrl === undefined ? availableParallelism() + 2 : 1,
    pool: 'forks',
    // Much of what a test makes is garbage at once: with more room for it a process is collected less often, for a
    // twentieth of its processor time.
    execArgv: ['--max-semi-space-size=32'],
    // Files share processes, and one load of the modules. What lives in modules is bound to the settings it was made from
    // (lib/base/memoize.ts), and each file puts its own in force.
    isolate: false,
    testTimeout: PURE_CODE_TIMEOUT_MS,
    // A failure names what it found, however long: the log of a run elsewhere is all there is.
    chaiConfig: { truncateThreshold: 0 },
    // A test that reached no assertion has shown nothing, whatever its title says.
    expect: { poll: { timeout: POLL_TIMEOUT_MS }, requireAssertions: true },
    sequence: { sequencer: FileOrder },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'lib/{rules,verifier,witness,client}/tests/*.test.ts'],
          globalSetup: [EVIDENCE],
          setupFiles: [EVERY_FILE],
        },
      },
      {
        extends: true,
        test: {
          // With those over the running system, so that one process after the other takes any of them: vitest ends a process
          // and starts another, which loads all modules again, wherever the next file is of another project.
          name: 'integration',
          include: ['tests/{integration,sandbox,contract,e2e}/**/*.test.ts', 'sandbox/ledger/tests/*.test.ts'],
          exclude: leftOut.map(({ file }) => file),
          globalSetup: [EVIDENCE, 'tests/support/postgres.ts', 'tests/support/sandbox.ts'],
          setupFiles: [EVERY_FILE, 'tests/support/real-parts-file.ts', 'tests/support/in-turn.ts'],
          testTimeout: REAL_PARTS_TIMEOUT_MS,
          hookTimeout: REAL_PARTS_TIMEOUT_MS,
        },
      },
    ],
  },
});
