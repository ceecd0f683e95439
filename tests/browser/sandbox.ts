import type { TestProject } from 'vitest/node';
import { type RunningSandbox, startSandbox } from '#tests/support/sandbox.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker: files that run at once share none. */
    sandboxes: Pick<RunningSandbox, 'manifest' | 'logFolder'>[];
  }
}

/**
 * A sandbox for each worker with its demo sale, as a newcomer has it: its ledgers close and its scheduler calls by
 * themselves.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const count = Math.min(project.config.maxWorkers, project.vitest.state.getPaths().length);
  const running: RunningSandbox[] = [];
  const stop = async () => void (await Promise.all(running.map((sandbox) => sandbox.stop())));
  try {
    // One after the other: the first may have to build the app, and each writes its manifest to the same place.
    while (running.length < count) {
      running.push(await startSandbox(['--no-crowd', '--ledger-interval', '1000']));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide(
    'sandboxes',
    running.map(({ manifest, logFolder }) => ({ manifest, logFolder })),
  );
  return stop;
}
