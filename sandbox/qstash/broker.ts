import { randomUUID } from 'node:crypto';
import { Alarm } from './alarm.ts';
import { BoundedLog } from './bounded-log.ts';
import type { CallbackClient } from './callback-client.ts';
import type { VirtualClock } from './clock.ts';
import { contentDeduplicationId, DeduplicationWindow } from './deduplication.ts';
import { DueQueue } from './due-queue.ts';
import type { EventLog } from './event-log.ts';
import { FlowGate } from './flow-gate.ts';
import type { CallbackOutcome, DeadLetter, DeliveryOrder, Message } from './message.ts';
import type { PublishTiming } from './publish-headers.ts';
import { judge } from './retry-policy.ts';

const MAX_IN_FLIGHT = 32;
const MAX_DEAD_LETTERS = 5000;

/** When a message is due, and what it belongs to. */
export interface Placement {
  createdAtMs: number;
  dueAtMs: number;
  deduplicationId?: string;
  scheduleId?: string;
}

/** What a publisher is told. */
export interface PublishReceipt {
  messageId: string;
  url: string;
  deduplicated?: true;
}

/** Holds messages until they are due and delivers them: at most 32 at a time, none ever dropped. */
export class Broker {
  readonly deadLetters = new BoundedLog<DeadLetter>(MAX_DEAD_LETTERS);
  readonly #clock: VirtualClock;
  readonly #client: CallbackClient;
  readonly #events: EventLog;
  readonly #queue = new DueQueue();
  readonly #gate = new FlowGate();
  readonly #deduplication = new DeduplicationWindow();
  readonly #open = new Map<string, Message>();
  readonly #alarm: Alarm;
  readonly #changeListeners = new Set<() => void>();
  #inFlight = 0;
  #attempts = 0;
  #sequence = 0;
  #isClosed = false;

  constructor(clock: VirtualClock, client: CallbackClient, events: EventLog) {
    this.#clock = clock;
    this.#client = client;
    this.#events = events;
    this.#alarm = new Alarm(clock, () => this.pump());
  }

  /** Attempts made since the start. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Takes a message in, unless its deduplication id was seen within the last ten minutes. */
  publish(order: DeliveryOrder, timing: PublishTiming): PublishReceipt {
    const nowMs = this.#clock.nowMs();
    const deduplicationId =
      timing.deduplicationId ?? (timing.contentBasedDeduplication ? contentDeduplicationId(order) : undefined);
    const holder = deduplicationId && this.#deduplication.holder(deduplicationId, nowMs);
    if (holder) return { messageId: holder, url: order.url, deduplicated: true };
    const notBeforeMs = (timing.notBeforeSeconds ?? 0) * 1000;
    const dueAtMs = Math.max(nowMs, notBeforeMs || nowMs + order.delaySeconds * 1000);
    const placement = { createdAtMs: nowMs, dueAtMs, ...(deduplicationId !== undefined && { deduplicationId }) };
    const { messageId } = this.enqueue({ ...order, delaySeconds: (dueAtMs - nowMs) / 1000 }, placement);
    if (deduplicationId !== undefined) this.#deduplication.take(deduplicationId, messageId, nowMs);
    return { messageId, url: order.url };
  }

  enqueue(order: DeliveryOrder, placement: Placement): Message {
    this.#sequence += 1;
    const message: Message = {
      ...order,
      ...placement,
      messageId: `msg_${randomUUID().replaceAll('-', '')}`,
      sequence: this.#sequence,
      retried: 0,
      status: 'waiting',
    };
    this.#open.set(message.messageId, message);
    this.#events.record('CREATED', message, { nextDeliveryTime: message.dueAtMs });
    this.#queue.push(message);
    this.pump();
    return message;
  }

  get(messageId: string): Message | undefined {
    return this.#open.get(messageId);
  }

  /** Messages neither delivered nor given up, those under way included. */
  open(): Message[] {
    return [...this.#open.values()];
  }

  /** Ends a message; an attempt under way is its last. False if there is no such message. */
  cancel(messageId: string): boolean {
    const message = this.#open.get(messageId);
    if (message === undefined) return false;
    message.status = 'cancelled';
    this.#finish(message);
    this.#events.record('CANCELED', message);
    return true;
  }

  /** Starts whatever is due. */
  pump(): void {
    if (this.#isClosed) return;
    const nowMs = this.#clock.nowMs();
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const next = this.#queue.peek();
      if (next === undefined || (next.dueAtMs > nowMs && next.status === 'waiting')) break;
      this.#queue.pop();
      if (next.status === 'waiting' && this.#gate.enter(next)) void this.#attempt(next);
    }
    // When all places are taken, the next free one pumps.
    this.#alarm.setFor(this.#inFlight < MAX_IN_FLIGHT ? this.#queue.peek()?.dueAtMs : undefined);
  }

  /**
   * Waits until nothing due by `dueByMs` is left, and nothing that was published since to go at once. False when
   * `timeoutMs` of real time passed before.
   */
  async settle(dueByMs: number, timeoutMs: number): Promise<boolean> {
    this.pump();
    const deadlineMs = Date.now() + timeoutMs;
    const isAwaited = (message: Message) =>
      this.#open.has(message.messageId) && (message.dueAtMs <= dueByMs || message.dueAtMs <= message.createdAtMs);
    for (;;) {
      const awaited = this.open().filter(isAwaited);
      if (awaited.length === 0) return true;
      for (const message of awaited) {
        while (isAwaited(message)) {
          if (this.#isClosed || Date.now() >= deadlineMs) return false;
          await this.#nextChange(deadlineMs - Date.now());
        }
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#alarm.clear();
    this.#announceChange();
  }

  async #attempt(message: Message): Promise<void> {
    this.#inFlight += 1;
    message.status = 'delivering';
    this.#events.record('ACTIVE', message);
    const outcome = await this.#client.deliver(message);
    this.#inFlight -= 1;
    if (this.#isClosed) return;
    this.#attempts += 1;
    for (const released of this.#gate.leave(message)) this.#queue.push(released);
    if (this.#open.has(message.messageId)) this.#conclude(message, outcome);
    this.#announceChange();
    this.pump();
  }

  #conclude(message: Message, outcome: CallbackOutcome): void {
    const verdict = judge(outcome, message.retried, message.maxRetries);
    const detail = outcome.status === undefined ? {} : { responseStatus: outcome.status };
    if (verdict.kind === 'delivered') {
      this.#finish(message);
      this.#events.record('DELIVERED', message, detail);
      return;
    }
    const error = outcome.error ?? `status ${outcome.status}: ${outcome.body.slice(0, 1000)}`;
    this.#events.record('ERROR', message, { ...detail, error });
    if (verdict.kind === 'dead') {
      const dlqId = `dlq_${randomUUID().replaceAll('-', '')}`;
      this.#finish(message);
      this.deadLetters.add(dlqId, { dlqId, message, outcome });
      this.#events.record('FAILED', message, { ...detail, error });
      return;
    }
    message.retried += 1;
    message.dueAtMs = this.#clock.nowMs() + verdict.afterMs;
    message.status = 'waiting';
    this.#events.record('RETRY', message, { ...detail, nextDeliveryTime: message.dueAtMs });
    this.#queue.push(message);
  }

  #finish(message: Message): void {
    this.#open.delete(message.messageId);
    this.#announceChange();
  }

  #announceChange(): void {
    for (const listener of this.#changeListeners) listener();
    this.#changeListeners.clear();
  }

  #nextChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#changeListeners.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
