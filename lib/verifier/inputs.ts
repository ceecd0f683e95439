import type { DepositAccount, ExceptionResource, ProjectResource } from './published.ts';
import { type ParsedTerms, parseTerms } from './terms.ts';
import type { PublishedSource, PublishedTerms } from './types.ts';

/** Another launched sale that is paid for, or pays, by an account of this one. */
export interface OtherSale {
  id: string;
  depositAddress: string;
  distributor: string;
  token: ProjectResource['token'];
  confirmedLedger: number;
}

/** What the platform publishes about a sale and those that share its deposit account, rows apart. */
export interface Inputs {
  account: DepositAccount;
  project: ProjectResource;
  target: ParsedTerms;
  /** Of every launched project of the account, under custody of its custody period, by id; the target among them. */
  terms: ReadonlyMap<string, ParsedTerms>;
  anchors: ReadonlyMap<string, PublishedTerms['anchor']>;
  statedHashes: ReadonlyMap<string, string>;
  /** Ids of allowlist versions by hash, by project. */
  lists: ReadonlyMap<string, ReadonlyMap<string, string>>;
  latePayments: ReadonlySet<string>;
  lateActions: ReadonlySet<string>;
  /** Actions of the target and their ledgers, and the payments that actions of all sales have credited. */
  assigns: ReadonlyMap<string, number>;
  assignedPayments: ReadonlySet<string>;
  /** Payments of which operators refunded what was held, and by which payouts. */
  refundedByOperators: ReadonlyMap<string, { projectId: string; payoutId: string }[]>;
  /** The same of the target: the payment and its ledger by the payout. */
  operatorRefunds: ReadonlyMap<string, { payment: string; ledgerIndex: number }>;
  others: readonly OtherSale[];
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
  const others = all.filter(
    (each) => each.id !== projectId && (sharing.includes(each.id) || each.distributor === project.distributor),
  );
  const period = project.custody?.from_ledger;
  const together = all.filter((each) => sharing.includes(each.id) && isOfPeriod(each, period)).map((each) => each.id);
  const ids = [...new Set([projectId, ...together])];
  const published = await Promise.all(
    ids.map(async (id) => ({
      id,
      terms: await source.terms(id),
      lists: await source.lists(id),
      exceptions: await source.exceptions(id),
    })),
  );
  const terms = new Map(published.map((each) => [each.id, parseTerms(each.id, each.terms)]));
  const target = terms.get(projectId);
  if (target === undefined) throw new Error(`No terms of ${projectId}`);
  const exceptions = published.flatMap((each) => each.exceptions);
  // Witnesses decide by the ledger alone.
  const late = target.terms.custody === undefined ? exceptions : [];
  const own = published.find((each) => each.id === projectId)?.exceptions ?? [];
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
    latePayments: new Set(late.flatMap((each) => (each.kind === 'late_discovery' ? [each.payment_hash] : []))),
    lateActions: new Set(late.flatMap((each) => (each.kind === 'late_action' ? [each.action_hash] : []))),
    assigns: new Map(own.flatMap((each) => (each.kind === 'assign' ? [[each.action_hash, each.ledger_index]] : []))),
    assignedPayments: new Set(exceptions.flatMap((each) => (each.kind === 'assign' ? [each.payment_hash] : []))),
    refundedByOperators: refundsByPayment(published),
    operatorRefunds: new Map(
      own.flatMap((each) =>
        each.kind === 'refund'
          ? [[each.payout_id, { payment: each.payment_hash, ledgerIndex: each.ledger_index }]]
          : [],
      ),
    ),
    others: await Promise.all(
      others.map(async ({ id, deposit_address: depositAddress, distributor, token }) => ({
        id,
        depositAddress,
        distributor,
        token,
        confirmedLedger: (sharing.includes(id) ? account : await source.depositAccount(id)).confirmed_ledger,
      })),
    ),
    exceptionCounts: Object.fromEntries(
      [...Map.groupBy(own, (each) => each.kind)].map(([kind, of]) => [kind, of.length]),
    ),
  };
}

/** In a custody period the sales of earlier and later ones are unknown. */
const isOfPeriod = ({ custody }: ProjectResource, period: number | undefined): boolean =>
  period === undefined || custody?.from_ledger === period;

/** The deposit account's feed counts for the sale after this ledger. */
export const feedBegins = ({ target, account }: Inputs): number =>
  target.terms.custody?.from_ledger ?? account.registered_ledger;

/** The last ledger that counts for the sale; null while there may be more. */
export const feedEnds = ({ target, project }: Inputs): number | null =>
  target.terms.custody === undefined ? null : project.custody_through_ledger;

function refundsByPayment(
  published: readonly { id: string; exceptions: readonly ExceptionResource[] }[],
): Inputs['refundedByOperators'] {
  const refunds = published.flatMap(({ id: projectId, exceptions }) =>
    exceptions.flatMap((each) =>
      each.kind === 'refund' ? [{ payment: each.payment_hash, projectId, payoutId: each.payout_id }] : [],
    ),
  );
  return Map.groupBy(refunds, ({ payment }) => payment);
}
