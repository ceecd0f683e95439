import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { findLeaks, secretsIn } from './log-leaks.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that gathers the log lines of the project's processes and the secrets that its tests made. */
    evidence: string;
  }
}

/**
 * vitest globalSetup: what the project's tests log and which secrets they make is gathered, and in the end no log line may
 * hold any of them. It stands first, so that what other set-ups started has ended by then.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), `tranche-evidence-${project.name}-`));
  project.provide('evidence', folder);
  return async () => {
    const sandboxLogs = project.getProvidedContext().sandbox?.logFolder;
    const leaks = findLeaks(secretsIn(folder), sandboxLogs === undefined ? [folder] : [folder, sandboxLogs]);
    if (leaks.length > 0) {
      const positions = leaks.slice(0, 20).map(({ file, line, secret }) => `  ${file}:${line} holds ${secret}`);
      throw new Error(`${leaks.length} secret(s) of the tests stand in logs:\n${positions.join('\n')}`);
    }
    await rm(folder, { recursive: true });
  };
}
