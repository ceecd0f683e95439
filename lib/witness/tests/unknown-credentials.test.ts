import { type CredentialEntry, type CredentialsRead, credentialKey } from '@tranche/rules/credentials.ts';
import type { Purpose } from '@tranche/rules/custody.ts';
import { expect, it } from 'vitest';
import { writePurpose } from '../protocol.ts';
import { account, DEPOSIT, DISTRIBUTOR, ISSUER, Ledger, type Paid, Reader, TAG, termsOf, XRP } from './ledger.ts';

const KYC = { credential_type: '4B5943', issuers: [ISSUER] };
const TIER = { tier: 1, price_per_token: '0.10', total_tokens: '100000', access: 'open', starts_at: null };
const SALE = termsOf({ v: 2, tiers: [{ ...TIER, credential: KYC }] });
/** More in one ledger than are looked through at once. */
const IN_ONE_LEDGER = 600;
const LEDGERS = 3;

const isHolder = (sender: string): boolean => sender.charCodeAt(2) % 2 === 0;
const entryOf = (key: string): CredentialEntry | null =>
  isHolder(key.split(' ')[1] ?? '') ? { accepted: true, expiresAtMs: null } : null;
const ALL: CredentialsRead = { get: entryOf };

const senderOf = (number: number): string => account(String.fromCharCode(65 + (number % 26)) + number);

/** A launched sale, and payments of many wallets, most of them in one ledger. */
function paidTo(): { ledger: Ledger; payments: Paid[] } {
  const ledger = new Ledger([SALE]);
  ledger.launch();
  const payments: Paid[] = [];
  for (let count = 0; count < LEDGERS; count++) {
    const most = count === 1 ? IN_ONE_LEDGER : 10;
    for (let place = 0; place < most; place++)
      payments.push(ledger.pay(XRP, TAG, { sender: senderOf(payments.length) }));
    ledger.close();
  }
  return { ledger, payments };
}

const bookOf = ({ derivation }: Reader) => {
  const book = derivation.books.get(DEPOSIT);
  if (book === undefined) throw new Error('The deposit account is not read');
  return book;
};

const resultOf = (witness: Reader) => {
  const { records, state } = bookOf(witness);
  return { records: [...records], raised: [...state.projects.values()].map(({ raisedDrops }) => raisedDrops) };
};

const refusalOf = (witness: Reader, from: string, kind: 'distribution' | 'refund', payment: Paid): string | null => {
  const { ledgerIndex, transactionIndex } = payment;
  const purpose: Purpose = { kind, payment: { ledgerIndex, transactionIndex }, part: 1 };
  const sequence = witness.derivation.accounts.get(from)?.onLedger?.sequence ?? 0;
  return witness.refusal(from, { kind: 'ticket_create', purposes: [writePurpose(purpose)], sequence });
};

it.each([1, 7, 200])(
  'credentials that come %i at a time leave what they leave all at once, and nothing is signed meanwhile',
  (most) => {
    const { ledger, payments } = paidTo();
    const whole = new Reader(ledger);
    bookOf(whole).readsCredentials(ALL);
    whole.derivation.settle(whole.view);

    const witness = new Reader(ledger);
    const known = new Map<string, CredentialEntry | null>();
    const book = bookOf(witness);
    book.readsCredentials(known);
    const [first] = payments;
    let asked = 0;
    for (let wanted = book.decideOn(); wanted !== null; wanted = book.decideOn()) {
      if (wanted.kind !== 'credentials') throw new Error('No list is needed');
      if (asked % 50 === 0 && first !== undefined) {
        expect(book.isBehind).toBe(true);
        expect(refusalOf(witness, DEPOSIT, 'refund', first)).toBe('inputs_missing');
        expect(refusalOf(witness, DISTRIBUTOR, 'distribution', first)).toBe('inputs_missing');
      }
      for (const question of wanted.questions.slice(0, most)) {
        asked += 1;
        known.set(credentialKey(question), entryOf(credentialKey(question)));
      }
    }
    witness.derivation.settle(witness.view);
    expect(resultOf(witness)).toEqual(resultOf(whole));
    expect(asked).toBe(payments.length);
    for (const [number, payment] of payments.slice(0, 40).entries()) {
      const admitted = isHolder(senderOf(number));
      expect(refusalOf(witness, DISTRIBUTOR, 'distribution', payment)).toBe(admitted ? null : 'not_owed');
      expect(refusalOf(witness, DEPOSIT, 'refund', payment)).toBe(admitted ? 'not_owed' : null);
    }
  },
);
