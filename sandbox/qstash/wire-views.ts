import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type DeadLetter, type DeliveryOrder, type FlowControl, labelView, type Message } from './message.ts';
import type { Schedule } from './schedules.ts';

/** Text as `body`, anything else as `bodyBase64`. */
function bodyView(body: Buffer): object {
  return isUtf8(body) ? { body: body.toString('utf8') } : { bodyBase64: body.toString('base64') };
}

function limitsView({ parallelism, rate, periodMs }: FlowControl): object {
  return {
    ...(Number.isFinite(parallelism) && { parallelism }),
    ...(Number.isFinite(rate) && { rate, period: periodMs / 1000 }),
  };
}

/** Headers as answers show them; a redacted one by the hash of its value. */
function headerView({ headers, redacted = [] }: DeliveryOrder): object {
  const shown = (name: string, value: string) =>
    redacted === 'all' || redacted.includes(name)
      ? `REDACTED:${createHash('sha256').update(value).digest('hex')}`
      : value;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [shown(name, value)]]));
}

function orderView(order: DeliveryOrder): object {
  const { flowControl, label } = order;
  return {
    method: order.method,
    header: headerView(order),
    ...bodyView(order.body),
    ...labelView(label),
    ...(flowControl !== undefined && { flowControlKey: flowControl.key }),
    ...(flowControl !== undefined && limitsView(flowControl)),
  };
}

/** A message as /v2/messages gives it; times are Unix milliseconds. */
export function messageView(message: Message): object {
  return {
    messageId: message.messageId,
    url: message.url,
    ...orderView(message),
    maxRetries: message.maxRetries,
    notBefore: message.dueAtMs,
    createdAt: message.createdAtMs,
    ...(message.scheduleId !== undefined && { scheduleId: message.scheduleId }),
  };
}

/** A message that was given up, as /v2/dlq gives it. */
export function deadLetterView({ dlqId, message, outcome }: DeadLetter): object {
  return {
    ...messageView(message),
    dlqId,
    ...(outcome.status !== undefined && { responseStatus: outcome.status }),
    responseHeader: Object.fromEntries(Object.entries(outcome.headers).map(([name, value]) => [name, [value]])),
    responseBody: outcome.error ?? outcome.body,
  };
}

/** A schedule as /v2/schedules gives it; `delay` is in seconds, times are Unix milliseconds. */
export function scheduleView(schedule: Schedule): object {
  return {
    scheduleId: schedule.scheduleId,
    cron: schedule.cron,
    createdAt: schedule.createdAtMs,
    destination: schedule.order.url,
    ...orderView(schedule.order),
    retries: schedule.order.maxRetries,
    delay: schedule.order.delaySeconds,
    isPaused: schedule.isPaused,
    ...(schedule.lastAtMs !== undefined && { lastScheduleTime: schedule.lastAtMs }),
    ...(schedule.nextAtMs !== undefined && { nextScheduleTime: schedule.nextAtMs }),
  };
}

/** A waiting message as /sandbox/messages gives it. */
export function waitingView(message: Message, nowMs: number): object {
  return {
    messageId: message.messageId,
    url: message.url,
    body: message.body.toString('utf8'),
    dueAt: new Date(message.dueAtMs).toISOString(),
    dueInSeconds: (message.dueAtMs - nowMs) / 1000,
    delaySeconds: message.delaySeconds,
    retried: message.retried,
    label: message.label ?? null,
    deduplicationId: message.deduplicationId ?? null,
    createdAt: new Date(message.createdAtMs).toISOString(),
  };
}
