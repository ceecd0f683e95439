import fc from 'fast-check';
import { type CredentialEntry, type CredentialRequirement, credentialKey } from '../credentials.ts';
import {
  ACTIONS,
  type AllowList,
  type ProjectState,
  REFUND_SOURCE_TAG,
  type SaleEntry,
  type SalePayment,
  type SaleState,
} from '../types.ts';
import { PRICE_ONE, PROJECT_ID, projectOf, stateOf, T0, TAG, TERMS_HASH, tierOf, XRP } from './book.ts';

export interface Feed {
  start: SaleState;
  entries: SaleEntry[];
}

const HASHES = ['1', '2'].map((digit) => digit.repeat(64));
const SENDERS = ['rCapped', 'rFree', 'rStranger', 'rOperator'];

/** What the lists of every feed let a wallet invest in listed tiers; whoever is not here is on none. */
export const LIST_CAPS: Record<string, bigint | null> = { rCapped: 20n * XRP, rFree: null };

const lists = new Map<string, AllowList>([
  [HASHES[0] ?? '', new Map(Object.entries(LIST_CAPS))],
  [HASHES[1] ?? '', new Map([['rCapped', 5n * XRP]])],
]);

/** Half of the terms leave it out: a sale that nobody may buy from shows little. */
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
const time = fc.integer({ min: T0, max: T0 + 60_000 });

/** What tiers of `anyCredentialFeed` require. */
const REQUIREMENTS: CredentialRequirement[] = [
  { credential_type: '4B5943', issuers: ['rIssuer'] },
  { credential_type: '4B5943', issuers: ['rIssuer', 'rOtherIssuer'] },
  { credential_type: 'AB', issuers: ['rOtherIssuer'] },
];

const terms = fc
  .record({
    status: fc.constantFrom<ProjectState['status']>('active', 'active', 'active', 'active', 'draft'),
    decimals: fc.constantFrom(0, 2, 6),
    startsAtMs: optional(fc.constant(T0 + 2_000)),
    endsAtMs: optional(time),
    softCapDrops: optional(fc.constantFrom(1n, 50n * XRP, 120n * XRP)),
    minInvestmentDrops: optional(fc.constantFrom(1n, XRP)),
    maxPerWalletDrops: optional(fc.constantFrom(999n, 30n * XRP, 100n * XRP)),
    listHash: fc.constantFrom(null, ...HASHES),
    tiers: fc.array(
      fc.record({
        price: fc.constantFrom(PRICE_ONE / 3n, PRICE_ONE, 7n * PRICE_ONE),
        tokens: fc.bigInt({ min: 1n, max: 60n }),
        listed: fc.constantFrom(false, false, true),
        startsAtMs: optional(time),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ tiers, ...over }) =>
    projectOf({
      ...over,
      lists,
      launchedAtMs: over.status === 'draft' ? null : T0,
      tiers: tiers.map(({ price, tokens, listed, startsAtMs }, index) =>
        tierOf(index + 1, {
          price,
          totalUnits: tokens * 10n ** BigInt(over.decimals),
          listed,
          startsAtMs,
          openedAtMs: null,
        }),
      ),
    }),
  );

const step = fc.record({
  /** Most ledgers hold several entries. */
  waitMs: fc.constantFrom(0, 0, 1, 1_000, 4_000),
  kind: fc.constantFrom(
    'payment',
    'payment',
    'payment',
    'payment',
    'payment',
    'untagged',
    'operating',
    'action',
    'action',
    'close',
  ),
  drops: fc.oneof(
    fc.bigInt({ min: 1n, max: 2_000n }),
    fc.bigInt({ min: 1n, max: 20n * XRP }),
    fc.bigInt({ min: XRP, max: 20n * XRP }),
    fc.constantFrom(XRP, 7n * XRP, 7n * XRP + 999n, 10n ** 17n),
  ),
  sender: fc.constantFrom(...SENDERS),
  tag: fc.constantFrom(null, null, 0, TAG + 1, REFUND_SOURCE_TAG),
  action: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...ACTIONS) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('launch', 'pause', 'resume', 'resume', 'list', 'assign', 'assign', 'assign'),
    },
  ),
  termsHash: fc.constantFrom(TERMS_HASH, TERMS_HASH, '0'.repeat(64), null),
  listHash: fc.constantFrom(...HASHES, '9'.repeat(64), null),
  /** Which of the payments so far an assign action names, counted from the last one. */
  back: fc.nat({ max: 4 }),
  /** Of those without the project's tag only: they may be held. */
  backAmongUntagged: fc.constantFrom(true, true, true, false),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Entries in ledger order; close times never go back. */
function entriesOf(steps: readonly Step[]): SaleEntry[] {
  const entries: SaleEntry[] = [];
  let closedAtMs = T0;
  let ledgerIndex = 100;
  for (const [index, { waitMs, kind, drops, sender, tag, action, termsHash, listHash, ...named }] of steps.entries()) {
    closedAtMs += waitMs;
    if (waitMs > 0) ledgerIndex++;
    const hash = (index + 1).toString(16).padStart(64, 'A');
    const at = { hash, ledgerIndex, transactionIndex: index, closedAtMs };
    const paid = entries.filter(
      (entry) => entry.kind === 'payment' && !(named.backAmongUntagged && entry.destinationTag === TAG),
    ) as SalePayment[];
    if (kind === 'close') entries.push({ kind, closedAtMs });
    else if (kind === 'action') {
      const paymentHash = paid.at(-1 - named.back)?.hash ?? null;
      entries.push({ kind, ...at, projectId: PROJECT_ID, action, termsHash, listHash, paymentHash, signers: [] });
    } else {
      const destinationTag = { payment: TAG, untagged: tag, operating: null }[kind];
      const paidBy = kind === 'operating' ? 'rOperator' : sender;
      entries.push({ kind: 'payment', ...at, sender: paidBy, destinationTag, receivedDrops: drops });
    }
  }
  return entries;
}

/** A sale under any terms, and what any crowd and any operator may do to it. */
export const anyFeed: fc.Arbitrary<Feed> = fc
  .tuple(terms, fc.array(step, { maxLength: 50, size: 'max' }))
  .map(([project, steps]) => ({ start: stateOf(project), entries: entriesOf(steps) }));

const entry: fc.Arbitrary<CredentialEntry | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 5,
    arbitrary: fc.record({
      accepted: fc.constantFrom(true, true, true, false),
      expiresAtMs: fc.option(time, { nil: null, freq: 2 }),
    }),
  },
);

/** A feed of `anyFeed` whose tiers may require credentials, which are given, accepted and taken away from ledger to ledger. */
export const anyCredentialFeed: fc.Arbitrary<Feed & { read: ReadonlyMap<string, CredentialEntry | null> }> = fc
  .tuple(
    anyFeed,
    fc.array(fc.constantFrom(null, ...REQUIREMENTS, ...REQUIREMENTS), { minLength: 4, maxLength: 4 }),
    fc.array(entry, { minLength: 12, maxLength: 12 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([{ start, entries }, required, drawnEntries, lasts]) => {
    const projects = new Map(
      [...start.projects].map(([tag, project]) => [
        tag,
        { ...project, tiers: project.tiers.map((tier, at) => ({ ...tier, credential: required[at] ?? null })) },
      ]),
    );
    const read = new Map<string, CredentialEntry | null>();
    const ledgers = new Set(entries.flatMap((each) => (each.kind === 'close' ? [] : [each.ledgerIndex - 1])));
    for (const ledgerIndex of ledgers) {
      for (const [at, subject] of SENDERS.entries()) {
        for (const { credential_type: credentialType, issuers } of REQUIREMENTS) {
          for (const [of, issuer] of issuers.entries()) {
            const drawn = Math.floor(ledgerIndex / lasts) + 5 * at + 3 * of + credentialType.length;
            const key = credentialKey({ ledgerIndex, subject, issuer, credentialType });
            read.set(key, drawnEntries[drawn % drawnEntries.length] ?? null);
          }
        }
      }
    }
    return { start: { ...start, projects, credentials: read }, entries, read };
  });
