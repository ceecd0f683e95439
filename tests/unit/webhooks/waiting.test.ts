import { describe, expect, test } from 'vitest';
import type { DueAttempt } from '#lib/webhooks/delivery/claim.ts';
import { Waiting } from '#lib/webhooks/delivery/waiting.ts';

const due = (webhookId: string, n: number): DueAttempt => ({
  deliveryId: `${webhookId}${n}`,
  attempt: 1,
  leasedUntil: '2026-11-21 12:00:00+00',
  webhookId,
  url: 'https://receiver.example',
  sealedSecret: '',
  nextSealedSecret: null,
  eventId: `evt_${n}`,
  body: '{}',
  isTest: false,
  host: 'receiver.example',
  failing: false,
  untried: false,
  tenantId: 'ten_1',
});

function waitingFor(...webhookIds: string[]): Waiting {
  const waiting = new Waiting();
  for (const [n, webhookId] of webhookIds.entries()) waiting.add(due(webhookId, n), n);
  return waiting;
}

describe('what waits for a place', () => {
  test('comes in order within a webhook, and webhooks come by turns', () => {
    const waiting = waitingFor('a', 'a', 'a', 'b', 'b');
    const order = Array.from({ length: 6 }, () => waiting.next(() => true)?.deliveryId);
    expect(order).toEqual(['a0', 'b3', 'a1', 'b4', 'a2', undefined]);
    expect(waiting.count).toBe(0);
  });

  test('does not come before its webhook may, and holds no other up', () => {
    const waiting = waitingFor('a', 'b');
    expect(waiting.next(({ webhookId }) => webhookId !== 'a')?.deliveryId).toBe('b1');
    expect(waiting.count).toBe(1);
  });

  test('goes with all that wait behind it', () => {
    const waiting = waitingFor('a', 'b', 'a');
    expect(waiting.removeWhere(({ sinceMs }) => sinceMs === 0).map(({ deliveryId }) => deliveryId)).toEqual([
      'a0',
      'a2',
    ]);
    expect(waiting.count).toBe(1);
  });
});
