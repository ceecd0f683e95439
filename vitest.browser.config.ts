import { defineConfig } from 'vitest/config';

/** A page waits for ledgers, and a small machine renders slowly. */
const JOURNEY_TIMEOUT_MS = 120_000;

/** Tests in a real Chromium, which a fresh machine may not have: a command of their own, `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    globalSetup: ['tests/browser/sandbox.ts'],
    pool: 'forks',
    fileParallelism: false,
    // A failure names what it found, however long: the log of a run elsewhere is all there is.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: JOURNEY_TIMEOUT_MS / 2 } },
    testTimeout: JOURNEY_TIMEOUT_MS,
    hookTimeout: JOURNEY_TIMEOUT_MS,
  },
});
