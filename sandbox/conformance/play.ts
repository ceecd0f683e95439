import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerOptions, startLedger } from 'xrpl-sandbox/index.ts';

type Scenario = { readonly file: string; readonly options: Partial<LedgerOptions> };

/** The scenarios with the settings of the server that was recorded. */
const SCENARIOS: readonly Scenario[] = [
  { file: 'scenario.mjs', options: {} },
  // Recorded with room for five; that the ledger of seven led to an expectation of seven shows growth was off.
  { file: 'scenario-queue.mjs', options: { expectedLedgerSize: 5, ledgerGrowthPercent: 0 } },
];

export class ScenarioFailed extends Error {}

async function playOne({ file, options }: Scenario, workFolder: string, outFolder: string): Promise<void> {
  const ledger = await startLedger({ intervalMs: 0, ...options });
  try {
    const child = spawn(process.execPath, [join(workFolder, file)], {
      cwd: workFolder,
      env: { ...process.env, URL: ledger.wsUrl, HTTP_PORT: String(ledger.port), OUT: outFolder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString('utf8');
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new ScenarioFailed(`${file} ended with ${code}:\n${complaint}`);
  } finally {
    await ledger.close();
  }
}

/**
 * Plays the recorded scenarios against fresh sandbox ledgers and returns the folder of what they wrote, with the
 * function that removes it. They run from a folder inside the project, where they find `ws` and `xrpl`.
 */
export async function playScenarios(
  recordingsFolder: string,
  projectFolder: string,
): Promise<{ outFolder: string; remove: () => void }> {
  mkdirSync(join(projectFolder, '.sandbox'), { recursive: true });
  const workFolder = mkdtempSync(join(projectFolder, '.sandbox', 'conformance-'));
  const remove = (): void => rmSync(workFolder, { recursive: true, force: true });
  const outFolder = join(workFolder, 'recordings');
  try {
    // They resolve packages from their working folder, which therefore must look like one of the project.
    copyFileSync(join(projectFolder, 'package.json'), join(workFolder, 'package.json'));
    for (const scenario of SCENARIOS) {
      copyFileSync(join(recordingsFolder, scenario.file), join(workFolder, scenario.file));
      await playOne(scenario, workFolder, outFolder);
    }
    return { outFolder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
