import { BoundedLog, type Numbered } from './bounded-log.ts';
import type { VirtualClock } from './clock.ts';
import { labelView, type Message } from './message.ts';

const CAPACITY = 5000;

export type EventState = 'CREATED' | 'ACTIVE' | 'DELIVERED' | 'RETRY' | 'ERROR' | 'FAILED' | 'CANCELED';

/** An entry of /v2/events as it goes over the wire; times are Unix milliseconds. */
export interface DeliveryEvent {
  time: number;
  state: EventState;
  messageId: string;
  url: string;
  body: string;
  nextDeliveryTime?: number;
  error?: string;
  responseStatus?: number;
  label?: string;
  labels?: string[];
  flowControlKey?: string;
  scheduleId?: string;
}

type EventDetail = Pick<DeliveryEvent, 'nextDeliveryTime' | 'error' | 'responseStatus'>;

/** What happened to messages, the last few thousand entries. */
export class EventLog {
  readonly #log = new BoundedLog<DeliveryEvent>(CAPACITY);
  readonly #clock: VirtualClock;
  #recorded = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  record(state: EventState, message: Message, detail: EventDetail = {}): void {
    this.#recorded += 1;
    this.#log.add(String(this.#recorded), {
      time: this.#clock.nowMs(),
      state,
      messageId: message.messageId,
      url: message.url,
      body: message.body.toString('base64'),
      ...detail,
      ...labelView(message.label),
      ...(message.flowControl !== undefined && { flowControlKey: message.flowControl.key }),
      ...(message.scheduleId !== undefined && { scheduleId: message.scheduleId }),
    });
  }

  newestFirst(): Numbered<DeliveryEvent>[] {
    return this.#log.newestFirst();
  }
}
