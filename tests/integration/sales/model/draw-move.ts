import { derivedId } from '@tranche/rules/ids.ts';
import { decodeMove } from '@tranche/rules/move-memo.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import { XRP } from '#tests/support/sale.ts';
import { sha256, type World, type WorldProject } from './world.ts';

/** A transaction of the account to itself: a move, right or wrong, or what a stranger's hand has made of one. */
export const drawnMove = fc.record({
  project: fc.nat(3),
  move: fc.oneof(
    { weight: 4, arbitrary: fc.constant('launch' as const) },
    { weight: 2, arbitrary: fc.constantFrom('pause' as const, 'resume' as const) },
    { weight: 1, arbitrary: fc.constantFrom('end' as const, 'cancel' as const) },
    { weight: 2, arbitrary: fc.constant('list' as const) },
    { weight: 4, arbitrary: fc.constant('assign' as const) },
    { weight: 1, arbitrary: fc.constantFrom('nonsense' as const, 'foreign' as const) },
  ),
  /** Of the payments or lists there are; what it names is right unless `wrong`. */
  place: fc.nat(20),
  wrong: fc.constantFrom(false, false, false, false, true),
  memoBefore: fc.constantFrom('x', '{}', '{"v":1}'),
});
export type DrawnMove = typeof drawnMove extends fc.Arbitrary<infer T> ? T : never;

export function addDrawnMove(world: World, drawn: DrawnMove): void {
  const { projects } = world.reduceThrough(world.lastClosed).state;
  const active = world.projects.filter(({ tag }) => projects.get(tag)?.status === 'active');
  const candidates = drawn.move === 'assign' && active.length > 0 ? active : world.projects;
  const project = candidates[drawn.project % candidates.length];
  if (project === undefined) return;
  world.addMove(memoOf(world, project, drawn), { memoBefore: drawn.memoBefore });
}

/** The move that puts a project on sale. */
export const launchMemo = ({ id, termsHash }: WorldProject) => ({
  v: 1,
  project: id,
  move: 'launch',
  terms_hash: termsHash,
});

function memoOf(world: World, project: WorldProject, { move, place, wrong }: DrawnMove): unknown {
  const memo = { v: 1, project: project.id, move };
  switch (move) {
    case 'launch':
      return wrong ? { ...memo, terms_hash: sha256('other terms') } : launchMemo(project);
    case 'list': {
      const versions = [...(wrong ? world.projects : [project]).flatMap(({ lists }) => [...lists.keys()])];
      return { ...memo, list_hash: versions[place % versions.length] ?? sha256('no list') };
    }
    case 'assign':
      return {
        ...memo,
        payment: wrong ? world.hashOf('no payment') : (assignable(world, place) ?? world.hashOf('none')),
      };
    case 'nonsense':
      return { ...memo, move: 'pause', reason: 'a field that no move has' };
    case 'foreign':
      return { ...memo, project: derivedId('proj', 'of another platform'), move: 'pause' };
    default:
      return memo;
  }
}

/** Mostly a payment that is held whole so far, or arrives just before; else one that was assigned before, or any. */
function assignable(world: World, place: number): string {
  const entries = [...world.feed, ...world.open];
  const arrived = entries.filter((entry) => entry.kind !== 'self').map(({ hash }) => hash);
  const assigned = entries.flatMap((entry) => {
    const hash = entry.kind === 'self' ? decodeMove(entry)?.paymentHash : null;
    return hash == null ? [] : [hash];
  });
  const held = [...world.reduceThrough(world.lastClosed).state.held.keys()];
  const candidates = [held, held, held, assigned, arrived][place % 5] ?? held;
  return candidates[Math.floor(place / 5) % candidates.length] ?? addBounce(world);
}

/** A refund of ours comes back: held whole. */
const addBounce = (world: World): string =>
  world.add({
    kind: 'payment',
    changeDrops: 5n * XRP,
    feeDrops: 0n,
    deliveredDrops: 5n * XRP,
    sender: 'rInvestor1',
    destinationTag: REFUND_SOURCE_TAG,
    sourceTag: null,
  });
