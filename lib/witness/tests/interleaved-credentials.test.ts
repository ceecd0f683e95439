import { type ActionMemo, encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { type CredentialEntry, type CredentialsRead, credentialKey } from '@tranche/rules/credentials.ts';
import { encodeAssignment, purposeId } from '@tranche/rules/custody.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Candidate } from '../protocol.ts';
import { account, DEPOSIT, ISSUER, Ledger, type Paid, Reader, TAG, termsOf, XRP } from './ledger.ts';

const RUNS = 500;
/** It takes a few seconds of one processor, which other tests may want too. */
const TIMEOUT_MS = 60_000;
const SEED = 20_261_129;
const OTHER_TAG = TAG + 1;
const FIRST_ISSUER = ISSUER;
const SECOND_ISSUER = account('K');
const KYC = { credential_type: '4B5943', issuers: [FIRST_ISSUER, SECOND_ISSUER] };
const tier = (total_tokens: string) => ({
  tier: 1,
  price_per_token: '0.10',
  total_tokens,
  access: 'open',
  starts_at: null,
});
const SALES = [
  // It sells out, and to no wallet more than its cap.
  termsOf({
    v: 2,
    max_per_wallet_xrp: '4.000000',
    tiers: [
      { ...tier('100.00'), credential: KYC },
      { ...tier('60.00'), tier: 2, price_per_token: '0.20' },
    ],
  }),
  termsOf({ project: `proj_${'B'.repeat(22)}`, destination_tag: OTHER_TAG, tiers: [tier('80.00')] }),
];
const SENDERS = ['B', 'C', 'E', 'F'].map(account);

/** Who holds what in a ledger changes from ledger to ledger. */
const entryOf = (key: string): CredentialEntry | null => {
  const [ledger = '', subject = '', issuer = ''] = key.split(' ');
  const digit = (Number(ledger) * 7 + subject.charCodeAt(2) * 3 + issuer.charCodeAt(2)) % 5;
  if (digit < 2) return null;
  return { accepted: digit !== 2, expiresAtMs: digit === 3 ? null : Number.MAX_SAFE_INTEGER };
};
const ALL: CredentialsRead = { get: entryOf };

const index = fc.nat({ max: 99 });
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      to: fc.nat({ max: 3 }),
      index,
      drops: fc.bigInt(1n, 6n * XRP),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      sale: fc.nat({ max: 1 }),
      move: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const, 'end' as const, 'cancel' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('assign' as const), sale: fc.nat({ max: 1 }), index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sendBack' as const), index }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer Each> ? Each : never;

interface Held extends Paid {
  sender: string;
  drops: bigint;
}

/** Writes what happens into a ledger in which both sales are launched. */
class Script {
  readonly ledger = new Ledger(SALES);
  readonly #held: Held[] = [];

  constructor(happenings: readonly Happening[]) {
    for (const { projectId, hash } of SALES) this.#act({ v: 1, project: projectId, move: 'launch', terms_hash: hash });
    this.ledger.close();
    for (const each of happenings) this.#write(each);
    this.ledger.close();
  }

  #act(memo: ActionMemo): void {
    this.ledger.force(DEPOSIT, { TransactionType: 'AccountSet', Memos: [encodeActionMemo(memo)] });
  }

  #write(each: Happening): void {
    if (each.kind === 'close') {
      this.ledger.close();
      return;
    }
    if (each.kind === 'pay') {
      const sender = SENDERS[each.index % SENDERS.length] ?? '';
      const tag = [TAG, TAG, OTHER_TAG, REFUND_SOURCE_TAG][each.to] ?? null;
      const paid = this.ledger.pay(each.drops, tag, { sender });
      if (tag === REFUND_SOURCE_TAG) this.#held.push({ ...paid, sender, drops: each.drops });
      return;
    }
    if (each.kind === 'act') {
      this.#act({ v: 1, project: SALES[each.sale]?.projectId ?? '', move: each.move });
      return;
    }
    const held = this.#held[each.index % Math.max(1, this.#held.length)];
    if (held === undefined) return;
    if (each.kind === 'assign') {
      this.#act({ v: 1, project: SALES[each.sale]?.projectId ?? '', move: 'assign', payment: held.hash });
      return;
    }
    this.#sendBack(held);
  }

  /** What is held goes back whole, with a ticket that was created for it. */
  #sendBack({ ledgerIndex, transactionIndex, sender, drops }: Held): void {
    const purpose = purposeId({ kind: 'refund', payment: { ledgerIndex, transactionIndex }, part: 1 });
    const ticket = this.ledger.ownOf(DEPOSIT).sequence + 1;
    this.ledger.force(DEPOSIT, {
      TransactionType: 'TicketCreate',
      TicketCount: 1,
      Memos: [encodeAssignment([purpose])],
    });
    const candidate = { last_ledger_sequence: this.ledger.index } as Candidate;
    const transaction = {
      TransactionType: 'Payment',
      Account: DEPOSIT,
      Destination: sender,
      Amount: drops.toString(),
      TicketSequence: ticket,
    };
    this.ledger.submit({ from: DEPOSIT, transaction, candidate });
  }
}

const bookOf = ({ derivation }: Reader) => {
  const book = derivation.books.get(DEPOSIT);
  if (book === undefined) throw new Error('The deposit account is not read');
  return book;
};

/** All that is signed by. */
const resultOf = (witness: Reader) => {
  const { records, state, distributed, releases, refuses } = bookOf(witness);
  const paying = witness.derivation.accounts.get(DEPOSIT);
  return {
    records: new Map([...records].sort()),
    projects: [...state.projects.values()],
    held: new Map([...state.held].sort()),
    distributed,
    releases,
    refuses,
    paid: paying?.paid,
    fault: paying?.fault,
  };
};

const begun = (ledger: Ledger, through: number, credentials: CredentialsRead): Reader => {
  const witness = new Reader(ledger, 1);
  bookOf(witness).readsCredentials(credentials);
  return witness.readOn(through);
};

it(
  `a witness that learns credentials one by one, reads in any steps and begins anew decides as one that knew them all, in ${RUNS} feeds of two sales with held payments (seed ${SEED})`,
  () => {
    let waited = 0;
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 10, maxLength: 60 }),
        fc.array(fc.record({ ledgers: fc.nat({ max: 4 }), told: fc.nat({ max: 3 }), anew: fc.nat({ max: 9 }) }), {
          minLength: 30,
          maxLength: 30,
        }),
        (happenings, steps) => {
          const { ledger } = new Script(happenings);
          const last = ledger.index - 1;
          const known = new Map<string, CredentialEntry | null>();
          let witness = begun(ledger, 11, known);
          for (const { ledgers, told, anew } of steps) {
            if (anew === 0) witness = begun(ledger, witness.at, known);
            witness.readOn(Math.min(last, witness.at + ledgers));
            const wanted = bookOf(witness).decideOn();
            if (wanted?.kind !== 'credentials') continue;
            waited += 1;
            // Those that come are not always the first that it waits for.
            for (const question of wanted.questions.toReversed().slice(0, told)) {
              known.set(credentialKey(question), entryOf(credentialKey(question)));
            }
            witness.derivation.settle(witness.view);
            // What it has decided by now stands; only what is held may be assigned yet.
            const asFar = bookOf(witness).records;
            const whole = bookOf(begun(ledger, witness.at, ALL)).records;
            for (const [hash, record] of asFar) if (record.projectId !== null) expect(whole.get(hash)).toEqual(record);
          }
          witness.readOn(last);
          for (let wanted = bookOf(witness).decideOn(); wanted !== null; wanted = bookOf(witness).decideOn()) {
            if (wanted.kind !== 'credentials') throw new Error('No list is needed');
            for (const question of wanted.questions)
              known.set(credentialKey(question), entryOf(credentialKey(question)));
          }
          witness.derivation.settle(witness.view);
          expect(resultOf(witness)).toEqual(resultOf(begun(ledger, last, ALL)));
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    expect(waited).toBeGreaterThan(RUNS);
  },
  TIMEOUT_MS,
);
