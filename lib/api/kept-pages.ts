import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { memoize } from '#lib/base/memoize.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';
import { etagOf, matchesTag, takesCoding } from './answer.ts';
import { areEncodedAnswersHandled, ENCODED_AS } from './encoded-answers.ts';
import { NO_PAGE_POLICY, pagePolicy } from './headers.ts';

/**
 * Public pages are the same bytes for everybody, and this process keeps them: it asks itself for a page as any visitor
 * would, and puts the hashes of exactly those scripts into the policy that carried the nonce of that answer
 * (docs/adr/0036-kept-pages.md). So are what open pages refresh themselves with. Where that fails, each visitor gets a page
 * of their own.
 */

/** Half of the second within which a change is seen: the other half is for the readings that a page is made of. */
const MAX_AGE_MS = 500;
const MAX_ENTRIES = 200;
const MAX_BYTES = 64 * 1024 * 1024;
const MOST_PAGE_BYTES = 4 * 1024 * 1024;
/** Longer than a part of a page waits for the ledger. */
const RENDER_TIMEOUT_MS = 6_000;
/** Where a part of a page takes longer, because the ledger or a witness does, its viewers get the page as it was until then. */
const PATIENCE_MS = 400;
/** Since its render began. */
const MOST_STALE_MS = 1_500;
/** After a render that brought nothing to keep, visitors do not wait for another at once. */
const PAUSE_MS = 5_000;
/** Proxies in front of an app have room for 4 kB of headers. */
const MOST_POLICY_LETTERS = 3_000;

/** Others may keep it for a second; a browser asks whether it has changed. */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=1';
const VARY = 'rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept, Accept-Encoding';

/** Each page with the parameters that it reads on the server: with one of them it is its visitor's own. */
const KEPT: readonly { path: RegExp; own: readonly string[] }[] = [
  { path: /^\/$/, own: ['cursor'] },
  { path: /^\/status$/, own: [] },
  // A draft opens by its id, which has another form than a slug.
  { path: /^\/sales\/[a-z0-9-]{1,60}$/, own: ['watch', 'amount', 'wallet'] },
  { path: /^\/sales\/[a-z0-9-]{1,60}\/terms$/, own: [] },
  { path: /^\/docs(?!\/(?:search|images)(?:\/|$))(?:\/[\w-]{1,60}){0,4}$/, own: [] },
  { path: /^\/reference(?:\/[\w.-]{1,80})?$/, own: [] },
];

const RENDER_HEADER = 'x-render-page';
/** It lifts the limit of pages, and nothing else. */
const renderToken = memoize(
  () => [env().WEBHOOK_ENCRYPTION_KEYS],
  () => createHmac('sha256', env().WEBHOOK_ENCRYPTION_KEYS.join()).update('render a page').digest(),
);

/** Whether this deployment asks itself for a page that it will keep. */
export function isOwnRender(headers: Headers): boolean {
  const given = headers.get(RENDER_HEADER);
  if (given === null) return false;
  const [known, claimed] = [renderToken.get(), Buffer.from(given, 'base64url')];
  return known.length === claimed.length && timingSafeEqual(known, claimed);
}

/** Without what only this deployment says to itself. */
export function withoutRenderHeader(headers: Headers): Headers {
  headers.delete(RENDER_HEADER);
  return headers;
}

interface Kept {
  status: number;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
  compressed: Partial<Record<'br' | 'gzip', Promise<Buffer<ArrayBuffer>>>>;
}

/** By what Next.js's router says which part of a page it wants, as data. The first is in all of its requests. */
const ROUTER_HEADERS = ['rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-router-segment-prefetch'];
const MOST_ROUTER_LETTERS = 4_000;

/** A page, or what an open page asks for to refresh itself (`router`: its headers). All who ask for the same share it. */
export interface SharedView {
  path: string;
  router?: Record<string, string>;
}

/** What the router asks for with a page's address; null where it asks for what is its visitor's own. */
function routerPart(path: string, searchParams: URLSearchParams, headers: Headers): SharedView | null {
  const given = ROUTER_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const letters = given.reduce((total, [, value]) => total + value.length, 0);
  // The answer names the address's other parameters.
  const isPlain = [...searchParams.keys()].every((name) => name === '_rsc');
  if (headers.get('rsc') !== '1' || !isPlain || letters > MOST_ROUTER_LETTERS) return null;
  return { path, router: Object.fromEntries(given) };
}

/**
 * What a request asks for that is kept; null for a page of its visitor's own. Nothing else of the request has a part in what
 * is kept. What a page loads for itself asks for no HTML, and is no page.
 */
export function sharedView({ method, url, headers }: Request): SharedView | null {
  if (process.env.NODE_ENV !== 'production') return null;
  if ((method !== 'GET' && method !== 'HEAD') || headers.has('authorization')) return null;
  // At Vercel it asks itself at BASE_URL: a preview under another name would answer with the pages of production.
  const { VERCEL, BASE_URL } = env();
  if (VERCEL !== undefined && headers.get('host') !== new URL(BASE_URL).host) return null;
  const { pathname, searchParams } = new URL(url);
  const page = KEPT.find(({ path }) => path.test(pathname));
  if (page === undefined || page.own.some((name) => searchParams.has(name))) return null;
  if (headers.has('rsc') || searchParams.has('_rsc')) return routerPart(pathname, searchParams, headers);
  return headers.get('accept')?.includes('text/html') === true ? { path: pathname } : null;
}

/** Where this deployment asks itself: the port that it listens on, or its public address on a platform that has none. */
function ownOrigin(): string {
  const { VERCEL, PORT, BASE_URL } = env();
  return VERCEL === undefined && PORT !== undefined ? `http://127.0.0.1:${PORT}` : new URL(BASE_URL).origin;
}

/** This process does not reach itself. */
class Unreachable extends Error {}

async function ask({ path, router }: SharedView): Promise<Response> {
  return fetch(`${ownOrigin()}${path}`, {
    headers: {
      [RENDER_HEADER]: renderToken.get().toString('base64url'),
      ...(router ?? { accept: 'text/html' }),
      'accept-encoding': 'identity',
    },
    redirect: 'manual',
    cache: 'no-store',
    signal: AbortSignal.timeout(RENDER_TIMEOUT_MS),
  }).catch((err: Error) => {
    throw err.name === 'TimeoutError' ? err : new Unreachable(err.message, { cause: err });
  });
}

const sha256 = (content: string | Uint8Array): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Files of the build, whose names change with their content. */
const SCRIPT_FILE = /^\/_next\/static\/chunks\/[\w.~-]+\.js$/;
const hashes = new ResponseCache<string>({ maxAgeMs: Number.POSITIVE_INFINITY, maxEntries: 1_000, keeps: () => true });

/** The hash of a script's file as this deployment serves it. Throws where it serves none. */
const hashOf = (file: string): Promise<string> =>
  hashes.get(file, 0, async () => {
    const answer = SCRIPT_FILE.test(file) ? await ask({ path: file }) : null;
    if (answer?.status !== 200) throw new Error('A page names a script that the build does not have');
    return sha256(new Uint8Array(await answer.arrayBuffer()));
  });

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;
const PRELOADED_SCRIPT = /<link rel="preload" as="script"([^>]*)>/g;
const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/**
 * A page without its nonce, and the hashes of the scripts that carried it: of no others, so that what somebody might have
 * brought into the page runs no more than it did. Null where hashes of scripts would not do.
 */
async function withHashes(page: string, nonce: string): Promise<{ html: string; scripts: string[] } | null> {
  const mark = ` nonce="${nonce}"`;
  const plain = (text: string) => text.replaceAll(mark, '').replaceAll(nonce, '');
  const scripts = new Set<string>();
  const integrity = new Map<string, string>();
  if (/<style\b/.test(page)) return null;
  for (const [, tag = '', text = ''] of page.matchAll(SCRIPT)) {
    if (!tag.includes(mark)) continue;
    // A browser makes another character of a carriage return before it hashes.
    if (text.includes('\r')) return null;
    const file = attribute(tag, 'src');
    const hash = file === undefined ? sha256(plain(text)) : await hashOf(file);
    scripts.add(`'${hash}'`);
    if (file !== undefined) integrity.set(file, hash);
  }
  const withIntegrity = (tag: string, file: string | undefined): string => {
    const hash = file === undefined ? undefined : integrity.get(file);
    return hash === undefined || !tag.includes(mark) ? tag : tag.replace(mark, ` integrity="${hash}"`);
  };
  const html = page
    .replaceAll(SCRIPT, (script, tag: string) => script.replace(tag, () => withIntegrity(tag, attribute(tag, 'src'))))
    .replaceAll(PRELOADED_SCRIPT, (tag) => withIntegrity(tag, attribute(tag, 'href')));
  return { html: plain(html), scripts: [...scripts] };
}

const NONCE = /'nonce-([A-Za-z0-9+/]{22}==)'/;

/**
 * How React marks a part that failed after the page's first bytes, which are 200. Text of others cannot hold it: `<` and `"` are
 * escaped. A part for browsers alone is left out by the same mark, and says so.
 */
const FAILED_PART = /<!--\$!-->(?!<template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING")|\$RX\("/;

/** What stays of a `Link` header without the nonce. */
const withoutNonce = (link: string, nonce: string): string => link.replaceAll(`; nonce="${nonce}"`, '');

/** How React marks an error in data: a row of its own, which need not begin a line. */
const FAILED_ROW = /[0-9a-f]:E\{"digest":/;

/** What the router gets in place of HTML: data without the nonce. Nobody else may keep what is no page at a page's address. */
async function keepPart(answer: Response, nonce: string): Promise<Kept | null> {
  const data = await answer.text();
  if (FAILED_ROW.test(data)) return null;
  const own = [...answer.headers].filter(([name]) => /^(?:content-type|vary|x-nextjs-.*)$/.test(name));
  return {
    status: answer.status,
    headers: { ...Object.fromEntries(own), ...NO_PAGE_POLICY, 'cache-control': 'no-store' },
    body: Buffer.from(data.replaceAll(nonce, '')),
    compressed: {},
  };
}

async function keepPage(answer: Response, nonce: string): Promise<Kept | null> {
  const page = await answer.text();
  if (FAILED_PART.test(page)) return null;
  const hashed = await withHashes(page, nonce);
  if (hashed === null) return null;
  const { html, scripts } = hashed;
  const kept = pagePolicy({ scripts });
  if (kept.length > MOST_POLICY_LETTERS) return null;
  const link = answer.headers.get('link');
  return {
    status: answer.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': kept,
      'cache-control': answer.status === 200 ? CACHE_CONTROL : 'no-store',
      vary: VARY,
      ...(link === null ? {} : { link: withoutNonce(link, nonce) }),
      ...(answer.status === 200 ? { etag: `W/${etagOf(`${kept}\n${html}`)}` } : {}),
    },
    body: Buffer.from(html),
    compressed: {},
  };
}

/** What this deployment makes for anybody; null where it makes nothing that could be kept. */
async function render(view: SharedView): Promise<Kept | null> {
  const answer = await ask(view);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const nonce = NONCE.exec(policy)?.[1];
  const type = view.router === undefined ? 'text/html' : 'text/x-component';
  const isOurs = answer.headers.get('content-type')?.startsWith(type) === true;
  // Anything else than a page of ours under the policy of ours was answered by something that stands between.
  if (![200, 404].includes(answer.status) || nonce === undefined || policy !== pagePolicy({ nonce }) || !isOurs) {
    await answer.body?.cancel();
    return null;
  }
  const kept = await (view.router === undefined ? keepPage : keepPart)(answer, nonce);
  return kept === null || kept.body.byteLength > MOST_PAGE_BYTES ? null : kept;
}

/** Until when everything is made for its visitor alone, as this process does not reach itself. */
let pausedUntilMs = 0;

/** What is kept of one kind: pages, or what pages refresh themselves with. Neither has to make room for the other. */
class Store {
  /** The last of each, for while the next one takes long. */
  readonly #last = new LRUCache<string, { kept: Kept; begunAtMs: number }>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ kept }) => kept.body.byteLength * 2,
  });
  readonly #underWay = new Map<string, Promise<Kept | null>>();
  readonly #kept = new ResponseCache<Kept | null>({
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    keeps: (kept) => kept === null || kept.status === 200,
    // With its compressed forms.
    bytesOf: (kept) => (kept?.body.byteLength ?? 0) * 2,
  });
  /** Until when one is made for its visitor alone. */
  readonly #paused = new LRUCache<string, number>({ max: MAX_ENTRIES });

  async get(view: SharedView, nowMs: number): Promise<Kept | null> {
    const key = JSON.stringify(view);
    if (nowMs < Math.max(pausedUntilMs, this.#paused.get(key) ?? 0)) return null;
    return this.#kept.get(key, nowMs, () => this.#make(key, view));
  }

  #make(key: string, view: SharedView): Promise<Kept | null> {
    const rendering = this.#renderOnce(key, view);
    const before = this.#last.get(key);
    // What is answered now is kept for as long as anything.
    if (before === undefined || Date.now() - before.begunAtMs > MOST_STALE_MS - MAX_AGE_MS) return rendering;
    return Promise.race([rendering, sleep(PATIENCE_MS, before.kept)]);
  }

  /** One render of a view at a time. */
  #renderOnce(key: string, view: SharedView): Promise<Kept | null> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begunAtMs = Date.now();
    const rendering = this.#renderOrPause(key, view).then((kept) => {
      this.#underWay.delete(key);
      if (kept?.status === 200) this.#last.set(key, { kept, begunAtMs });
      else this.#last.delete(key);
      return kept;
    });
    this.#underWay.set(key, rendering);
    return rendering;
  }

  async #renderOrPause(key: string, view: SharedView): Promise<Kept | null> {
    const pause = (): void => void this.#paused.set(key, Date.now() + PAUSE_MS);
    try {
      const kept = await render(view);
      if (kept === null) pause();
      return kept;
    } catch (err) {
      // One that is slow says nothing of the others.
      if (err instanceof Unreachable) pausedUntilMs = Date.now() + PAUSE_MS;
      else pause();
      logger().warn({ err, path: view.path }, 'a page could not be kept, and is made for each visitor meanwhile');
      return null;
    }
  }
}

const pages = new Store();
const parts = new Store();

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/** As much as a page that is sent for half a second is worth. */
const QUALITY = 5;

/** In the best form that a client takes, made once. */
async function encoded(kept: Kept, accepted: string | null): Promise<{ body: Buffer<ArrayBuffer>; coding?: string }> {
  const { compressed, body } = kept;
  if (takesCoding(accepted, 'br')) {
    compressed.br ??= toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
    return { body: await compressed.br, coding: 'br' };
  }
  if (takesCoding(accepted, 'gzip')) {
    compressed.gzip ??= toGzip(body, { level: QUALITY });
    return { body: await compressed.gzip, coding: 'gzip' };
  }
  return { body };
}

/** What is kept of a view, for one request; null where it is made for its visitor. */
export async function answerKept(view: SharedView, request: Request): Promise<Response | null> {
  const kept = await (view.router === undefined ? pages : parts).get(view, Date.now());
  if (kept === null) return null;
  const { etag } = kept.headers;
  if (etag !== undefined && matchesTag(request.headers.get('if-none-match'), etag.slice(2))) {
    const { 'content-type': _type, ...rest } = kept.headers;
    return new Response(null, { status: 304, headers: rest });
  }
  const { body, coding } = await encoded(
    kept,
    areEncodedAnswersHandled() ? request.headers.get('accept-encoding') : null,
  );
  const headers = { ...kept.headers, ...(coding === undefined ? {} : { [ENCODED_AS]: coding }) };
  return new Response(request.method === 'HEAD' ? null : body, { status: kept.status, headers });
}
