import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { ADMINISTRATOR_EVENT_TYPES, EVENT_TYPES, TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { EVENT_ENVELOPES } from '#lib/events/envelope-schemas.ts';
import type { EventTypeEntry } from '#lib/webhooks/contracts.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { GET } from '../../../app/api/webhooks/event-types/route.ts';

const get = (headers: Record<string, string> = {}) =>
  GET(new Request('http://127.0.0.1:3000/api/webhooks/event-types', { headers }), { params: Promise.resolve({}) });

beforeAll(async () => {
  const database = await freshDatabase();
  applyEnv(testEnv({ POSTGRES_URL: database.url }));
  return database.close;
});

test('the catalogue names every event type, who may have it, and an example that keeps its schema', async () => {
  const response = await get();
  expect(response.status).toBe(200);
  const { event_types: entries } = (await response.json()) as { event_types: EventTypeEntry[] };
  expect(entries.map(({ type }) => type)).toEqual(EVENT_TYPES);
  for (const { type, category, description, recipients, example } of entries) {
    expect(type.startsWith(`${category}.`)).toBe(true);
    expect(description).toMatch(/\.$/);
    expect(recipients === 'administrators').toBe(ADMINISTRATOR_EVENT_TYPES.includes(type));
    expect(recipients === 'owner').toBe(TENANT_EVENT_TYPES.includes(type));
    expect(EVENT_ENVELOPES[type].parse(example)).toEqual(example);
  }
});

test('the catalogue may be kept, and is not sent again to whoever has it', async () => {
  const first = await get();
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  const again = await get({ 'if-none-match': first.headers.get('etag') ?? '' });
  expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
});
