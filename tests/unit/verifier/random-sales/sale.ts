import type { ExceptionResource } from '@tranche/verifier/published.ts';
import fc from 'fast-check';
import type { LastLedger, LedgerTransaction } from '../second-implementation/publications.ts';
import { HistoryWriter } from './history.ts';
import { step } from './steps.ts';
import { type DrawnProject, project } from './terms.ts';

/** A deposit account with two sales: what is published of them, and all that the ledger shows. */
export interface DrawnSale {
  projects: DrawnProject[];
  exceptions: ExceptionResource[];
  /** Newest first, as servers give it unasked; further than the account's feed on both sides. */
  history: LedgerTransaction[];
  last: LastLedger;
  /** After how many entries a page of the feed ends, in turn. */
  pageSizes: number[];
}

export const drawing = fc.record({
  projects: fc.tuple(project(0), project(1)),
  launched: fc.tuple(fc.nat(19), fc.nat(19)),
  listed: fc.boolean(),
  steps: fc.array(step, { minLength: 10, maxLength: 70, size: 'max' }),
  quietSeconds: fc.constantFrom(0, 0, 1, 200),
  pageSizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
  /** The first sale's soft cap less what it raises, where a drop decides; null leaves it as drawn. */
  softCapBesideRaised: fc.constantFrom(null, null, null, -1n, 0n, 1n),
});
export type Drawing = typeof drawing extends fc.Arbitrary<infer T> ? T : never;

/** The sales of a drawing; `projects` may be others than the drawn ones. */
export function writeSale(
  { launched, listed, steps, quietSeconds, pageSizes, ...drawn }: Drawing,
  projects: DrawnProject[] = drawn.projects,
): DrawnSale {
  const writer = new HistoryWriter(projects);
  projects.forEach((_, of) => {
    if (listed) writer.writePlainAction(of, 'list');
    // The others are launched later by a step, or never.
    if ((launched[of] ?? 0) > 1) writer.writePlainAction(of, 'launch');
  });
  for (const each of steps) writer.write(each);
  return { projects, pageSizes, ...writer.close(quietSeconds) };
}
