import type { TestProject } from 'vitest/node';
import { startSandbox } from '#tests/support/sandbox.ts';

/** One sandbox with its demo sale, as a newcomer has it: its ledgers close and its scheduler calls by themselves. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { manifest, logFolder, stop } = await startSandbox(['--no-crowd', '--ledger-interval', '1000']);
  project.provide('sandbox', { manifest, logFolder });
  return async () => void (await stop());
}
