import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AllowList } from '@tranche/rules/types.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { loadList } from '@tranche/verifier/lists.ts';
import { ViewFault } from './read-ledger.ts';

export interface ListSources {
  /** Platforms (https://…) and folders with files `<hash>.jsonl`. */
  sources: readonly string[];
  /** Where the bytes are kept, so that others can have them from here; null keeps nothing. */
  keptIn: string | null;
}

/**
 * Finds an allowlist by its hash, and keeps its bytes. Where they come from does not matter: they have the hash. Throws
 * ViewFault `inputs_missing`.
 */
export async function findList({ sources, keptIn }: ListSources, projectId: string, hash: string): Promise<AllowList> {
  const failures: string[] = [];
  for (const source of keptIn === null ? sources : [keptIn, ...sources]) {
    try {
      const text = await withinTime(readFrom(source, projectId, hash));
      if (text === null) continue;
      const list = await loadList(once(text));
      if (list.hash === hash) {
        if (keptIn !== null && source !== keptIn) keep(keptIn, hash, text);
        return list.entries;
      }
      failures.push(`${source} has a list with the hash ${list.hash} in its place`);
    } catch (error) {
      failures.push(`${source}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const why = failures.length === 0 ? '' : ` (${failures.join('; ')})`;
  throw new ViewFault('inputs_missing', `The allowlist ${hash} of ${projectId} cannot be had${why}`);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function keep(folder: string, hash: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${hash}.jsonl`);
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** A source that does not answer is none: the next one, or the next request, may have it. */
const SOURCE_TIMEOUT_MS = 10_000;

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), SOURCE_TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function readFrom(source: string, projectId: string, hash: string): Promise<string | null> {
  if (!/^https?:/.test(source)) {
    const file = path.join(source, `${hash}.jsonl`);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }
  const platform = httpSource(source);
  const found = (await platform.lists(projectId)).find((list) => list.hash === hash);
  if (found === undefined) return null;
  let text = '';
  for await (const chunk of platform.listText(projectId, found.id)) text += chunk;
  return text;
}
