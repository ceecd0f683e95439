import { decodeAction } from '@tranche/rules/action-memo.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import { XRP } from '#tests/support/sale.ts';
import { sha256, type World, type WorldProject } from './world.ts';

/** A transaction of the account to itself: an action, right or wrong, or what a stranger's hand has made of one. */
export const drawnMove = fc.record({
  project: fc.nat(3),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.constant('launch' as const) },
    { weight: 2, arbitrary: fc.constantFrom('pause' as const, 'resume' as const) },
    { weight: 1, arbitrary: fc.constantFrom('end' as const, 'cancel' as const) },
    { weight: 2, arbitrary: fc.constant('list' as const) },
    { weight: 4, arbitrary: fc.constant('assign' as const) },
    { weight: 1, arbitrary: fc.constantFrom('nonsense' as const, 'foreign' as const) },
  ),
  /** Of the payments or lists there are; what it names is right unless `wrong`. */
  index: fc.nat(20),
  wrong: fc.constantFrom(false, false, false, false, true),
  memoBefore: fc.constantFrom('x', '{}', '{"v":1}'),
});
export type DrawnAction = typeof drawnMove extends fc.Arbitrary<infer T> ? T : never;

export function addDrawnAction(world: World, drawn: DrawnAction): void {
  const { projects } = world.reduceThrough(world.lastClosed).state;
  const active = world.projects.filter(({ tag }) => projects.get(tag)?.status === 'active');
  const candidates = drawn.action === 'assign' && active.length > 0 ? active : world.projects;
  const project = candidates[drawn.project % candidates.length];
  if (project === undefined) return;
  world.addAction(memoOf(world, project, drawn), { memoBefore: drawn.memoBefore });
}

/** The action that puts a project on sale. */
export const launchMemo = ({ id, termsHash }: WorldProject) => ({
  v: 1,
  project: id,
  move: 'launch',
  terms_hash: termsHash,
});

function memoOf(world: World, project: WorldProject, { action, index, wrong }: DrawnAction): unknown {
  const memo = { v: 1, project: project.id, move: action };
  switch (action) {
    case 'launch':
      return wrong ? { ...memo, terms_hash: sha256('other terms') } : launchMemo(project);
    case 'list': {
      const versions = [...(wrong ? world.projects : [project]).flatMap(({ lists }) => [...lists.keys()])];
      return { ...memo, list_hash: versions[index % versions.length] ?? sha256('no list') };
    }
    case 'assign':
      return {
        ...memo,
        payment: wrong ? world.hashOf('no payment') : (assignable(world, index) ?? world.hashOf('none')),
      };
    case 'nonsense':
      return { ...memo, move: 'pause', reason: 'a field that no action has' };
    case 'foreign':
      return { ...memo, project: derivedId('proj', 'of another platform'), action: 'pause' };
    default:
      return memo;
  }
}

/** Mostly a payment that is held whole so far, or arrives just before; else one that was assigned before, or any. */
function assignable(world: World, index: number): string {
  const entries = [...world.feed, ...world.open];
  const arrived = entries.filter((entry) => entry.kind !== 'self').map(({ hash }) => hash);
  const assigned = entries.flatMap((entry) => {
    const hash = entry.kind === 'self' ? decodeAction(entry)?.paymentHash : null;
    return hash == null ? [] : [hash];
  });
  const held = [...world.reduceThrough(world.lastClosed).state.held.keys()];
  const candidates = [held, held, held, assigned, arrived][index % 5] ?? held;
  return candidates[Math.floor(index / 5) % candidates.length] ?? addBounce(world);
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
