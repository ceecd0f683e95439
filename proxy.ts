import { randomBytes } from 'node:crypto';
import { NextResponse } from 'next/server';
import { clientIp } from '#lib/api/client-ip.ts';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { NO_PAGE, NO_PAGE_POLICY, pagePolicy } from '#lib/api/headers.ts';
import { answerKept, isOwnRender, type SharedView, sharedView, withoutRenderHeader } from '#lib/api/kept-pages.ts';
import { refusePage } from '#lib/api/page-refusal.ts';
import { answerProblem } from '#lib/api/problem.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { containsSeed } from '#lib/base/plain-text.ts';
import { RateLimiter } from '#lib/base/rate-limiter.ts';

/** Pages come here, and addresses with a percent sign: the interface's answers pay for no detour. */
export const config = { matcher: ['/(.*%.*)', '/((?!(?:api|webhooks|_next)(?:/|$)).*)'] };

const NONCE_BYTES = 16;
const METHODS = 'GET, HEAD, POST, OPTIONS';

/** Pages and their parts a minute and caller, counted in the process: ten a second is more than anybody reads. */
const PAGES_PER_MINUTE = 600;
const pages = new RateLimiter();

/** The text without its percent encoding; null where it is not validly encoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The page under a policy of its own; Next.js takes the nonce for its scripts from the request's header. */
function withPolicy(request: Request, frameOrigins: readonly string[] = []): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = pagePolicy({ nonce }, { isDevelopment: process.env.NODE_ENV === 'development', frameOrigins });
  const headers = withoutRenderHeader(new Headers(request.headers));
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  // Next.js compares Origin with this before a server action; a client may have written what stands there.
  headers.set('x-forwarded-host', new URL(env().BASE_URL).host);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/** A picture that others may keep: it has no scripts, and a nonce would be kept with it. */
const SOCIAL_CARD = /\/opengraph-image(?:-[0-9a-z]+)?$/;

const PORTAL = /^\/portal\/(?<id>ptl_[0-9A-Za-z]{22})$/;

/**
 * The portal may be framed where its link says so: its authority is a token that only the page's own scripts hold, and no cookie
 * that a frame would lend. Its address goes to no other site. Nothing but this page pays for the database.
 */
async function portalPage(request: Request, linkId: string): Promise<Response> {
  const { frameOriginsOf } = await import('#lib/webhooks/portal/frame-origins.ts');
  const response = withPolicy(request, await frameOriginsOf(linkId).catch(() => []));
  response.headers.set('referrer-policy', 'no-referrer');
  return response;
}

const sharedPage = async (view: SharedView, request: Request): Promise<Response> =>
  (await answerKept(view, request)) ?? withPolicy(request);

function tooManyPages(request: Request): Response | null {
  const limit = PAGES_PER_MINUTE * env().RATE_LIMIT_SCALE;
  const { allowed, resetSeconds } = pages.takeCaller(clientIp(request.headers), limit, Date.now());
  if (allowed) return null;
  return refusePage({
    status: 429,
    title: 'Too many pages at once',
    text: `More pages were asked for from your network within a minute than anybody reads. Wait ${resetSeconds} seconds, then load this page again. Payments are not affected.`,
    headers: { 'retry-after': String(resetSeconds) },
  });
}

/**
 * An address with a seed in it gets no page of ours: Next.js writes the address into its pages, and it would be copied on by
 * whatever reads them.
 */
function seedInAddress(path: string, query: string): Response | null {
  const isInPath = containsSeed(path);
  if (!isInPath && !containsSeed(query) && !containsSeed(decoded(query.replaceAll('+', ' ')) ?? '')) return null;
  return refusePage({
    status: isInPath ? 404 : 400,
    title: 'Never put a secret seed into an address',
    text: 'This address holds what looks like the secret seed of a wallet, and it now stands in the history of your browser. Consider the seed known to others: move the funds to another wallet. The address of a wallet starts with r.',
  });
}

/** What Next.js shows in place of a page that failed has an address of its own, which would answer 500 to whoever asks. */
const FAILURE_PAGE = /^\/_global-error(?:\/|$)/;
const noSuchPage = () =>
  refusePage({ status: 404, title: 'There is no such page', text: 'The address may be mistyped.' });

/**
 * Next.js shows pages under further addresses (`/_next/data/…/docs.json`, `/api.rsc`), which no page of ours names. They would
 * come without a policy and past each check: what is no page comes here for its percent sign alone.
 */
const isAnotherName = (pathname: string): boolean => /^\/_next\/data(?:\/|$)/.test(pathname) || !pathname.includes('%');

function refuseMethod(request: Request): Response | null {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return null;
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: METHODS, ...NO_PAGE_POLICY } });
  if (method !== 'POST') {
    const text = 'Pages are read, and their forms are sent from the pages themselves.';
    return refusePage({ status: 405, title: 'This is not how pages are asked for', text, headers: { allow: METHODS } });
  }
  if (isFromOwnPage(request.headers)) return null;
  return refusePage({
    status: 403,
    title: 'This was not sent by a page of this site',
    text: `Forms are taken from this site's own pages only. Open the page at ${env().BASE_URL} and try again.`,
  });
}

/**
 * Gives each page its Content-Security-Policy, and refuses what no page answers: too many of them, an address with a seed in
 * it, a form of another site. Next.js answers a path that does not decode with a bare 500; here it is the client's fault,
 * and a problem like any other.
 */
export function proxy(request: Request): Response | Promise<Response> | undefined {
  const { pathname, search } = new URL(request.url);
  const path = decoded(pathname);
  if (path === null) {
    const headers = { ...NO_PAGE_POLICY };
    return answerProblem(
      new PlatformError('invalid_request', 'The address is not validly percent-encoded.', { headers }),
      newId('req', randomBytes),
    );
  }
  if (NO_PAGE.test(pathname)) return isAnotherName(pathname) ? noSuchPage() : undefined;
  const isOwn = isOwnRender(request.headers);
  const refusal = (isOwn ? null : tooManyPages(request)) ?? seedInAddress(path, search) ?? refuseMethod(request);
  if (refusal !== null) return refusal;
  if (FAILURE_PAGE.test(path)) return noSuchPage();
  if (SOCIAL_CARD.test(path)) return NextResponse.next({ headers: NO_PAGE_POLICY });
  const linkId = PORTAL.exec(path)?.groups?.id;
  if (linkId !== undefined) return portalPage(request, linkId);
  const view = isOwn ? null : sharedView(request);
  return view === null ? withPolicy(request) : sharedPage(view, request);
}
