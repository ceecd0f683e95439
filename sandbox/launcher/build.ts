import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { buildEnvironment } from './app-env.ts';
import { SandboxFailure } from './failure.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Layout } from './layout.ts';
import { othersRunning } from './running.ts';
import type { Supervisor } from './supervisor.ts';
import { say } from './terminal.ts';

/**
 * Builds the app for production, unless the last build was made of the same sources and still stands.
 *
 * @throws SandboxFailure when the build fails, or when another sandbox of this folder serves the build it would replace
 */
export async function buildApp(layout: Layout, basePort: number, supervisor: Supervisor): Promise<void> {
  const fingerprint = await fingerprintOf(layout.root);
  const existing = await buildId(layout);
  const recorded = await readFile(layout.buildRecordFile, 'utf8').catch(() => '');
  // The build id tells a build of ours from one that somebody made by hand since.
  if (existing && recorded === recordOf(fingerprint, existing)) return;

  const others = await othersRunning(layout.runningFolder, basePort);
  if (others.length > 0) {
    throw new SandboxFailure(
      `The sources have changed, and the sandbox on port ${others.join(', ')} serves the old build. Stop it first.`,
    );
  }
  say('building the app (once after each change of its sources)');
  await rm(layout.buildRecordFile, { force: true });
  await supervisor.run({
    name: 'build',
    args: [layout.nextProgram, 'build'],
    env: { ...buildEnvironment(), BUILD_WITHOUT_TYPES: '1' },
    cwd: layout.root,
  });
  await mkdir(layout.stateFolder, { recursive: true, mode: 0o700 });
  await writeFile(layout.buildRecordFile, recordOf(fingerprint, await buildId(layout)));
}

function recordOf(fingerprint: string, id: string): string {
  return JSON.stringify({ fingerprint, build_id: id });
}

function buildId(layout: Layout): Promise<string> {
  return readFile(layout.nextBuildIdFile, 'utf8').catch(() => '');
}
