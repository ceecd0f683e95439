import type { WitnessResource } from '#lib/ops/status/witnesses/contracts.ts';
import type { Tone } from '../_ui/badge.tsx';

type Seen = Pick<WitnessResource, 'configured' | 'reachable' | 'fault' | 'halted' | 'refusing'>;

/** How a witness is, in a word: what keeps it from signing anything comes first. Pure. */
export function witnessState({ configured, reachable, fault, halted, refusing }: Seen): { said: string; tone: Tone } {
  if (!configured) return { said: 'not configured', tone: 'bad' };
  if (!reachable) return { said: 'not reachable', tone: 'bad' };
  if (fault !== null) return { said: 'not usable', tone: 'bad' };
  if (halted !== null) return { said: 'halted', tone: 'bad' };
  return refusing.length > 0 ? { said: 'refuses an account', tone: 'warn' } : { said: 'ready', tone: 'good' };
}
