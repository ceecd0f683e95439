import { custodyFaults, fewestWitnesses, type SignerSet, witnessesThatMayBeAway } from '@tranche/rules/custody.ts';
import { formatCount, formatCounted } from '../_ui/format.ts';

const witnessesText = (count: number): string => formatCounted(count, 'witness', 'witnesses');

/** Who must sign, in one line. Pure. */
export function signersText(set: SignerSet | null): string {
  if (set === null) return 'One key for each account';
  const fewest = fewestWitnesses(set);
  const all = witnessesText(set.witnesses.length);
  return Number.isFinite(fewest)
    ? `The platform and at least ${formatCount(fewest)} of ${all}`
    : `Nobody: the platform and ${all} make no quorum`;
}

/**
 * What a signer set means for the money, in sentences worked out of its weights by the rules. Nothing is promised of a set
 * that does not keep what custody promises: its faults are all that is said. Pure.
 */
export function custodySentences(set: SignerSet): { isSound: boolean; sentences: string[] } {
  const faults = custodyFaults(set);
  if (faults.length > 0) return { isSound: false, sentences: faults.map((fault) => `This signer set ${fault}.`) };
  const fewest = fewestWitnesses(set);
  const away = witnessesThatMayBeAway(set);
  const total = set.witnesses.length;
  // With keys of different weights it depends on which witnesses they are.
  const isAny = total - away === fewest;
  const tooMany = witnessesText(away + 1);
  return {
    isSound: true,
    sentences: [
      'One stolen key moves nothing, whichever key it is. With the platform’s key, a thief could still hold payouts back, change an allowlist, or pause, end or cancel the sale.',
      `The platform and ${isAny ? 'any' : 'as few as'} ${witnessesText(fewest)} together can move everything, also against the rules, and replace the signers. All ${witnessesText(total)} without the platform can move nothing.`,
      `While any ${witnessesText(away)} ${away === 1 ? 'is' : 'are'} away, payouts and refunds go out as usual. While ${tooMany} are away, they ${isAny ? 'wait' : 'may wait'} until enough are back.`,
      `If ${tooMany}, or the platform, lost their keys for good, the XRP and the tokens ${isAny ? 'would' : 'could'} stay where they are for ever.`,
    ],
  };
}
