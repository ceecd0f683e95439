import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { openapi } from './openapi.ts';
import { MAX_REQUEST_BYTES, type signaturesAnswer, signaturesRequest } from './protocol.ts';
import type { Witness } from './witness.ts';

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });

const fault = (status: number, error: string, detail: string, headers: Record<string, string> = {}): Response =>
  answer(status, { error, detail }, headers);

const MINUTE_MS = 60_000;

/** The envelope alone: a candidate of another form is refused by itself, and the others are decided. */
const envelope = signaturesRequest.unwrap().extend({ candidates: z.array(z.unknown()).min(1).max(200) });

/**
 * Answers requests to a witness, in a server or in a serverless function. What it answers holds no secret, and its errors
 * quote nothing of a request.
 */
export function handlerOf(witness: Witness): (request: Request) => Promise<Response> {
  const tokens = witness.config.tokens_sha256.map((hash) => Buffer.from(hash, 'hex'));
  const mayAsk = perMinute(witness.config.limits.requests_a_minute);
  const mayOffer = perMinute(witness.config.limits.candidates_a_minute);
  const document = JSON.stringify(openapi());

  async function sign(request: Request): Promise<Response> {
    const text = await readText(request);
    if (text === null) return fault(413, 'too_large', `A request has at most ${MAX_REQUEST_BYTES} bytes`);
    const parsed = envelope.safeParse(readJson(text));
    if (!parsed.success) return fault(400, 'malformed', z.prettifyError(parsed.error).slice(0, 1_000));
    const waitMs = mayOffer(performance.now(), parsed.data.candidates.length);
    if (waitMs > 0) return tooMany(waitMs);
    try {
      const signed: z.output<typeof signaturesAnswer> = await witness.sign(parsed.data.account, parsed.data.candidates);
      return answer(200, signed);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      return fault(503, 'not_signed', 'The witness could not write its log, and signed nothing');
    }
  }

  return async (request) => {
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /health') {
      await witness.lookAgain();
      return answer(200, witness.health());
    }
    if (!isAuthorized(request, tokens)) {
      return fault(401, 'unauthorized', 'Send the token of this witness as Bearer token', {
        'www-authenticate': 'Bearer',
      });
    }
    if (route === 'GET /openapi.json') return new Response(document, { headers: HEADERS });
    if (route === 'GET /v1/status') {
      await witness.lookAgain();
      return answer(200, witness.status());
    }
    if (route !== 'POST /v1/signatures') return fault(404, 'not_found', 'There is nothing here; see /openapi.json');
    const waitMs = mayAsk(performance.now());
    return waitMs > 0 ? tooMany(waitMs) : sign(request);
  };
}

function isAuthorized(request: Request, tokens: readonly Buffer[]): boolean {
  const [, token = ''] = /^Bearer (\S{1,200})$/.exec(request.headers.get('authorization') ?? '') ?? [];
  const hash = createHash('sha256').update(token).digest();
  // All of them are compared, so that the time says nothing.
  return tokens.map((each) => timingSafeEqual(each, hash)).includes(true);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The body as text; null when it is larger than allowed. No more than that is read. */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_REQUEST_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooMany = (waitMs: number): Response =>
  fault(429, 'rate_limited', 'More than its operator allows in a minute', {
    'retry-after': String(Math.ceil(waitMs / 1_000)),
  });

/** Milliseconds until so many more may come; 0 when they may now, and are counted. */
function perMinute(most: number): (nowMs: number, count?: number) => number {
  let taken: { atMs: number; count: number }[] = [];
  return (nowMs, count = 1) => {
    taken = taken.filter(({ atMs }) => atMs > nowMs - MINUTE_MS);
    let excess = taken.reduce((sum, each) => sum + each.count, count) - most;
    for (const each of taken) {
      if (excess <= 0) break;
      excess -= each.count;
      if (excess <= 0) return each.atMs + MINUTE_MS - nowMs;
    }
    if (excess > 0) return MINUTE_MS;
    taken.push({ atMs: nowMs, count });
    return 0;
  };
}
