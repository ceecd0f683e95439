import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Difference, differences, type Value } from './compare.ts';

/** One recording of the real server beside the answer of the server under test; null when there is none. */
export type Compared = { readonly name: string; readonly differences: readonly Difference[] | null };

const VOLATILE_FILE = 'volatile.json';

function responsesIn(folder: string): Map<string, Value> {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.json') && !file.startsWith('_') && file !== VOLATILE_FILE,
  );
  return new Map(
    files.map((file) => {
      const { response }: { response: Value } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return [file.slice(0, -'.json'.length), response];
    }),
  );
}

/** Compares everything recorded in one folder with what a scenario wrote to another. */
export function compareFolders(realFolder: string, hereFolder: string): Compared[] {
  const volatileFile = join(realFolder, VOLATILE_FILE);
  const volatile: Record<string, string[]> = existsSync(volatileFile)
    ? JSON.parse(readFileSync(volatileFile, 'utf8'))
    : {};
  const here = responsesIn(hereFolder);
  return [...responsesIn(realFolder)].map(([name, real]) => {
    const seen = here.get(name);
    return {
      name,
      differences: seen === undefined ? null : differences(real, seen, new Set(volatile[name])),
    };
  });
}
