import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { playScenarios } from './play.ts';
import { compareFolders } from './recordings.ts';
import { report } from './report.ts';

const projectFolder = resolve(import.meta.dirname, '../..');

const { recordings } = new Command('npx tranche conformance')
  .description('Plays recorded scenarios against the sandbox ledger and compares its answers with the real server’s')
  .option('--recordings <folder>', 'the recordings', join(import.meta.dirname, 'recordings'))
  .parse()
  .opts<{ recordings: string }>();

const recordingsFolder = resolve(recordings);
if (!existsSync(join(recordingsFolder, 'scenario.mjs'))) {
  process.stderr.write(`no recordings in ${recordingsFolder}: name their folder with --recordings\n`);
  process.exit(2);
}

const baseline: { matched: number } = JSON.parse(readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8'));
const { outFolder, remove } = await playScenarios(recordingsFolder, projectFolder);
try {
  const { text, passed } = report(compareFolders(recordingsFolder, outFolder), baseline.matched);
  process.stdout.write(`${text}\n`);
  process.exitCode = passed ? 0 : 1;
} finally {
  remove();
}
