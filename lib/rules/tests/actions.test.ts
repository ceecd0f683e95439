import { describe, expect, it } from 'vitest';
import { reduce, reduceAll } from '../reduce.ts';
import {
  ACTIONS,
  type Action,
  allowedActions,
  PROJECT_STATUSES,
  type ProjectStatus,
  type SaleState,
  TRANSITIONS,
} from '../types.ts';
import {
  action,
  LIST_HASH,
  listing,
  NOW,
  only,
  payment,
  projectOf,
  soleProject,
  stateOf,
  T0,
  tierOf,
  typesOf,
  XRP,
} from './book.ts';

/** A state in which every action finds what it names. */
function readyFor(status: ProjectStatus): { state: SaleState; paymentHash: string } {
  const held = payment(XRP, { destinationTag: null });
  const state = stateOf(projectOf({ status, ...listing({}), listHash: null }));
  return { state: { ...state, held: new Map([[held.hash, held]]) }, paymentHash: held.hash };
}

describe('an action', () => {
  it('leads only where the table says, which is closed', () => {
    expect(TRANSITIONS).toEqual({
      draft: { launch: 'active', list: 'draft' },
      active: { pause: 'paused', end: 'completed', cancel: 'cancelled', list: 'active', assign: 'active' },
      paused: { resume: 'active', end: 'completed', cancel: 'cancelled', list: 'paused' },
      completed: {},
      cancelled: {},
    });
  });

  const cases = PROJECT_STATUSES.flatMap((status) => ACTIONS.map((name) => [status, name] as [ProjectStatus, Action]));
  it.each(cases)('in %s: %s does what the closed table says and nothing else', (status, name) => {
    const { state: before, paymentHash } = readyFor(status);
    const { state, effects } = reduce(before, action(name, { listHash: LIST_HASH, paymentHash }));
    const expected = TRANSITIONS[status][name];
    expect(soleProject(state).status).toBe(expected ?? status);
    if (expected === undefined) {
      expect(effects).toMatchObject([{ type: 'action_without_effect' }]);
      expect(state).toEqual(before);
    } else {
      expect(allowedActions(status)).toContain(name);
      expect(effects.filter((effect) => effect.type === 'action_without_effect')).toEqual([]);
    }
  });

  it('takes effect for payments after it in ledger order', () => {
    const { effects } = reduceAll(stateOf(projectOf()), [
      payment(XRP),
      action('pause'),
      payment(XRP),
      action('resume'),
      payment(XRP),
    ]);
    expect(typesOf(effects)).toEqual(['invested', 'action_applied', 'refused', 'action_applied', 'invested']);
  });

  it('made twice has no effect the second time', () => {
    const { effects } = reduceAll(stateOf(projectOf()), [action('pause'), action('pause')]);
    expect(typesOf(effects)).toEqual(['action_applied', 'action_without_effect']);
  });

  it('of a project of another account has no effect', () => {
    expect(only(stateOf(projectOf()), action('pause', { projectId: 'proj_elsewhere' }))).toMatchObject({
      type: 'action_without_effect',
    });
  });

  it('in the first ledger that closes after ends_at comes too late', () => {
    const state = stateOf(projectOf({ endsAtMs: NOW - 1 }));
    for (const name of ['pause', 'end', 'cancel'] as const) {
      expect(typesOf(reduce(state, action(name)).effects)).toEqual(['sale_ended', 'action_without_effect']);
    }
  });

  it('resumes no sale whose time has run out while it was paused', () => {
    const { state, effects } = reduce(stateOf(projectOf({ status: 'paused', endsAtMs: NOW - 1 })), action('resume'));
    expect(typesOf(effects)).toEqual(['sale_ended', 'action_without_effect']);
    expect(soleProject(state).status).toBe('completed');
  });
});

describe('a launch', () => {
  const draft = projectOf({ status: 'draft', launchedAtMs: null, tiers: [tierOf(1, { openedAtMs: null }), tierOf(2)] });

  it('opens the first tier', () => {
    const { state, effects } = reduce(stateOf(draft), action('launch'));
    expect(typesOf(effects)).toEqual(['launched']);
    expect(soleProject(state)).toMatchObject({ status: 'active', launchedAtMs: NOW });
    expect(soleProject(state).tiers.map((tier) => tier.openedAtMs)).toEqual([NOW, null]);
  });

  it.each([
    ['another hash', { termsHash: 'b'.repeat(64) }, {}],
    ['no hash', { termsHash: null }, {}],
    ['no hash, where no terms are published', { termsHash: null }, { termsHash: null }],
  ])('with %s has no effect', (_, moveOver, over) => {
    expect(only(stateOf({ ...draft, ...over }), action('launch', moveOver))).toMatchObject({
      type: 'action_without_effect',
    });
  });

  it('in a ledger that closes after ends_at has no effect: a sale does not end before it began', () => {
    const state = stateOf({ ...draft, endsAtMs: NOW });
    expect(only(state, action('launch', { closedAtMs: NOW + 1 }))).toMatchObject({ type: 'action_without_effect' });
    expect(only(state, action('launch'))).toMatchObject({ type: 'launched' });
  });

  it('admits nobody whom no list names, whatever list a draft anchors later', () => {
    const listed = { ...draft, ...listing({ rInvestor: null }), listHash: null, tiers: [tierOf(1, { listed: true })] };
    const { effects } = reduceAll(stateOf(listed), [
      action('launch'),
      payment(XRP),
      action('list', { listHash: LIST_HASH }),
      payment(XRP),
    ]);
    expect(typesOf(effects)).toEqual(['launched', 'refused', 'action_applied', 'invested']);
  });
});

describe('a list action', () => {
  const published = projectOf({
    ...listing({ rInvestor: null }),
    listHash: null,
    tiers: [tierOf(1, { listed: true })],
  });

  it('puts the version that it names in force', () => {
    const { state, effects } = reduce(stateOf(published), action('list', { listHash: LIST_HASH }));
    expect(soleProject(state).listHash).toBe(LIST_HASH);
    expect(effects).toMatchObject([{ type: 'action_applied', status: 'active' }]);
  });

  it.each([
    ['a version that nobody published', '9'.repeat(64)],
    ['no version', null],
  ])('that names %s has no effect, and the version in force stays', (_, listHash) => {
    const state = stateOf({ ...published, listHash: LIST_HASH });
    const { state: after, effects } = reduce(state, action('list', { listHash }));
    expect(effects).toMatchObject([{ type: 'action_without_effect' }]);
    expect(soleProject(after).listHash).toBe(LIST_HASH);
  });

  it('of one project is of no use to another', () => {
    const other = projectOf({ id: 'proj_0000000000000000000002', destinationTag: 78, tiers: published.tiers });
    const { effects } = reduceAll(stateOf(published, other), [
      action('list', { listHash: LIST_HASH, projectId: other.id }),
      payment(XRP, { destinationTag: 78, closedAtMs: T0 }),
    ]);
    expect(typesOf(effects)).toEqual(['action_without_effect', 'refused']);
  });
});
