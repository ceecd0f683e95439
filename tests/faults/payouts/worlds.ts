import { Draw } from '#tests/faults/draw.ts';

/** What is particular about a run, beside its holders and faults. */
export const WORLDS = [
  'plain',
  /** The treasury is owed releases of what was raised, out of the account that owes refunds. */
  'releases',
  /** Tokens are frozen and locked for everybody, and lifted again, in the middle of the run. */
  'locks',
  /** Nobody holds a token whom the issuer has not authorised, and some are authorised late or never. */
  'authorisation',
  /** An account may make few payouts within an hour. */
  'ceiling',
  /** Everything is vested, and parts fall due all through the run. */
  'vesting',
  /** Somebody else signs with the payers' keys and uses up their tickets. */
  'strangers',
] as const;
export type World = (typeof WORLDS)[number];

/** Those that there are with witnesses too. */
export const WITNESSED_WORLDS: ReadonlySet<World> = new Set(['plain', 'locks', 'authorisation', 'ceiling']);

/** Of so many runs one is of each world that is not plain. */
const EVERY = 10;

/** Drawn apart from all else: what else a seed gives does not depend on how many worlds there are. */
export function worldOf(seed: string): World {
  return WORLDS[new Draw(`${seed} world`).between(1, EVERY)] ?? 'plain';
}
