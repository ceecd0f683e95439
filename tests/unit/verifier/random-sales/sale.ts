import type { ExceptionResource } from '@tranche/verifier/published.ts';
import fc from 'fast-check';
import type { LastLedger, LedgerTransaction, PublishedPayout } from '../second-implementation/publications.ts';
import { custodyOf, type DrawnCustody, drawnCustody } from './custody.ts';
import { HistoryWriter } from './history.ts';
import type { PaidBy } from './paying-accounts.ts';
import { step } from './steps.ts';
import { type DrawnProject, project, withCustody } from './terms.ts';

/** A deposit account with two sales: what is published of them, and all that the ledger shows. */
export interface DrawnSale {
  projects: DrawnProject[];
  exceptions: ExceptionResource[];
  /** Newest first, as servers give it unasked; further than the account's feed on both sides. */
  history: LedgerTransaction[];
  /** What the distributor has sent, oldest first. */
  distributed: LedgerTransaction[];
  /** As of this ledger. */
  last: LastLedger;
  /** Where the first sale's custody period ended; null while it lasts. */
  throughLedger: number | null;
  /** What its payouts name, and its releases. */
  paid: ReadonlyMap<string, PaidBy>;
  releases: readonly PaidBy[];
  /** What its paying accounts have done, by name (coverage.ts). */
  happened: readonly string[];
  /** After how many entries a page of the feed ends, in turn. */
  pageSizes: number[];
}

export const drawing = fc.record({
  projects: fc.tuple(project(0), project(1)),
  launched: fc.tuple(fc.nat(19), fc.nat(19)),
  listed: fc.boolean(),
  custody: drawnCustody,
  steps: fc.array(step, { minLength: 10, maxLength: 85, size: 'max' }),
  quietSeconds: fc.constantFrom(0, 0, 1, 200),
  pageSizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
  /** The first sale's soft cap less what it raises, where a drop decides; null leaves it as drawn. */
  softCapBesideRaised: fc.constantFrom(null, null, null, -1n, 0n, 1n),
});
export type Drawing = typeof drawing extends fc.Arbitrary<infer T> ? T : never;

/** What the first sale owes by what is written, and the payments of which it holds something. */
export type Settling = (sale: DrawnSale) => {
  owed: Pick<PublishedPayout, 'kind' | 'part' | 'payment_hash'>[];
  held: string[];
};

/** The sales of a drawing; `given` may be others than the drawn ones. */
export function writeSale(
  { launched, listed, custody, steps, quietSeconds, pageSizes, ...drawn }: Drawing,
  settling: Settling,
  given: DrawnProject[] = drawn.projects,
): DrawnSale {
  const projects = custody === null ? given : underCustody(given, custody);
  const writer = new HistoryWriter(projects);
  projects.forEach((_, of) => {
    if (listed) writer.writePlainAction(of, 'list');
    // The others are launched later by a step, or never.
    if ((launched[of] ?? 0) > 1) writer.writePlainAction(of, 'launch');
  });
  if (custody !== null && custody.assigns !== null) writer.writeAssignment(custody.assigns);
  for (const each of steps) writer.write(each);
  const { paid = new Map(), releases = [], happened = [] } = writer.paying ?? {};
  const about = { projects, pageSizes, paid, releases, happened };
  if (custody === null) return { ...about, ...writer.close(quietSeconds), throughLedger: null };

  if (custody.end !== null) writer.writePlainAction(0, custody.end);
  writer.nextLedger();
  if (custody.settles) {
    const asOf = { ...about, ...writer.written(), last: writer.ledger, throughLedger: null };
    const { owed, held } = settling(asOf);
    for (const { kind, part, payment_hash } of owed) writer.paying?.settle(payment_hash ?? '', kind, part);
    for (const hash of custody.sendsBack ? held : []) writer.paying?.settle(hash, 'refund', 1);
  }
  const end = writer.ledger;
  writer.nextLedger();
  for (const each of custody.after) writer.write({ ...each, wait: { seconds: 0 } });
  const written = writer.close(quietSeconds);
  return { ...about, ...written, ...(custody.endsPeriod ? { last: end, throughLedger: end.ledger_index } : NOT_ENDED) };
}

const NOT_ENDED = { throughLedger: null };

function underCustody([first, second, ...rest]: DrawnProject[], drawn: DrawnCustody): DrawnProject[] {
  const custody = custodyOf(drawn);
  const others = {
    same_period: custody,
    another_period: { ...custody, from_ledger: custody.from_ledger + 3 },
    one_key: null,
  };
  const other = others[drawn.other];
  return [
    ...(first === undefined ? [] : [withCustody(first, custody)]),
    ...(second === undefined ? [] : [other === null ? second : withCustody(second, other)]),
    ...rest,
  ];
}
