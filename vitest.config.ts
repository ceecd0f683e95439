import { defineConfig } from 'vitest/config';

/** Signing, SQL and whole sandboxes on a small machine: the default of 5 s is for pure code. */
const REAL_PARTS_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    // Every project starts from here; one file's modules never leak into another's.
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
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
