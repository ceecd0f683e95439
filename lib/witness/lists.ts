import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AllowList } from '@tranche/rules/types.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { loadList } from '@tranche/verifier/lists.ts';
import type { ListName } from './deposit-book.ts';

export interface ListSources {
  /** Platforms (https://…) and folders with files `<hash>.jsonl`. */
  sources: readonly string[];
  /** Where the bytes are kept, so that others can have them from here; null keeps nothing. */
  keptIn: string | null;
}

/** Lists that are looked for at a time: whoever asks for more than are published waits for no others. */
const MOST_SEARCHES = 8;
/** A list that was not found is looked for again after this. */
const AGAIN_AFTER_MS = 2_000;

interface Search {
  /** Undefined while it goes on. */
  found?: AllowList | { failed: string };
  done: Promise<unknown>;
  endedAt: number;
}

/**
 * Finds allowlists by their hash, and keeps their bytes. Where they come from does not matter: they have the hash. A source
 * that is slow or away delays nobody but who needs the list: `find` waits for as long as it is told, and the search goes on.
 */
export class Lists {
  readonly #sources: ListSources;
  readonly #searches = new Map<string, Search>();

  constructor(sources: ListSources) {
    this.#sources = sources;
  }

  /** The list, or why there is none by now. */
  async find({ projectId, hash }: ListName, waitMs: number): Promise<AllowList | { failed: string }> {
    const key = `${projectId} ${hash}`;
    this.#forgetFailures();
    const search = this.#searches.get(key) ?? this.#begin(key, { projectId, hash });
    if (search === null) return { failed: 'too many allowlists are being looked for' };
    if (search.found === undefined) await within(waitMs, search.done);
    const { found } = search;
    if (found === undefined) return { failed: 'it is being looked for' };
    // Whoever asked has it now; another one asks its sources anew.
    if (!('failed' in found)) this.#searches.delete(key);
    return found;
  }

  #forgetFailures(): void {
    for (const [key, { found, endedAt }] of this.#searches) {
      if (found !== undefined && endedAt < performance.now() - AGAIN_AFTER_MS) this.#searches.delete(key);
    }
  }

  #begin(key: string, name: ListName): Search | null {
    if (this.#searches.size >= MOST_SEARCHES) return null;
    const search: Search = { done: Promise.resolve(), endedAt: 0 };
    search.done = lookFor(this.#sources, name).then((found) => {
      search.found = found;
      search.endedAt = performance.now();
    });
    this.#searches.set(key, search);
    return search;
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

async function lookFor(
  { sources, keptIn }: ListSources,
  { projectId, hash }: ListName,
): Promise<AllowList | { failed: string }> {
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
  return { failed: failures.length === 0 ? 'no source has it' : failures.join('; ') };
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
