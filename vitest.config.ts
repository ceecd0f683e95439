import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Signing, SQL and whole sandboxes on a small machine: the default of 5 s is for pure code. */
const REAL_PARTS_TIMEOUT_MS = 60_000;

// Every test file, and every process that a test starts, loads the same ledger library: it is compiled once.
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'node-compile-cache');

export default defineConfig({
  test: {
    // Files wait for ledgers and databases as much as they compute: one more than there are processors keeps those busy.
    maxWorkers: Math.max(2, availableParallelism() + 1),
    pool: 'forks',
    projects: [
      {
        extends: true,
        // Pure code keeps nothing between files: they share one process, and one load of its modules.
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          // Connections and settings live in modules: one file's never leak into another's.
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/sandbox/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.ts'],
          testTimeout: REAL_PARTS_TIMEOUT_MS,
          hookTimeout: REAL_PARTS_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/contract/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/sandbox.ts'],
          testTimeout: REAL_PARTS_TIMEOUT_MS,
          hookTimeout: REAL_PARTS_TIMEOUT_MS,
          // One sandbox, one ledger that closes on demand: two files at once would close each other's ledgers.
          fileParallelism: false,
        },
      },
    ],
  },
});
