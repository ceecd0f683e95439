import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SHORTEST_SECRET } from './secrets.ts';

/** A log line that holds a secret. */
export interface Leak {
  file: string;
  line: number;
  /** Enough of the secret to find where it was made, too little to use it. */
  secret: string;
}

/** Log text is compared piece by piece of this length: each secret is known by its last characters. */
const PIECE = SHORTEST_SECRET;

const shown = (secret: string): string => `${secret.slice(0, 6)}… (${secret.length} characters)`;

function* leaksIn(text: string, byEnd: ReadonlyMap<string, readonly string[]>): Generator<[offset: number, string]> {
  for (let end = PIECE; end <= text.length; end++) {
    for (const secret of byEnd.get(text.slice(end - PIECE, end)) ?? []) {
      if (text.endsWith(secret, end)) yield [end - secret.length, secret];
    }
  }
}

/** The secrets that `*.secrets` of the folder name, a line each. */
export function secretsIn(folder: string): Set<string> {
  const files = globSync('*.secrets', { cwd: folder });
  const lines = files.flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'));
  return new Set(lines.filter((line) => line !== ''));
}

/** Every place where a line of a `*.log` file under the folders holds one of the secrets. */
export function findLeaks(secrets: ReadonlySet<string>, folders: readonly string[]): Leak[] {
  const byEnd = Map.groupBy(secrets, (secret) => secret.slice(-PIECE));
  return folders.flatMap((folder) =>
    globSync('**/*.log', { cwd: folder }).flatMap((name) => {
      const file = path.join(folder, name);
      const text = readFileSync(file, 'utf8');
      return [...leaksIn(text, byEnd)].map(([offset, secret]) => ({
        file,
        line: text.slice(0, offset).split('\n').length,
        secret: shown(secret),
      }));
    }),
  );
}
