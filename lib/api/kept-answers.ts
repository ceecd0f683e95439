import { env } from '#lib/base/env.ts';
import { held } from '#lib/base/held.ts';
import type { Encoded } from './encoded.ts';

/** However long others may keep an answer, a process keeps it no longer: that is enough for any crowd, and a change shows soon. */
export const KEPT_MS = 1_000;
/** Bounded: a full table starts anew. */
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

interface Entry {
  askedAtMs: number;
  encoded: Promise<Encoded>;
  /** Of the key, and of the body once it is made. */
  bytes: number;
}

/** Every `max-age` but 0 is as long as this process keeps an answer, or longer. */
export const allowsKeeping = (cacheControl: string | undefined): boolean =>
  /^public, max-age=[1-9]/.test(cacheControl ?? '');

const mayBeKept = ({ status, headers }: Encoded): boolean => status === 200 && allowsKeeping(headers['cache-control']);

/**
 * Answers that everybody gets alike, as bytes. Who asks while one is being made shares it, and what may be cached serves
 * for up to a second, counted from when it was asked for: nobody gets what is older than that. A failure is not kept.
 */
export class KeptAnswers {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /**
   * `make` may throw at once, for who asks what cannot be answered: that takes no room. `fresh` is for a caller that has to
   * see its own write: what is kept, or being made, may be from before it, and is replaced.
   */
  get(
    key: string,
    nowMs: number,
    make: () => Promise<Encoded>,
    { fresh = false }: { fresh?: boolean } = {},
  ): Promise<Encoded> {
    const known = this.#entries.get(key);
    // A clock that was set back makes nothing younger.
    const ageMs = known === undefined ? KEPT_MS : nowMs - known.askedAtMs;
    if (known !== undefined && !fresh && ageMs >= 0 && ageMs < KEPT_MS) return known.encoded;
    const entry: Entry = { askedAtMs: nowMs, encoded: make(), bytes: key.length };
    if (known !== undefined) this.#drop(key, known);
    if (this.#entries.size >= MAX_ENTRIES || this.#bytes >= MAX_BYTES) this.forget();
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    entry.encoded.then(
      (encoded) => (mayBeKept(encoded) ? this.#grow(key, entry, encoded) : this.#drop(key, entry)),
      () => this.#drop(key, entry),
    );
    return entry.encoded;
  }

  #grow(key: string, entry: Entry, { body }: Encoded): void {
    if (body === null || this.#entries.get(key) !== entry) return;
    entry.bytes += body.byteLength;
    this.#bytes += body.byteLength;
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** Whoever asks from now on gets what is made anew. */
  forget(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

const shared = held(
  () => [env().POSTGRES_URL, env().XRPL_URLS, env().BASE_URL],
  () => new KeptAnswers(),
);

/** The process-wide answers. */
export const keptAnswers = (): KeptAnswers => shared.get();
