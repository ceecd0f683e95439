import { parseDecimal, XRP_DECIMALS } from '#lib/platform/money.ts';
import type { ProjectResource } from '../schemas.ts';
import { type ReadTerms, readTerms } from './terms.ts';
import type { DepositAccount, PublishedSource, PublishedTerms } from './types.ts';

/** What the platform publishes about a sale and those that share its deposit account, rows apart. */
export interface Inputs {
  account: DepositAccount;
  project: ProjectResource;
  target: ReadTerms;
  /** Of every launched project of the account, by id; the target among them. */
  terms: ReadonlyMap<string, ReadTerms>;
  anchors: ReadonlyMap<string, PublishedTerms['anchor']>;
  statedHashes: ReadonlyMap<string, string>;
  /** Ids of allowlist versions by hash, by project. */
  lists: ReadonlyMap<string, ReadonlyMap<string, string>>;
  latePayments: ReadonlySet<string>;
  lateMoves: ReadonlySet<string>;
  /** Hashes of moves: of the target, and of all. */
  assigns: ReadonlySet<string>;
  assignedPayments: ReadonlySet<string>;
  /** Drops that operators gave back, by payment; and the payouts that do so. */
  givenBack: ReadonlyMap<string, bigint>;
  operatorRefunds: ReadonlySet<string>;
  /** For the reader: how many exceptions of each kind the target has. */
  exceptionCounts: Readonly<Record<string, number>>;
}

/** Reads everything but the rows. Throws what the source throws. */
export async function loadInputs(source: PublishedSource, projectId: string): Promise<Inputs> {
  const [account, project, all] = await Promise.all([
    source.depositAccount(projectId),
    source.project(projectId),
    source.projects(),
  ]);
  const sharing = all.filter((each) => each.deposit_address === account.address).map((each) => each.id);
  const ids = [...new Set([projectId, ...sharing])];
  const published = await Promise.all(
    ids.map(async (id) => ({
      id,
      terms: await source.terms(id),
      lists: await source.lists(id),
      exceptions: await source.exceptions(id),
    })),
  );
  const terms = new Map(published.map((each) => [each.id, readTerms(each.id, each.terms)]));
  const target = terms.get(projectId);
  if (target === undefined) throw new Error(`No terms of ${projectId}`);
  const exceptions = published.flatMap((each) => each.exceptions);
  const own = published.find((each) => each.id === projectId)?.exceptions ?? [];
  const givenBack = new Map<string, bigint>();
  for (const each of exceptions) {
    if (each.kind !== 'refund') continue;
    const drops = parseDecimal(each.amount_xrp, XRP_DECIMALS) ?? 0n;
    givenBack.set(each.payment_hash, (givenBack.get(each.payment_hash) ?? 0n) + drops);
  }
  return {
    account,
    project,
    target,
    terms,
    anchors: new Map(published.map((each) => [each.id, each.terms.anchor])),
    statedHashes: new Map(published.map((each) => [each.id, each.terms.sha256])),
    lists: new Map(
      published.map((each) => [
        each.id,
        new Map(each.lists.flatMap((list) => (list.hash === null ? [] : [[list.hash, list.id]]))),
      ]),
    ),
    latePayments: new Set(exceptions.flatMap((each) => (each.kind === 'late_discovery' ? [each.payment_hash] : []))),
    lateMoves: new Set(exceptions.flatMap((each) => (each.kind === 'late_move' ? [each.move_hash] : []))),
    assigns: new Set(own.flatMap((each) => (each.kind === 'assign' ? [each.move_hash] : []))),
    assignedPayments: new Set(exceptions.flatMap((each) => (each.kind === 'assign' ? [each.payment_hash] : []))),
    givenBack,
    operatorRefunds: new Set(own.flatMap((each) => (each.kind === 'refund' ? [each.payout_id] : []))),
    exceptionCounts: Object.fromEntries(
      [...Map.groupBy(own, (each) => each.kind)].map(([kind, of]) => [kind, of.length]),
    ),
  };
}
