import { credentialTypeText } from '@tranche/rules/credentials.ts';
import { type Custody, custodySchema } from '@tranche/rules/custody.ts';
import { z } from 'zod';
import { currencyName, formatAmount, formatCount, formatCounted, formatTime } from '../../../_ui/format.ts';

const termsObject = z.record(z.string(), z.json());
type Json = z.output<typeof termsObject>[string];

/** A field of the terms: a text, or what it consists of. */
export type TermsField = { name: string } & ({ text: string } | { parts: TermsField[][] });

const days = (value: Json): string => formatCounted(Number(value), 'day');
const either =
  (texts: Record<string, string>) =>
  (value: Json): string =>
    texts[String(value)] ?? String(value);

interface Reading {
  name: string;
  text?: (value: Json) => string;
  /** What its absence means. */
  none?: string;
}

/** In the order in which people read them. */
const READINGS: Record<string, Reading> = {
  name: { name: 'Name' },
  token: { name: 'Token' },
  kind: { name: 'Kind of token', text: either({ iou: 'issued currency', mpt: 'Multi-Purpose Token (MPT)' }) },
  currency: { name: 'Currency', text: (value) => currencyName(String(value)) },
  issuance_id: { name: 'Issuance id' },
  issuer: { name: 'Issuer' },
  decimals: { name: 'Decimals' },
  tiers: { name: 'Tiers' },
  tier: { name: 'Tier' },
  price_per_token: { name: 'Price', text: (value) => `${formatAmount(String(value))} XRP a token` },
  total_tokens: { name: 'Tokens for sale', text: (value) => formatAmount(String(value)) },
  starts_at: { name: 'Start', none: 'no date' },
  ends_at: { name: 'End', none: 'when sold out' },
  access: { name: 'Open to', text: either({ open: 'every wallet', allowlist: 'the wallets of the published list' }) },
  credential: { name: 'Required credential' },
  credential_type: { name: 'Type', text: (value) => credentialTypeText(String(value)) ?? String(value) },
  issuers: { name: 'Issued by any of' },
  min_investment_xrp: { name: 'Minimum payment' },
  max_per_wallet_xrp: { name: 'Maximum per wallet' },
  soft_cap_xrp: { name: 'Soft cap' },
  refund_min_xrp: { name: 'Smallest refund' },
  distribution: {
    name: 'Delivery',
    text: either({
      immediate: 'Tokens are delivered at once',
      at_end: 'Tokens are delivered after the end of the sale',
    }),
  },
  vesting: { name: 'Vesting' },
  immediate_bps: { name: 'Due at once', text: (value) => `${formatAmount(String(Number(value) / 100))}%` },
  cliff_days: { name: 'Days before the parts', text: days },
  period_days: { name: 'Days between two parts', text: days },
  periods: { name: 'Equal parts of the rest' },
  claim_days: { name: 'Reported as unclaimed after', text: days },
  deposit_address: { name: 'Deposit address' },
  destination_tag: { name: 'Destination tag' },
  distributor: { name: 'Distributor account' },
  treasury: { name: 'Treasury account' },
  operating_accounts: { name: 'Operating accounts' },
  locks: { name: 'Locked tokens' },
  unsold_until: { name: 'Unsold tokens cannot move before' },
  vesting_locked: { name: 'What vesting owes at the end', text: () => 'in escrow until the day on which it is due' },
  label: { name: 'Whose tokens' },
  receiver: { name: 'Receiver' },
  amount: { name: 'Tokens', text: (value) => formatAmount(String(value)) },
  until: { name: 'Cannot move before' },
  escrows: { name: 'Proven by escrows' },
  transaction_hash: { name: 'Created by the transaction' },
  ledger_index: { name: 'In ledger', text: (value) => formatCount(Number(value)) },
  custody: { name: 'Custody' },
  quorum: { name: 'Weight of signatures needed' },
  platform: { name: 'The platform’s key' },
  witnesses: { name: 'Witnesses' },
  operator: { name: 'Run by' },
  account: { name: 'Key' },
  weight: { name: 'Weight' },
  ledgers_to_live: { name: 'Ledgers that a signed transaction has at most' },
  from_ledger: { name: 'In force after ledger', text: (value) => formatCount(Number(value)) },
  project: { name: 'Project id' },
  v: { name: 'Version of the terms' },
};
const ORDER = Object.keys(READINGS);
/** What no reading knows comes last. */
const rankOf = (key: string): number => (key in READINGS ? ORDER.indexOf(key) : ORDER.length);

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

const nameOf = (key: string): string => {
  const words = key.replaceAll('_', ' ').replace(/\bxrp\b/, 'XRP');
  return READINGS[key]?.name ?? words.charAt(0).toUpperCase() + words.slice(1);
};

function textOf(key: string, value: Exclude<Json, object> | null): string {
  const reading = READINGS[key];
  if (value === null) return reading?.none ?? 'none';
  if (reading?.text !== undefined) return reading.text(value);
  if (typeof value === 'string' && TIME.test(value)) return formatTime(value);
  return key.endsWith('_xrp') ? `${formatAmount(String(value))} XRP` : String(value);
}

function fieldOf(key: string, value: Json): TermsField {
  const name = nameOf(key);
  if (typeof value !== 'object' || value === null) return { name, text: textOf(key, value) };
  if (!Array.isArray(value)) {
    return key === 'vesting' && value.periods === 0
      ? { name, text: 'none: all tokens are due at once' }
      : { name, parts: [fieldsOf(value)] };
  }
  if (value.length === 0) return { name, text: 'none' };
  return {
    name,
    parts: value.map((one) =>
      typeof one === 'object' && one !== null && !Array.isArray(one) ? fieldsOf(one) : [fieldOf('', one)],
    ),
  };
}

const fieldsOf = (fields: Record<string, Json>): TermsField[] =>
  Object.entries(fields)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([key, value]) => fieldOf(key, value));

/** Every field of the terms in the words of people: nothing is left out, nothing added, nothing rounded. Pure. */
export const termsFields = (canonical: string): TermsField[] => fieldsOf(termsObject.parse(JSON.parse(canonical)));

/** Who must sign, as the terms say it; null where one key signs. Throws for terms that say it in an unknown form. Pure. */
export const custodyOfTerms = (canonical: string): Custody | null =>
  z.object({ custody: custodySchema.nullable().default(null) }).parse(JSON.parse(canonical)).custody;
