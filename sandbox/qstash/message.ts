import type { CallOutcome } from './faults.ts';

/** The methods QStash calls destinations with. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** Of the messages with one key at most `parallelism` are under way at a time, and `rate` start in any `periodMs`. */
export interface FlowControl {
  key: string;
  /** Infinity where the publisher set none; so is `rate`. */
  parallelism: number;
  rate: number;
  periodMs: number;
}

/** Headers that answers show as `REDACTED:<SHA-256>`: names in lower case, or all of them. */
export type Redaction = readonly string[] | 'all';

/** What a publisher asked for: everything but the time. */
export interface DeliveryOrder {
  /** The destination as it was given; it is also the signature's subject. */
  url: string;
  method: (typeof METHODS)[number];
  /** Headers for the destination: Content-Type and what came as Upstash-Forward-*. Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  maxRetries: number;
  timeoutSeconds: number;
  delaySeconds: number;
  flowControl?: FlowControl;
  /** As it was sent: several are separated by commas. */
  label?: string;
  redacted?: Redaction;
}

/** A label header as answers show it: `label` is the first of `labels`. */
export function labelView(label: string | undefined): { label?: string; labels?: string[] } {
  if (label === undefined) return {};
  const labels = label.split(',').map((one) => one.trim());
  return { label: labels[0] ?? label, labels };
}

/** A message on its way. Times are milliseconds of the virtual clock. */
export interface Message extends DeliveryOrder {
  messageId: string;
  createdAtMs: number;
  /** When the next attempt is due. */
  dueAtMs: number;
  /** Position among messages due at the same time. */
  sequence: number;
  /** Attempts that failed so far. */
  retried: number;
  status: 'waiting' | 'delivering' | 'cancelled';
  /** What faults have in store for it. */
  fate: CallOutcome;
  deduplicationId?: string;
  scheduleId?: string;
}

/** What a destination answered; `status` is undefined where no whole answer came. */
export interface CallbackOutcome {
  status?: number;
  headers: Record<string, string>;
  body: string;
  error?: string;
}

/** A message that will not be tried again. */
export interface DeadLetter {
  dlqId: string;
  message: Message;
  outcome: CallbackOutcome;
}
