import { randomUUID } from 'node:crypto';
import { Alarm } from './alarm.ts';
import { BoundedLog } from './bounded-log.ts';
import type { CallbackClient } from './callback-client.ts';
import { ChangeSignal } from './change-signal.ts';
import type { VirtualClock } from './clock.ts';
import { contentDeduplicationId, DeduplicationWindow } from './deduplication.ts';
import { DueQueue } from './due-queue.ts';
import type { EventLog } from './event-log.ts';
import { drawOutcome, drawRefusal, type QStashFaults } from './faults.ts';
import { FlowGate } from './flow-gate.ts';
import type { CallbackOutcome, DeadLetter, DeliveryOrder, Message } from './message.ts';
import { Overtaking } from './overtaking.ts';
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

/** What a publisher is told: an error when the message was refused. */
export type PublishReceipt = { messageId: string; url: string; deduplicated?: true } | { error: string };

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Holds messages until they are due and delivers them: at most 32 at a time, none ever lost but by a fault. */
export class Broker {
  readonly deadLetters = new BoundedLog<DeadLetter>(MAX_DEAD_LETTERS);
  readonly #clock: VirtualClock;
  readonly #client: CallbackClient;
  readonly #events: EventLog;
  readonly #faults: QStashFaults;
  readonly #queue = new DueQueue();
  readonly #gate = new FlowGate();
  readonly #overtaking = new Overtaking();
  readonly #deduplication = new DeduplicationWindow();
  readonly #open = new Map<string, Message>();
  readonly #alarm: Alarm;
  readonly #changes = new ChangeSignal();
  #inFlight = 0;
  #attempts = 0;
  #sequence = 0;
  #isClosed = false;

  constructor(clock: VirtualClock, client: CallbackClient, events: EventLog, faults: QStashFaults) {
    this.#clock = clock;
    this.#client = client;
    this.#events = events;
    this.#faults = faults;
    this.#alarm = new Alarm(clock, () => this.pump());
  }

  /** Attempts made since the start. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Messages taken in since the start. */
  get taken(): number {
    return this.#sequence;
  }

  /** Takes a message in, unless it is refused or its deduplication id was seen within the last ten minutes. */
  publish(order: DeliveryOrder, timing: PublishTiming): PublishReceipt {
    const refusal = drawRefusal(this.#faults, order.url);
    if (refusal !== undefined) return { error: refusal };
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
    const fate = drawOutcome(this.#faults, order.url);
    const message: Message = {
      ...order,
      ...placement,
      dueAtMs: placement.dueAtMs + fate.extraDelayMs,
      fate,
      messageId: `msg_${randomUUID().replaceAll('-', '')}`,
      sequence: this.#sequence,
      retried: 0,
      status: 'waiting',
    };
    this.#events.record('CREATED', message, { nextDeliveryTime: message.dueAtMs });
    if (fate.isDropped) return message;
    this.#open.set(message.messageId, message);
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
    this.#putBack(this.#overtaking.expired(nowMs));
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const next = this.#queue.peek();
      if (next === undefined || (next.dueAtMs > nowMs && next.status === 'waiting')) break;
      this.#queue.pop();
      if (next.status === 'waiting') this.#start(next, nowMs);
      else this.#putBack(this.#gate.abandon(next));
    }
    // When all places are taken, the next free one pumps.
    if (this.#inFlight >= MAX_IN_FLIGHT) this.#alarm.clear();
    else this.#alarm.setFor(earlier(this.#queue.peek()?.dueAtMs, this.#overtaking.nextExpiryMs));
  }

  /**
   * Waits until nothing due by `dueByMs` is left, and nothing that was published since to go at once; what a fault
   * holds back is not waited for. False when `timeoutMs` of real time passed before.
   */
  async settle(dueByMs: number, timeoutMs: number): Promise<boolean> {
    this.pump();
    const deadlineMs = Date.now() + timeoutMs;
    const isAwaited = (message: Message) =>
      this.#open.has(message.messageId) &&
      !this.#overtaking.holds(message) &&
      (message.dueAtMs <= dueByMs || message.dueAtMs <= message.createdAtMs);
    for (;;) {
      const awaited = this.open().filter(isAwaited);
      if (awaited.length === 0) return true;
      for (const message of awaited) {
        while (isAwaited(message)) {
          if (this.#isClosed || Date.now() >= deadlineMs) return false;
          await this.#changes.next(deadlineMs - Date.now());
        }
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#alarm.clear();
    this.#changes.announce();
  }

  #start(message: Message, nowMs: number): void {
    if (this.#overtaking.hold(message, nowMs)) return;
    const entry = this.#gate.enter(message, nowMs);
    if (entry === 'now') void this.#attempt(message);
    if (typeof entry === 'string') return;
    message.dueAtMs = entry.atMs;
    this.#queue.push(message);
    this.#putBack(this.#gate.abandon(message));
  }

  #putBack(messages: readonly Message[]): void {
    for (const message of messages) this.#queue.push(message);
  }

  async #attempt(message: Message): Promise<void> {
    this.#inFlight += 1;
    message.status = 'delivering';
    this.#events.record('ACTIVE', message);
    const { copies, isTogether } = message.fate;
    const extraCopies = isTogether ? copies - 1 : 0;
    message.fate.copies -= extraCopies;
    const [outcome] = await Promise.all([
      this.#client.deliver(message),
      ...Array.from({ length: extraCopies }, () => this.#client.deliver(message)),
    ]);
    this.#inFlight -= 1;
    if (this.#isClosed) return;
    this.#attempts += 1 + extraCopies;
    this.#putBack(this.#gate.leave(message));
    this.#putBack(this.#overtaking.passed(message));
    if (this.#open.has(message.messageId)) this.#conclude(message, outcome);
    this.#changes.announce();
    this.pump();
  }

  #conclude(message: Message, outcome: CallbackOutcome): void {
    const verdict = judge(outcome, message.retried, message.maxRetries);
    const detail = outcome.status === undefined ? {} : { responseStatus: outcome.status };
    if (verdict.kind === 'delivered' && message.fate.copies > 1) {
      message.fate.copies -= 1;
      message.status = 'waiting';
      this.#queue.push(message);
      return;
    }
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
    this.#changes.announce();
  }
}
