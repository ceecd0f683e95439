import type * as Api from './generated.ts';

/** What a webhook receives; `event_type` tells which. */
export type WebhookEvent =
  | Api.InvestmentCreatedEvent
  | Api.InvestmentConfirmedEvent
  | Api.InvestmentFailedEvent
  | Api.InvestmentTokensDistributedEvent
  | Api.InvestmentRefundedEvent
  | Api.ProjectLaunchedEvent
  | Api.ProjectTierCompletedEvent
  | Api.ProjectMilestoneReachedEvent
  | Api.ProjectSaleEndedEvent
  | Api.ProjectCancelledEvent
  | Api.SystemMaintenanceStartEvent
  | Api.SystemMaintenanceEndEvent
  | Api.SystemNetworkStatusEvent
  | Api.SystemWebhookDisabledEvent
  | Api.SystemAlertEvent;

/** The request is not from the platform, is too old, or has been changed on its way: answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyOptions {
  /** `platform` checks `X-Platform-Signature`, which a recorded request passes for ever. */
  signature?: 'standard' | 'platform';
  /** How far `webhook-timestamp` may be off. */
  toleranceSeconds?: number;
}

type HeadersGiven = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function headerOf(headers: HeadersGiven, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : '';
}

const utf8 = new TextEncoder();
const bytesOf = (text: string, read: (text: string) => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null => {
  try {
    return read(text);
  } catch {
    return null;
  }
};
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const fromHex = (text: string) =>
  Uint8Array.from(text.match(/[0-9a-f]{2}/g) ?? [], (digits) => Number.parseInt(digits, 16));

/** The signatures that came, and what they must cover. Throws WebhookVerificationError. */
function signed(
  body: Uint8Array,
  headers: HeadersGiven,
  { signature = 'standard', toleranceSeconds = 300 }: VerifyOptions,
) {
  if (signature === 'platform') {
    const given = bytesOf(headerOf(headers, 'x-platform-signature'), fromHex);
    return { given: given === null ? [] : [given], covered: new Uint8Array(body) };
  }
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is missing or too far from the time here');
  }
  const prefix = utf8.encode(`${id}.${timestamp}.`);
  const covered = new Uint8Array(prefix.length + body.length);
  covered.set(prefix);
  covered.set(body, prefix.length);
  const given = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (bytesOf(one.slice(3), fromBase64) ?? []) : []));
  return { given, covered };
}

/**
 * The event of a webhook request, once one of its signatures is by one of the secrets: give both while you rotate. `body` are the
 * bytes as they came, before anything parses them. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersGiven,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const raw = typeof body === 'string' ? utf8.encode(body) : body;
  const { given, covered } = signed(raw, headers, options);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const isStandard = options.signature !== 'platform';
    const key = isStandard ? bytesOf(secret.replace(/^whsec_/, ''), fromBase64) : utf8.encode(secret);
    // With an empty key anybody could sign.
    if (key === null || key.length === 0) throw new TypeError('A secret of a webhook is empty or damaged: whsec_…');
    const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', hmac, signature, covered))
        return JSON.parse(new TextDecoder().decode(raw));
    }
  }
  throw new WebhookVerificationError('No signature of the request is by a secret of this webhook');
}
