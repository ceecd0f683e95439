import { typedNumber } from '#lib/base/typed-number.ts';
import { numberOf, textOf } from '../../act.ts';
import { timeOf } from '../../time-of.ts';
import { ABOUT_COLUMNS, type AboutList } from './values.ts';

const OPTIONAL = new Set(['team_url', 'documents_sha256']);

/** A whole number as one; anything else stays text, for the contract to refuse at its field. */
const wholeOf = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/** `12.5` percent as `1250` hundredths of a percent; anything else stays text. */
function bpsOf(text: string): number | string {
  const match = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text);
  return match === null ? text : Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

/** One of the lists, entry by entry; an optional field that is empty is none. */
function entriesOf(form: FormData, list: AboutList) {
  const columns = ABOUT_COLUMNS[list].map((name) => ({ name, texts: form.getAll(`${list}_${name}`) }));
  const textAt = ({ name, texts }: (typeof columns)[number], index: number) => {
    const text = String(texts[index] ?? '').trim();
    return [name, text === '' && OPTIONAL.has(`${list}_${name}`) ? null : text];
  };
  return columns[0]?.texts.map((_, index) => Object.fromEntries(columns.map((column) => textAt(column, index)))) ?? [];
}

/** The credential that a tier requires; `empty` when neither its type nor an issuer is given. */
function credentialOf(type: string, issuers: string, empty: null | undefined) {
  if (type === '' && issuers === '') return empty;
  const named = /^0x/i.test(type) ? { credential_type: type.slice(2) } : { type };
  return { ...named, issuers: issuers.split(/[\s,;]+/).filter((issuer) => issuer !== '') };
}

/** The public texts and lists, which may change at any time. */
function textsOf(form: FormData, empty: null | undefined) {
  const text = (name: string) => textOf(form, name);
  return {
    description: text('description'),
    website: text('website') || empty,
    logo: text('logo') || empty,
    links: entriesOf(form, 'links'),
    team: entriesOf(form, 'team'),
    documents: entriesOf(form, 'documents'),
  };
}

/** What the form holds, in the contract's names. An optional field that is empty becomes `empty`: left out, or cleared. */
function fieldsOf(form: FormData, empty: null | undefined) {
  const text = (name: string) => textOf(form, name);
  const optional = (name: string) => text(name) || empty;
  const time = (given: string) => (given === '' ? empty : timeOf(given));
  const number = (name: string) => numberOf(form, name);
  const decimals = wholeOf(number('decimals'));
  const column = (name: string, index: number) => String(form.getAll(name)[index] ?? '').trim();
  return {
    name: text('name'),
    slug: text('slug') || undefined,
    ...textsOf(form, empty),
    token:
      text('token_kind') === 'mpt'
        ? { kind: 'mpt', issuance_id: text('issuance_id'), decimals }
        : { kind: 'iou', currency: text('currency'), issuer: text('issuer'), decimals },
    distributor: text('distributor'),
    treasury: optional('treasury'),
    tiers: form.getAll('tier_price').map((_, index) => ({
      price_per_token: typedNumber(column('tier_price', index)),
      total_tokens: typedNumber(column('tier_tokens', index)),
      starts_at: time(column('tier_starts_at', index)),
      access: column('tier_access', index),
      credential: credentialOf(column('tier_credential', index), column('tier_issuers', index), empty),
    })),
    starts_at: time(text('starts_at')),
    ends_at: time(text('ends_at')),
    // The form begins with the default: an operator who empties the field wants none.
    min_investment_xrp: number('min_investment_xrp') || null,
    max_per_wallet_xrp: number('max_per_wallet_xrp') || empty,
    soft_cap_xrp: number('soft_cap_xrp') || empty,
    access: text('access'),
    distribution: text('distribution'),
    vesting: {
      immediate_bps: bpsOf(number('immediate_percent')),
      cliff_days: wholeOf(number('cliff_days')),
      period_days: wholeOf(number('period_days')),
      periods: wholeOf(number('periods')),
    },
    claim_days: wholeOf(number('claim_days')),
    locks: form.getAll('lock_label').map((_, index) => ({
      label: column('lock_label', index),
      receiver: column('lock_receiver', index),
      amount: typedNumber(column('lock_amount', index)),
      until: timeOf(column('lock_until', index)),
      escrows: column('lock_escrows', index)
        .split(/[\s,]+/)
        .filter((hash) => hash !== ''),
    })),
    unsold_until: time(text('unsold_until')),
    vesting_locked: text('vesting_locked') === 'yes',
  };
}

/** The body of `POST /api/admin/projects`: empty fields are left out, but for the smallest purchase, which is then none. */
export const draftOf = (form: FormData): Record<string, unknown> => ({
  ...fieldsOf(form, undefined),
  deposit_address: textOf(form, 'deposit_address'),
});

/** The body of `PATCH /api/admin/projects/{id}` for a draft: empty fields are cleared. */
export const patchOf = (form: FormData): Record<string, unknown> => ({
  ...fieldsOf(form, null),
  reason: textOf(form, 'reason'),
});

/** The same for a project whose terms are fixed. */
export const textsPatchOf = (form: FormData): Record<string, unknown> => ({
  ...textsOf(form, null),
  reason: textOf(form, 'reason'),
});
