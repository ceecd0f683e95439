import { expect, test } from 'vitest';
import type { HealthStatus } from '#lib/ops/status/causes.ts';
import { nextState, type PartState } from '#lib/ops/status/watch-health.ts';

const at = (look: number) => new Date(Date.parse('2026-11-21T12:00:00Z') + look * 30_000);
const START: PartState = { status: 'operational', since: at(0), suspectedSince: null };

/** What is announced while the looks see these, one after the other. */
function announced(...seen: HealthStatus[]): [look: number, status: HealthStatus, since: Date][] {
  let state = START;
  return seen.flatMap((status, index): [number, HealthStatus, Date][] => {
    const before = state;
    state = nextState(before, status, at(index + 1));
    return state.status === before.status ? [] : [[index + 1, state.status, state.since]];
  });
}

test('a part that fails once is announced to nobody', () => {
  expect(announced('down', 'operational', 'operational', 'down', 'operational')).toEqual([]);
});

test('a part that fails twice in a row is announced once, as of the first failure', () => {
  expect(announced('operational', 'down', 'down', 'down', 'down')).toEqual([[3, 'down', at(2)]]);
});

test('a part that works again is announced at once, and once', () => {
  expect(announced('down', 'down', 'operational', 'operational')).toEqual([
    [2, 'down', at(1)],
    [3, 'operational', at(3)],
  ]);
});

test('what gets worse in steps is announced as what it came to', () => {
  expect(announced('degraded', 'down', 'degraded', 'operational')).toEqual([
    [2, 'down', at(1)],
    [3, 'degraded', at(3)],
    [4, 'operational', at(4)],
  ]);
  expect(announced('degraded', 'degraded', 'down', 'degraded', 'down', 'down')).toEqual([
    [2, 'degraded', at(1)],
    [6, 'down', at(5)],
  ]);
});
