import type { Wallet } from 'xrpl';
import type { Draw } from '#tests/faults/draw.ts';
import type { Acts } from './acts.ts';
import type { HolderManner } from './manners.ts';
import type { World } from './worlds.ts';

export interface Holder {
  wallet: Wallet;
  manner: HolderManner;
  /** The round in which it changes its manner, if it does. */
  changesIn: number;
  /** The round in which the issuer authorises it; 0 is before the first. Only where the issuer asks for it. */
  authorisedIn: number;
}

/** What holders and the issuer change from round to round. */
export interface Changes {
  /** Everything that happens before this round. */
  before(round: number): Promise<void>;
  /** Ends what the payers' side brought about. */
  end(): Promise<void>;
}

/** A round that is never played. */
const NEVER = 1_000;

/** In which round the issuer authorises a holder, drawn apart so that other worlds' draws stay as they are. */
export function drawAuthorisation(manner: HolderManner, changesIn: number, draw: Draw, rounds: number): number {
  if (manner === 'never' || manner === 'deleted') return NEVER;
  // It must have opted in, in a ledger that is closed.
  if (manner === 'late') return changesIn + 1;
  return draw.chance(0.5) ? 0 : draw.between(1, rounds + 1);
}

export function changesOf(acts: Acts, holders: readonly Holder[], world: World, draw: Draw, rounds: number): Changes {
  const stopsIn = draw.between(0, rounds - 1);
  const allowsIn = stopsIn + draw.between(1, 2);
  let stopped = false;
  const setStopped = async (wanted: boolean): Promise<void> => {
    if (stopped === wanted) return;
    stopped = wanted;
    await (wanted ? acts.stopAll() : acts.allowAll());
  };

  async function changeHolder({ wallet, manner, changesIn, authorisedIn }: Holder, round: number): Promise<void> {
    if (manner === 'fickle' && round === changesIn) await acts.setFlag(wallet, 'requireDest');
    if (manner === 'fickle' && round === changesIn + 2) await acts.clearFlag(wallet, 'requireDest');
    if (world === 'authorisation' && round === authorisedIn) await acts.authorise(wallet);
    if (round !== changesIn) return;
    if (manner === 'late') await acts.optIn(wallet);
    if (manner === 'tight') await acts.trust(wallet, '100000000');
    if (manner !== 'frozen') return;
    await acts.unfreeze(wallet);
    if (world === 'locks') await acts.unlock(wallet);
  }

  return {
    async before(round) {
      for (const holder of holders) await changeHolder(holder, round);
      if (world !== 'locks') return;
      if (round === stopsIn) await setStopped(true);
      if (round === allowsIn) await setStopped(false);
    },
    end: () => setStopped(false),
  };
}
