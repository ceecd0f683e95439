import { ACCEPTED } from './accepted.ts';
import type { Difference, Value } from './compare.ts';
import type { Compared } from './recordings.ts';

/** At most this part of what is compared may differ for an accepted reason. */
export const MOST_ACCEPTED = 0.05;
const MOST_SHOWN = 5;
const MOST_CHARACTERS = 90;

const shown = (value: Value | undefined): string =>
  value === undefined ? 'no such key' : JSON.stringify(value).slice(0, MOST_CHARACTERS);

function lines(name: string, found: readonly Difference[], mark: string): string[] {
  const some = found
    .slice(0, MOST_SHOWN)
    .map(({ path, real, here }) => `${mark}${name}${path}: real ${shown(real)}, here ${shown(here)}`);
  return found.length > MOST_SHOWN ? [...some, `${mark}${name}: ${found.length - MOST_SHOWN} more`] : some;
}

export type Report = { readonly text: string; readonly passed: boolean; readonly matched: number };

/** Judges a comparison against the accepted differences and the number that matched before. */
export function report(compared: readonly Compared[], leastMatched: number): Report {
  const output: string[] = [];
  const problems: string[] = [];
  let matched = 0;
  let accepted = 0;
  let total = 0;
  for (const { name, differences } of compared) {
    if (differences === null) continue;
    total += 1;
    const reason = ACCEPTED[name];
    if (differences.length === 0) {
      matched += 1;
      if (reason !== undefined) output.push(`matches now and need not be accepted: ${name}`);
    } else if (reason !== undefined) {
      accepted += 1;
      output.push(...lines(name, differences, 'accepted: '), `accepted: ${name}: ${reason}`);
    } else {
      problems.push(`${name} differs, and the difference is not accepted`);
      output.push(...lines(name, differences, ''));
    }
  }
  if (total === 0) problems.push('nothing was compared');
  if (matched < leastMatched) problems.push(`matched ${matched}, fewer than the ${leastMatched} of the baseline`);
  if (accepted > total * MOST_ACCEPTED) problems.push(`${accepted} accepted differences are more than 5 percent`);
  const summary = `matched ${matched} of ${total} compared, ${compared.length - total} not compared`;
  return { text: [...output, ...problems, summary].join('\n'), passed: problems.length === 0, matched };
}
