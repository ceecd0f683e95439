import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { memoize } from '#lib/base/memoize.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';
import { etagOf, matchesTag } from './answer.ts';
import { areEncodedAnswersHandled, ENCODED_AS } from './encoded-answers.ts';
import { pagePolicy } from './headers.ts';

/**
 * Public pages are the same bytes for everybody, and this process keeps them: it asks itself for a page as any visitor
 * would, and puts the hashes of exactly those scripts into the policy that carried the nonce of that answer
 * (docs/adr/0036-kept-pages.md). Where that fails, each visitor gets a page of their own.
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

interface KeptPage {
  status: number;
  headers: Record<string, string>;
  html: Buffer<ArrayBuffer>;
  compressed: Partial<Record<'br' | 'gzip', Promise<Buffer<ArrayBuffer>>>>;
}

/**
 * The path under which a request's page is kept; null for a page of its visitor's own. Nothing else of the request has a part
 * in what is kept. What a page loads for itself asks for no HTML, and is no page.
 */
export function keptPath({ method, url, headers }: Request): string | null {
  if (process.env.NODE_ENV !== 'production') return null;
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (headers.has('authorization') || headers.get('accept')?.includes('text/html') !== true) return null;
  // At Vercel it asks itself at BASE_URL: a preview under another name would answer with the pages of production.
  const { VERCEL, BASE_URL } = env();
  if (VERCEL !== undefined && headers.get('host') !== new URL(BASE_URL).host) return null;
  const { pathname, searchParams } = new URL(url);
  const page = KEPT.find(({ path }) => path.test(pathname));
  return page === undefined || page.own.some((name) => searchParams.has(name)) ? null : pathname;
}

/** Where this deployment asks itself: the port that it listens on, or its public address on a platform that has none. */
function ownOrigin(): string {
  const { VERCEL, PORT, BASE_URL } = env();
  return VERCEL === undefined && PORT !== undefined ? `http://127.0.0.1:${PORT}` : new URL(BASE_URL).origin;
}

/** This process does not reach itself. */
class Unreachable extends Error {}

async function ask(path: string): Promise<Response> {
  return fetch(`${ownOrigin()}${path}`, {
    headers: {
      [RENDER_HEADER]: renderToken.get().toString('base64url'),
      accept: 'text/html',
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
    const answer = SCRIPT_FILE.test(file) ? await ask(file) : null;
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

/** A page as this deployment makes it for anybody; null where it makes none that could be kept. */
async function render(path: string): Promise<KeptPage | null> {
  const answer = await ask(path);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const nonce = NONCE.exec(policy)?.[1];
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  // Anything else than a page of ours under the policy of ours was answered by something that stands between.
  if (![200, 404].includes(answer.status) || nonce === undefined || policy !== pagePolicy({ nonce }) || !isPage) {
    await answer.body?.cancel();
    return null;
  }
  const page = await answer.text();
  if (FAILED_PART.test(page)) return null;
  const hashed = await withHashes(page, nonce);
  if (hashed === null) return null;
  const { html, scripts } = hashed;
  const kept = pagePolicy({ scripts });
  if (kept.length > MOST_POLICY_LETTERS || html.length > MOST_PAGE_BYTES) return null;
  const link = answer.headers.get('link');
  const body = Buffer.from(html);
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
    html: body,
    compressed: {},
  };
}

/** The last page of each path, for while the next one takes long. */
const last = new LRUCache<string, { page: KeptPage; begunAtMs: number }>({
  max: MAX_ENTRIES,
  maxSize: MAX_BYTES,
  sizeCalculation: ({ page }) => page.html.byteLength * 2,
});
const underWay = new Map<string, Promise<KeptPage | null>>();

const pages = new ResponseCache<KeptPage | null>({
  maxAgeMs: MAX_AGE_MS,
  maxEntries: MAX_ENTRIES,
  maxBytes: MAX_BYTES,
  keeps: (page) => page === null || page.status === 200,
  // With its compressed forms.
  bytesOf: (page) => (page?.html.byteLength ?? 0) * 2,
});

/** Until when a path's page, or every page, is made for its visitor alone. */
const pausedPaths = new LRUCache<string, number>({ max: MAX_ENTRIES });
let pausedUntilMs = 0;

const isPaused = (path: string, nowMs: number): boolean => nowMs < Math.max(pausedUntilMs, pausedPaths.get(path) ?? 0);

async function renderOrPause(path: string): Promise<KeptPage | null> {
  const pause = (): void => void pausedPaths.set(path, Date.now() + PAUSE_MS);
  try {
    const page = await render(path);
    if (page === null) pause();
    return page;
  } catch (err) {
    // One that is slow says nothing of the others.
    if (err instanceof Unreachable) pausedUntilMs = Date.now() + PAUSE_MS;
    else pause();
    logger().warn({ err, path }, 'a page could not be kept, and is made for each visitor meanwhile');
    return null;
  }
}

/** One render of a path at a time. */
function renderOnce(path: string): Promise<KeptPage | null> {
  const known = underWay.get(path);
  if (known !== undefined) return known;
  const begunAtMs = Date.now();
  const rendering = renderOrPause(path).then((page) => {
    underWay.delete(path);
    if (page?.status === 200) last.set(path, { page, begunAtMs });
    else last.delete(path);
    return page;
  });
  underWay.set(path, rendering);
  return rendering;
}

function make(path: string): Promise<KeptPage | null> {
  const rendering = renderOnce(path);
  const before = last.get(path);
  if (before === undefined || Date.now() - before.begunAtMs > MOST_STALE_MS) return rendering;
  return Promise.race([rendering, sleep(PATIENCE_MS, before.page)]);
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/** As much as a page that is sent for half a second is worth. */
const QUALITY = 5;

/** The page in the best form that a client takes, made once. */
async function encoded(page: KeptPage, accepted: string): Promise<{ body: Buffer<ArrayBuffer>; coding?: string }> {
  const takes = (name: string) =>
    accepted.split(',').some((part) => {
      const [coding, ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      return coding === name && !parameters.some((each) => /^q\s*=\s*0(?:\.0*)?$/.test(each));
    });
  const { compressed, html } = page;
  if (takes('br')) {
    compressed.br ??= toBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
    return { body: await compressed.br, coding: 'br' };
  }
  if (takes('gzip')) {
    compressed.gzip ??= toGzip(html, { level: QUALITY });
    return { body: await compressed.gzip, coding: 'gzip' };
  }
  return { body: html };
}

/** The kept page of a path, for one request; null where the page is made for its visitor. */
export async function answerKept(path: string, request: Request): Promise<Response | null> {
  const nowMs = Date.now();
  if (isPaused(path, nowMs)) return null;
  const page = await pages.get(path, nowMs, () => make(path));
  if (page === null) return null;
  const { etag } = page.headers;
  if (etag !== undefined && matchesTag(request.headers.get('if-none-match'), etag.slice(2))) {
    const { 'content-type': _type, ...rest } = page.headers;
    return new Response(null, { status: 304, headers: rest });
  }
  const { body, coding } = await encoded(
    page,
    areEncodedAnswersHandled() ? (request.headers.get('accept-encoding') ?? '') : '',
  );
  const headers = { ...page.headers, ...(coding === undefined ? {} : { [ENCODED_AS]: coding }) };
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers });
}
