import path from 'node:path';
import type { CrowdOptions } from '../crowd/options.ts';
import { inheritedEnvironment } from './app-env.ts';
import type { Layout } from './layout.ts';
import type { Supervisor } from './supervisor.ts';
import { printError, say } from './terminal.ts';

const PROGRAM = path.join(import.meta.dirname, '../crowd/main.ts');

/** Starts the crowd as a child of its own: signing takes CPU, and its end, good or bad, must not end the sandbox. */
export function startCrowd(layout: Layout, supervisor: Supervisor, options: CrowdOptions): void {
  const crowd = supervisor.startOptional({
    name: 'crowd',
    args: [PROGRAM],
    env: { ...inheritedEnvironment(), CROWD_OPTIONS: JSON.stringify(options) },
    cwd: layout.root,
    talks: true,
  });
  crowd.process.on('message', (message) => say(`crowd: ${String(message)}`));
  crowd.ended.then(({ code, signal }) => {
    // SIGTERM is the launcher stopping it.
    if (code !== 0 && signal === null)
      printError(`crowd: ended with an error, the sandbox goes on. Log: ${crowd.logFile}`);
  });
}
