import type { Custody } from '@tranche/rules/custody.ts';
import fc from 'fast-check';
import { formatDrops } from '#lib/base/money.ts';
import { PLATFORM, REFUND_MIN_DROPS, REGISTERED_LEDGER, STRANGER, WITNESSES } from './accounts.ts';

export const SIGNINGS = [
  'all',
  'too_few',
  'without_platform',
  'with_a_stranger',
  'twice',
  'one_key',
  'by_a_delegate',
] as const;

/** Who signs an own transaction: mostly a quorum. */
export const signing = fc.oneof(
  { weight: 10, arbitrary: fc.constant('quorum' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...SIGNINGS) },
);
export type Signing = (typeof SIGNINGS)[number] | 'quorum';

/**
 * The ticket of a transaction: created for its purpose just before or some time ago, for another purpose, just before by a
 * TicketCreate that assigns nothing though it names the purpose, or none.
 */
export const ticketChoice = fc.constantFrom<TicketChoice>(
  ...(['made', 'made', 'made', 'made', 'waiting', 'another', 'misassigned', 'none'] as const),
);
export type TicketChoice = 'made' | 'waiting' | 'another' | 'misassigned' | 'none';

const paying = fc.constantFrom<PayingAccount>('deposit', 'distributor');
export type PayingAccount = 'deposit' | 'distributor';

const purpose = fc.record({
  kind: fc.constantFrom('distribution', 'distribution', 'distribution', 'refund', 'refund', 'refund', 'release'),
  /** Of the payments that have arrived, the last ones first. */
  back: fc.nat(4),
  part: fc.constantFrom<number>(1, 1, 1, 2, 3),
});
export type DrawnPurpose = typeof purpose extends fc.Arbitrary<infer T> ? T : never;

export const ASSIGNMENT_FORMS = [
  'a_byte_short',
  'a_purpose_short',
  'two_memos',
  'no_memo',
  'another_type',
  'an_unknown_kind',
] as const;
export type AssignmentForm = (typeof ASSIGNMENT_FORMS)[number] | 'right';

/** What assigns no ticket. */
export const MISASSIGNED = [
  ...ASSIGNMENT_FORMS.map((form) => ({ form, signing: 'quorum' as const })),
  { form: 'right' as const, signing: 'too_few' as const },
];

const failed = fc.constantFrom(false, false, false, false, false, false, true);

const tickets = fc.record({
  kind: fc.constant('tickets' as const),
  account: paying,
  purposes: fc.array(purpose, { minLength: 1, maxLength: 3 }),
  form: fc.oneof(
    { weight: 2, arbitrary: fc.constant('right' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...ASSIGNMENT_FORMS) },
  ),
  signing,
  failed,
});
export type TicketsStep = typeof tickets extends fc.Arbitrary<infer T> ? T : never;

const pays = fc.record({
  kind: fc.constant('pays' as const),
  purpose,
  ticket: ticketChoice,
  signing,
  failed,
  /** What was paid last. */
  again: fc.constantFrom(false, false, false, false, true),
  /** In something else than what is owed. */
  odd: fc.constantFrom(false, false, false, false, true),
});
export type PaysStep = typeof pays extends fc.Arbitrary<infer T> ? T : never;

export const OWN_TYPES = [
  'uses_up_a_ticket',
  'sets_a_domain',
  'sets_a_flag',
  'sets_flags',
  'canonical_flag',
  'SetRegularKey',
  'SignerListSet',
  'TrustSet',
  'OfferCreate',
] as const;

const own = fc.record({
  kind: fc.constant('own' as const),
  account: paying,
  type: fc.constantFrom(...OWN_TYPES),
  signing,
  failed,
});
export type OwnStep = typeof own extends fc.Arbitrary<infer T> ? T : never;

/** What an account sends, or a witness signs: only an account under custody takes notice. */
export const custodyStep = fc.oneof(
  { weight: 4, arbitrary: tickets },
  { weight: 7, arbitrary: pays },
  { weight: 1, arbitrary: own },
);
export type CustodyStep = TicketsStep | PaysStep | OwnStep;

/** What is drawn of an account's custody; null is an account of one key. */
export const drawnCustody = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      /** With the second of them the witnesses' weights reach the quorum, and the platform must sign all the same. */
      weights: fc.constantFrom({ platform: 2, quorum: 4 }, { platform: 1, quorum: 3 }),
      fromLedger: fc.constantFrom(REGISTERED_LEDGER, REGISTERED_LEDGER, REGISTERED_LEDGER + 2),
      /** What the other sale of the account is to the first one. */
      other: fc.constantFrom('same_period', 'same_period', 'another_period', 'one_key'),
      /** A payment that is held as the sale begins, and assigned by a quorum, after it was sent back or without. */
      assigns: fc.option(fc.record({ ticket: ticketChoice, seconds: fc.constantFrom(0, 1), sentBack: fc.boolean() }), {
        freq: 2,
      }),
      end: fc.constantFrom(null, 'end' as const, 'end' as const, 'cancel' as const),
      /** Whether all that is owed is paid then, and what was held sent back. */
      settles: fc.constantFrom(true, true, true, false),
      sendsBack: fc.boolean(),
      /** Whether the period ends there. */
      endsPeriod: fc.constantFrom(false, false, true),
      after: fc.array(custodyStep, { minLength: 1, maxLength: 6 }),
    }),
  },
);
export type DrawnCustody = NonNullable<typeof drawnCustody extends fc.Arbitrary<infer T> ? T : never>;

export const custodyOf = ({ weights, fromLedger }: DrawnCustody): Custody => ({
  quorum: weights.quorum,
  platform: { account: PLATFORM, weight: weights.platform },
  witnesses: WITNESSES.map((account, index) => ({ account, weight: 1, name: `W${index}`, operator: 'Somebody' })),
  ledgers_to_live: 20,
  from_ledger: fromLedger,
  refund_min_xrp: formatDrops(REFUND_MIN_DROPS),
});

/** The fields of a transaction that say who has signed it. */
export function signedBy(form: Signing): Record<string, unknown> {
  const [first, second, third] = WITNESSES;
  switch (form) {
    case 'one_key':
      return { SigningPubKey: 'ED00', TxnSignature: '00' };
    case 'by_a_delegate':
      return { ...signers([PLATFORM, first, second]), Delegate: STRANGER };
    default:
      return signers(
        {
          quorum: [PLATFORM, first, third],
          all: [third, PLATFORM, first, second],
          too_few: [PLATFORM, second],
          without_platform: [first, second, third],
          with_a_stranger: [PLATFORM, first, second, STRANGER],
          twice: [PLATFORM, first, first],
        }[form],
      );
  }
}

const signers = (accounts: readonly string[]) => ({
  SigningPubKey: '',
  Signers: accounts.map((Account) => ({ Signer: { Account, SigningPubKey: 'ED01', TxnSignature: '01' } })),
});
