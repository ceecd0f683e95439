import { HttpError } from '../http-server.ts';
import { parseDurationSeconds, requireDurationSeconds } from './duration.ts';
import { type DeliveryOrder, type FlowControl, METHODS, type Redaction } from './message.ts';

const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_SECONDS = 900;
// The free plan's limits (docs/wire-facts.md#qstash).
const MAX_DELAY_SECONDS = 7 * 86_400;
const MAX_BODY_BYTES = 1024 * 1024;

// Left out here: taken silently they would make a test pass that fails on the hosted service.
const UNSUPPORTED = [
  'upstash-callback',
  'upstash-failure-callback',
  'upstash-queue-name',
  'upstash-retry-delay',
  'upstash-cron',
];

/** Headers with lower-case names, one value each. */
export type PublishHeaders = Readonly<Record<string, string>>;

/** When, and whether at all, a message is to go out. */
export interface PublishTiming {
  /** Unix seconds. */
  notBeforeSeconds?: number;
  deduplicationId?: string;
  contentBasedDeduplication: boolean;
}

function parseCount(header: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new HttpError(400, `invalid ${header}: ${text}`);
  return Number(text);
}

function parseFlowControl(headers: PublishHeaders): FlowControl | undefined {
  const key = headers['upstash-flow-control-key'];
  const value = headers['upstash-flow-control-value'];
  if (key === undefined && value === undefined) return undefined;
  if (!key || !value) throw new HttpError(400, 'Upstash-Flow-Control-Key and -Value go together');
  const flowControl = { key, parallelism: Number.POSITIVE_INFINITY, rate: Number.POSITIVE_INFINITY, periodMs: 1000 };
  for (const part of value.split(',')) {
    const [name = '', setting = ''] = part.trim().split('=', 2);
    const number = name === 'period' ? parseDurationSeconds(setting) : Number(setting);
    if (!number || !Number.isInteger(number) || number < 0) {
      throw new HttpError(400, `invalid Upstash-Flow-Control-Value: ${value}`);
    }
    if (name === 'parallelism' || name === 'rate') flowControl[name] = number;
    else if (name === 'period') flowControl.periodMs = number * 1000;
    else throw new HttpError(400, `invalid Upstash-Flow-Control-Value: ${value}`);
  }
  return flowControl;
}

/** Names of the headers to be shown as a hash, in lower case, or all of them. Redacted bodies are not supported. */
function parseRedaction(text: string): Redaction {
  const names: string[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === 'header') return 'all';
    const name = /^header\[([^\]]+)\]$/.exec(part)?.[1];
    if (name === undefined)
      throw new HttpError(400, `Upstash-Redact-Fields: ${part} is not supported by this stand-in`);
    names.push(name.toLowerCase());
  }
  return names;
}

function forwardedHeaders(headers: PublishHeaders): Record<string, string> {
  const forwarded: Record<string, string> = {};
  if (headers['content-type']) forwarded['content-type'] = headers['content-type'];
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('upstash-forward-')) forwarded[name.slice('upstash-forward-'.length)] = value;
  }
  return forwarded;
}

function requireDestination(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new HttpError(
      400,
      `invalid destination url: endpoint has invalid scheme, add http:// or https:// in front of your url: ${url}`,
    );
  }
  return url;
}

/** Reads what to deliver, and where, from a publish or schedule request. @throws HttpError 400, 412 or 413 */
export function parseDeliveryOrder(url: string, headers: PublishHeaders, body: Buffer): DeliveryOrder {
  const unsupported = UNSUPPORTED.find((name) => headers[name] !== undefined);
  if (unsupported !== undefined) throw new HttpError(400, `${unsupported} is not supported by this stand-in`);
  if (body.length > MAX_BODY_BYTES) throw new HttpError(413, `message is larger than ${MAX_BODY_BYTES} bytes`);
  const methodName = (headers['upstash-method'] ?? 'POST').toUpperCase();
  const method = METHODS.find((candidate) => candidate === methodName);
  if (method === undefined) throw new HttpError(400, `invalid Upstash-Method: ${methodName}`);
  const delaySeconds = requireDurationSeconds('Upstash-Delay', headers['upstash-delay'] ?? '0');
  if (delaySeconds > MAX_DELAY_SECONDS) throw new HttpError(412, `quota maxDelay exceeded: ${MAX_DELAY_SECONDS}s`);
  const timeout = headers['upstash-timeout'];
  const flowControl = parseFlowControl(headers);
  const label = headers['upstash-label'];
  const redacted = headers['upstash-redact-fields'];
  return {
    url: requireDestination(url),
    method,
    headers: forwardedHeaders(headers),
    body,
    maxRetries: parseCount('Upstash-Retries', headers['upstash-retries'] ?? String(DEFAULT_RETRIES)),
    timeoutSeconds:
      timeout === undefined ? DEFAULT_TIMEOUT_SECONDS : requireDurationSeconds('Upstash-Timeout', timeout),
    delaySeconds,
    ...(flowControl !== undefined && { flowControl }),
    ...(label !== undefined && { label }),
    ...(redacted !== undefined && { redacted: parseRedaction(redacted) }),
  };
}

/** Reads when a message is due, and what it is a duplicate of. @throws HttpError 400 */
export function parsePublishTiming(headers: PublishHeaders): PublishTiming {
  const notBefore = headers['upstash-not-before'];
  const deduplicationId = headers['upstash-deduplication-id'];
  return {
    contentBasedDeduplication: headers['upstash-content-based-deduplication'] === 'true',
    ...(notBefore !== undefined && { notBeforeSeconds: parseCount('Upstash-Not-Before', notBefore) }),
    ...(deduplicationId && { deduplicationId }),
  };
}
