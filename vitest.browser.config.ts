import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A page waits for ledgers, and a small machine renders slowly. */
const JOURNEY_TIMEOUT_MS = 120_000;

/** A file that mostly waits begins first, beside those that compute: last, it would keep the whole run waiting. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWaiting = ({ moduleId }: TestSpecification) => moduleId.endsWith('/witnesses.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

/** Tests in a real Chromium, which a fresh machine may not have: a command of their own, `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    globalSetup: ['tests/browser/sandbox.ts'],
    pool: 'forks',
    // Each has a sandbox of its own, and while one waits for a ledger the other computes.
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
    // In the same order each time, whatever an earlier run found: they share a sandbox, and the draft of owner.test.ts wants the
    // accounts that owner-journey.test.ts launches a sale with.
    cache: false,
    // A failure names what it found, however long: the log of a run elsewhere is all there is.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: JOURNEY_TIMEOUT_MS / 2 } },
    testTimeout: JOURNEY_TIMEOUT_MS,
    hookTimeout: JOURNEY_TIMEOUT_MS,
  },
});
