import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_CATALOGUE } from '#lib/events/catalogue.ts';
import { attemptRecord } from '#lib/webhooks/log/contracts.ts';
import { DELIVERY_STATUSES, webhook } from '#lib/webhooks/schemas.ts';
import { ROTATION_HOURS } from '#lib/webhooks/secret.ts';

const GUIDE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');

/** The names in the first column of the table under a heading, without its head. */
function tableUnder(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name ?? '').slice(1);
}

test('the guide explains every kind of error, every status and every reason for deactivation, and no other', () => {
  expect(tableUnder('Troubleshooting').toSorted()).toEqual(
    attemptRecord.unwrap().shape.error_kind.unwrap().options.toSorted(),
  );
  expect(tableUnder('Delivery log')).toEqual([...DELIVERY_STATUSES]);
  for (const reason of webhook.unwrap().shape.disabled_reason.unwrap().options)
    expect(GUIDE).toContain(`- \`${reason}\`: `);
  expect(GUIDE).toContain(`commits itself ${ROTATION_HOURS} hours after it began`);
});

test('the guide and the schema both say that next_tier is null after the last tier', () => {
  expect(GUIDE).toMatch(/`next_tier` is null after the last\s+tier/);
  const schema = z.toJSONSchema(EVENT_CATALOGUE['project.tier_completed'], { io: 'output' });
  const nextTier = Object(schema.properties?.next_tier);
  expect(nextTier.description).toMatch(/null after the last tier/);
  expect(nextTier.anyOf).toContainEqual({ type: 'null' });
});
