import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CommandOutput } from '#lib/base/command-output.ts';
import { newId } from '#lib/base/ids.ts';
import { EVENT_TYPES, type EventType } from '#lib/events/catalogue.ts';
import { serialiseEvent } from '#lib/events/envelope.ts';
import { openUncheckedSender, signerOf } from '#lib/webhooks/delivery/send.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from '#lib/webhooks/testing/samples.ts';
import { askOnce, cursorAfter, follow, type Platform, type Received, Refusal, readEvent } from './platform.ts';

/** Secrets come from the environment: other users of the machine see a command line. */
export type Settings = Record<string, string | undefined>;

/** As the platform waits for a receiver. */
const TIMEOUT_MS = 10_000;
/** Ids that are remembered to tell an event that comes again, or that a receiver did not take. */
const REMEMBERED = 10_000;

/** Ids that are named at the end. */
const NAMED = 100;

const DONE = 0;
const FAILED = 1;
const NOT_UNDERSTOOD = 2;

function platformOf(baseUrl: string, { TRANCHE_API_KEY: apiKey = '' }: Settings): Platform {
  if (apiKey !== '') return { baseUrl, apiKey };
  throw new Refusal('Set TRANCHE_API_KEY to an API key with the scope webhooks:read (docs/access.md)');
}

/** The same at each start, so that a receiver keeps its configuration; and nobody learns the API key from it. */
const secretOf = (apiKey: string): string =>
  `whsec_${createHmac('sha256', apiKey).update('secret of npx tranche listen').digest('base64')}`;

function signingSecret({ TRANCHE_WEBHOOK_SECRET: own = '', TRANCHE_API_KEY: apiKey = '' }: Settings): string {
  if (own === '' && apiKey === '') throw new Refusal('Set TRANCHE_API_KEY, or TRANCHE_WEBHOOK_SECRET to sign with');
  if (own === '') return secretOf(apiKey);
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(own)) return own;
  throw new Refusal('TRANCHE_WEBHOOK_SECRET must be whsec_ and the base64 of at least 24 bytes');
}

/** The secret of TRANCHE_WEBHOOK_SECRET is its owner's, and is not shown. */
const secretLine = (settings: Settings): string =>
  `Signed with ${settings.TRANCHE_WEBHOOK_SECRET ? 'TRANCHE_WEBHOOK_SECRET' : signingSecret(settings)}`;

/** Posts events to the receiver as webhooks get them, and writes a line for each. */
class Forwarder {
  readonly #url: string;
  readonly #say: CommandOutput;
  readonly #sign: ReturnType<typeof signerOf>;
  readonly #sender = openUncheckedSender(TIMEOUT_MS);
  taken = 0;
  readonly notTaken = new Set<string>();

  constructor(url: string, settings: Settings, say: CommandOutput) {
    this.#url = url;
    this.#say = say;
    this.#sign = signerOf({ secret: signingSecret(settings), nextSecret: null });
    say.err(secretLine(settings));
  }

  async forward({ id, type, body }: Received): Promise<void> {
    const startedAtMs = Date.now();
    const headers = this.#sign({ eventId: id, body, attemptedAtMs: startedAtMs });
    const { responseCode, errorKind } = await this.#sender.post(this.#url, headers, body);
    const answer = String(responseCode === null || errorKind === 'timeout' ? errorKind : responseCode);
    const isTaken = errorKind === null;
    const line = [
      new Date(startedAtMs).toISOString(),
      answer.padEnd(7),
      `${Date.now() - startedAtMs} ms`.padStart(8),
      id,
      type,
      ...(isTaken ? [] : ['NOT TAKEN']),
    ];
    this.#say.out(line.join('  '));
    if (isTaken) {
      this.taken += 1;
      this.notTaken.delete(id);
    } else if (this.notTaken.size < REMEMBERED) {
      if (this.notTaken.size === 0)
        this.#say.err(`${this.#url} did not take it (${meaning(answer)}). Others are still forwarded`);
      this.notTaken.add(id);
    }
  }

  close = (): Promise<void> => this.#sender.close();
}

const meaning = (answer: string): string => {
  if (answer === 'refused') return 'nothing listens there';
  if (answer === 'timeout') return `no whole answer within ${TIMEOUT_MS / 1_000} s`;
  if (answer.startsWith('3')) return `${answer}: redirects are not followed`;
  return answer;
};

/** Ends with an exit code and says why, in place of throwing. */
async function ended(say: CommandOutput, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say.err(error.message);
    return FAILED;
  }
}

export interface ListenOptions {
  forwardTo: string;
  baseUrl: string;
  events?: string;
  project?: string;
  /** A time (ISO 8601), or the id of the last event that is known. */
  since?: string;
  printJson: boolean;
}

/**
 * Forwards the platform's events to a receiver until `signal` is aborted, each once. What the receiver does not take is named at the end,
 * and nothing waits for it. Gives the exit code. Never throws.
 */
export const listen = (
  options: ListenOptions,
  settings: Settings,
  say: CommandOutput,
  signal: AbortSignal,
): Promise<number> =>
  ended(say, async () => {
    const { forwardTo, baseUrl, events, project, since, printJson } = options;
    const platform = platformOf(baseUrl, settings);
    const forwarder = new Forwarder(forwardTo, settings, say);
    const isAfterEvent = since?.startsWith('evt_') === true;
    const start = isAfterEvent ? await cursorAfter(platform, since) : undefined;
    const filters = {
      ...(events === undefined ? {} : { types: events }),
      ...(project === undefined ? {} : { project }),
      ...(since === undefined || isAfterEvent ? {} : { since }),
    };
    const telling = {
      connected: () => say.err(`Forwarding the events of ${baseUrl} to ${forwardTo}. Ctrl-C ends it`),
      interrupted: (reason: string, pauseMs: number) =>
        say.err(`Connection lost: ${reason}. Connecting again in ${(pauseMs / 1_000).toFixed(1)} s`),
    };
    const seen = new Set<string>();
    let last: string | undefined;
    try {
      for await (const event of follow(platform, filters, start, telling, signal)) {
        if (seen.has(event.id)) continue;
        await forwarder.forward(event);
        if (printJson) say.out(event.body);
        last = event.id;
        seen.add(last);
        const [oldest = ''] = seen;
        if (seen.size > REMEMBERED) seen.delete(oldest);
      }
    } finally {
      await forwarder.close();
      if (signal.aborted || last !== undefined) say.err(summary(forwarder, last, options));
    }
    return DONE;
  });

function summary({ taken, notTaken }: Forwarder, last: string | undefined, options: ListenOptions): string {
  const { forwardTo, events, project } = options;
  const lines = [`${taken} taken, ${notTaken.size} not taken`];
  if (notTaken.size > 0) {
    const ids = [...notTaken].slice(0, NAMED).join(' ');
    const which = notTaken.size > NAMED ? `the first ${NAMED} ` : '';
    lines.push(`Send ${which}again: npx tranche resend --forward-to ${forwardTo} ${ids}`);
  }
  if (last !== undefined) {
    const filters = `${events === undefined ? '' : ` --events ${events}`}${project === undefined ? '' : ` --project ${project}`}`;
    lines.push(`Go on from here: npx tranche listen --forward-to ${forwardTo}${filters} --since ${last}`);
  }
  return lines.join('\n');
}

/** Forwards single events once more. Gives the exit code: 1 when one was not taken. Never throws. */
export const resend = (
  { forwardTo, baseUrl, ids }: { forwardTo: string; baseUrl: string; ids: readonly string[] },
  settings: Settings,
  say: CommandOutput,
): Promise<number> =>
  ended(say, async () => {
    const platform = platformOf(baseUrl, settings);
    const forwarder = new Forwarder(forwardTo, settings, say);
    try {
      for (const id of ids) await forwarder.forward(await readEvent(platform, id));
      return forwarder.notTaken.size === 0 ? DONE : FAILED;
    } finally {
      await forwarder.close();
    }
  });

const testDelivery = z.object({
  id: z.string(),
  event_id: z.string(),
  status: z.string(),
  response_code: z.int().nullable(),
});

/**
 * Sends a sample with `"test": true` to a receiver, signed as `listen` signs; or lets the platform send it to a webhook. Gives the exit
 * code: 1 when it was not taken. Never throws.
 */
export const trigger = (
  type: string,
  options: { baseUrl?: string; forwardTo?: string; webhook?: string },
  settings: Settings,
  say: CommandOutput,
): Promise<number> =>
  ended(say, async () => {
    const { baseUrl, forwardTo, webhook } = options;
    if (!isEventType(type)) {
      say.err(`There is no event type ${type}. Choose from ${EVENT_TYPES.join(', ')}`);
      return NOT_UNDERSTOOD;
    }
    if (webhook !== undefined && baseUrl !== undefined)
      return triggerWebhook(type, webhook, platformOf(baseUrl, settings), say);
    if (forwardTo === undefined) {
      say.err('Give --forward-to <url>, or --webhook <wh_…> and --base-url <url>');
      return NOT_UNDERSTOOD;
    }
    const forwarder = new Forwarder(forwardTo, settings, say);
    try {
      await forwarder.forward(sampleEvent(type));
      return forwarder.taken === 1 ? DONE : FAILED;
    } finally {
      await forwarder.close();
    }
  });

const isEventType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

function sampleEvent(type: EventType): Received {
  const now = new Date();
  const id = newId('evt', randomBytes);
  const data = sampleData({ amountDrops: SAMPLE_AMOUNT_DROPS, investorAccount: SAMPLE_ACCOUNT, now })[type];
  const event = { type, subject: id, projectId: null, occurredAt: now, data };
  return { id, type, body: serialiseEvent(event, id, { test: true }) };
}

async function triggerWebhook(
  type: EventType,
  webhook: string,
  platform: Platform,
  say: CommandOutput,
): Promise<number> {
  const answer = await askOnce(platform, '/webhooks/test', { webhook_id: webhook, event_type: type });
  const { id, event_id: eventId, status, response_code: code } = testDelivery.parse(JSON.parse(answer));
  say.out(`${status}  ${code ?? 'no answer'}  ${eventId}  ${type}  ${id}`);
  return status === 'success' ? DONE : FAILED;
}
