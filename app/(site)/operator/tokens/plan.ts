import { formatLedgerValue, parseDecimal } from '@tranche/rules/amounts.ts';
import { z } from 'zod';
import { decimalFault, typedNumber } from '#lib/base/typed-number.ts';
import type { TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { currencyCode, issuanceId, issuerOfIssuance } from '#lib/xrpl/token.ts';
import { ISSUANCE_FLAGS, type IssuanceFlag } from '#lib/xrpl/token-transactions.ts';

/** What the page's address says of the token, as texts of the form's fields. */
export interface PlanValues {
  kind: 'iou' | 'mpt';
  issuer: string;
  currency: string;
  issuance_id: string;
  decimals: string;
  supply: string;
  maximum: string;
  distributor: string;
  flags: readonly IssuanceFlag[];
  ticker: string;
  name: string;
  issuer_name: string;
  icon: string;
  /** The draft that the token is for. */
  project: string;
}

type SearchParams = Record<string, string | string[] | undefined>;

const FLAGS = Object.keys(ISSUANCE_FLAGS) as IssuanceFlag[];
/** What buyers expect of a token that was sold to them. */
const USUAL_FLAGS: readonly IssuanceFlag[] = ['can_transfer', 'can_trade', 'can_escrow'];

export function valuesOf(given: SearchParams): { values: PlanValues; isSent: boolean } {
  const text = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' ? value.trim().slice(0, 500) : '';
  };
  // Another kind was chosen: what is typed stays, and is not judged yet.
  const isSwitched = text('to_kind') !== '';
  const isSent = text('issuer') !== '' && !isSwitched;
  const chosen = [given.flag ?? []].flat();
  return {
    isSent,
    values: {
      kind: (text('to_kind') || text('kind')) === 'mpt' ? 'mpt' : 'iou',
      issuer: text('issuer'),
      currency: text('currency'),
      issuance_id: text('issuance_id'),
      decimals: text('decimals') || '6',
      supply: text('supply'),
      maximum: text('maximum'),
      distributor: text('distributor'),
      flags: isSent ? FLAGS.filter((flag) => chosen.includes(flag)) : USUAL_FLAGS,
      ticker: text('ticker'),
      name: text('name'),
      issuer_name: text('issuer_name'),
      icon: text('icon'),
      project: /^proj_[0-9A-Za-z]{22}$/.test(text('project')) ? text('project') : '',
    },
  };
}

/** The ledger takes so many bytes. */
const MOST_METADATA_BYTES = 1_024;
/** An issued currency has so many significant digits (docs/ledger-facts.md, 22); an MPT's amounts are 63 bits wide. */
const MOST_UNITS = { iou: 10n ** 15n, mpt: 2n ** 63n - 1n } as const;

export type ReadPlan = { plan: TokenPlan; faults: null } | { plan: null; faults: Record<string, string> };

/** The plan that the values make, or what is wrong with each of them. Pure. */
export function planOf(values: PlanValues): ReadPlan {
  const faults: Record<string, string> = {};
  function read<T>(name: keyof PlanValues, schema: z.ZodType<T>): T | null {
    const answer = schema.safeParse(values[name]);
    if (answer.success) return answer.data;
    faults[name] = answer.error.issues[0]?.message ?? 'is not valid';
    return null;
  }
  const amount = (name: 'supply' | 'maximum', decimals: number): bigint | null => {
    const units = parseDecimal(typedNumber(values[name]), decimals);
    if (units !== null && units > 0n && units <= MOST_UNITS[values.kind]) return units;
    faults[name] = decimalFault(
      values[name],
      `must be a number above 0 with at most ${decimals} digits behind the point, such as 1000000`,
    );
    return null;
  };
  const decimals = read('decimals', wholeText) ?? 0;
  const issuer = read('issuer', accountAddress);
  const distributor = read('distributor', accountAddress);
  const supplyUnits = amount('supply', decimals);
  if (issuer !== null && issuer === distributor) {
    faults.distributor = 'must be another account than the issuer, whose key stays in your wallet';
  }
  const currency = values.kind === 'iou' ? read('currency', currencyCode) : '';
  const id = values.kind === 'mpt' && values.issuance_id !== '' ? read('issuance_id', issuanceId) : null;
  if (id !== null && issuer !== null && issuerOfIssuance(id) !== issuer) {
    faults.issuance_id = 'is an issuance of another account than the issuer';
  }
  const maximum = values.kind === 'iou' ? 0n : values.maximum === '' ? supplyUnits : amount('maximum', decimals);
  if (maximum !== null && supplyUnits !== null && values.kind === 'mpt' && maximum < supplyUnits) {
    faults.maximum = 'must be at least the supply';
  }
  const metadata = values.kind === 'mpt' ? metadataOf(values, faults) : null;
  if (
    Object.keys(faults).length > 0 ||
    issuer === null ||
    distributor === null ||
    supplyUnits === null ||
    currency === null ||
    maximum === null
  ) {
    return { plan: null, faults };
  }
  const wanted = { issuer, distributor, decimals, supplyUnits };
  const plan: TokenPlan =
    values.kind === 'iou'
      ? { ...wanted, kind: 'iou', currency }
      : {
          ...wanted,
          kind: 'mpt',
          issuanceId: id,
          newIssuance: { assetScale: decimals, maximum, flags: values.flags, metadata },
        };
  return { plan, faults: null };
}

const wholeText = z
  .string()
  .regex(/^[0-6]$/, 'must be a whole number from 0 to 6')
  .transform(Number);

/** By the short names of XLS-89, which explorers and wallets read. */
function metadataOf(values: PlanValues, faults: Record<string, string>): Record<string, string> | null {
  const { ticker, name, issuer_name, icon } = values;
  if (ticker === '' && name === '' && issuer_name === '' && icon === '') return null;
  if (!/^[A-Z0-9]{1,6}$/.test(ticker)) faults.ticker = 'must be 1 to 6 capital letters or digits';
  for (const [field, text] of Object.entries({ name, issuer_name })) {
    if (text === '') faults[field] = 'is needed: metadata is whole or left out';
  }
  if (!URL.canParse(icon) || !icon.startsWith('https://')) faults.icon = 'must be an https URL: metadata names an icon';
  const metadata = { t: ticker, n: name, i: icon, ac: 'other', in: issuer_name };
  if (Buffer.byteLength(JSON.stringify(metadata)) > MOST_METADATA_BYTES) faults.name = 'is too long with the others';
  return metadata;
}

/** The same place with some values changed, as an address. */
export function placeOf(values: PlanValues, changed: Partial<PlanValues> = {}): string {
  const { flags, ...texts } = { ...values, ...changed };
  const query = new URLSearchParams(Object.entries(texts).filter(([, value]) => value !== ''));
  for (const flag of flags) query.append('flag', flag);
  return `/operator/tokens?${query}`;
}

/** Where a new project takes the token over. */
export function newProjectPlace(plan: TokenPlan): string {
  const token =
    plan.kind === 'iou'
      ? { token_kind: 'iou', currency: plan.currency, issuer: plan.issuer }
      : { token_kind: 'mpt', issuance_id: plan.issuanceId ?? '' };
  const query = new URLSearchParams({
    ...token,
    decimals: String(plan.decimals),
    distributor: plan.distributor,
    total_tokens: formatLedgerValue(plan.supplyUnits, plan.decimals),
  });
  return `/operator/projects/new?${query}`;
}
