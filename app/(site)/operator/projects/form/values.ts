import { formatDrops } from '@tranche/rules/amounts.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { plainAmount } from '../../../_ui/format.ts';

export interface TierValues {
  price_per_token: string;
  total_tokens: string;
  starts_at: string;
  access: 'open' | 'allowlist';
  /** Its type as text, or `0x` and hexadecimal digits; empty for none. */
  credential_type: string;
  /** Addresses, separated by spaces. */
  credential_issuers: string;
}

export interface LockValues {
  label: string;
  receiver: string;
  amount: string;
  until: string;
  /** Hashes, separated by spaces. */
  escrows: string;
}

/** What a project tells of itself in lists, and what each entry says. */
export const ABOUT_COLUMNS = {
  links: ['label', 'url'],
  team: ['name', 'role', 'url'],
  documents: ['title', 'url', 'sha256'],
} as const;
export type AboutList = keyof typeof ABOUT_COLUMNS;
type Entries = Record<AboutList, Record<string, string>[]>;

/** What the fields of the form hold, as texts. */
export interface ProjectValues extends Entries {
  name: string;
  slug: string;
  description: string;
  website: string;
  logo: string;
  token_kind: 'iou' | 'mpt';
  currency: string;
  issuer: string;
  issuance_id: string;
  decimals: string;
  deposit_address: string;
  distributor: string;
  treasury: string;
  tiers: TierValues[];
  starts_at: string;
  ends_at: string;
  min_investment_xrp: string;
  max_per_wallet_xrp: string;
  soft_cap_xrp: string;
  access: 'open' | 'allowlist';
  distribution: 'immediate' | 'at_end';
  immediate_percent: string;
  cliff_days: string;
  period_days: string;
  periods: string;
  claim_days: string;
  locks: LockValues[];
  unsold_until: string;
  vesting_locked: 'yes' | 'no';
}

const NO_TIER: TierValues = {
  price_per_token: '',
  total_tokens: '',
  starts_at: '',
  access: 'open',
  credential_type: '',
  credential_issuers: '',
};

/** A form for a new project. */
export const BLANK: ProjectValues = {
  name: '',
  slug: '',
  description: '',
  website: '',
  logo: '',
  links: [],
  team: [],
  documents: [],
  token_kind: 'iou',
  currency: '',
  issuer: '',
  issuance_id: '',
  decimals: '6',
  deposit_address: '',
  distributor: '',
  treasury: '',
  tiers: [NO_TIER],
  starts_at: '',
  ends_at: '',
  min_investment_xrp: '',
  max_per_wallet_xrp: '',
  soft_cap_xrp: '',
  access: 'open',
  distribution: 'immediate',
  immediate_percent: '100',
  cliff_days: '0',
  period_days: '0',
  periods: '0',
  claim_days: '90',
  locks: [],
  unsold_until: '',
  vesting_locked: 'no',
};

/** A time as an input of the type `datetime-local` takes it, in UTC. */
const timeText = (iso: string | null): string => iso?.slice(0, 'yyyy-mm-ddThh:mm:ss'.length) ?? '';
/** Without the zeros at the end that the wire asks for. */
const plain = (amount: string | null): string => (amount === null ? '' : plainAmount(amount));
/** Drops as the XRP that a field holds; nothing for 0. */
export const xrpText = (drops: number): string => (drops === 0 ? '' : plain(formatDrops(BigInt(drops))));
const BPS_DIGITS = 2;

/** The type of a credential as the field holds it; a text that begins as hexadecimal digits do is given in them. */
function credentialText(credential: ProjectResource['tiers'][number]['credential']): string {
  if (credential === null) return '';
  const { type, credential_type: hex } = credential;
  return type === null || type.startsWith('0x') ? `0x${hex}` : type;
}

/** Hundredths of a percent as percent: `1250` is `12.5`. */
const percentText = (bps: number): string => {
  const digits = String(bps).padStart(BPS_DIGITS + 1, '0');
  return plain(`${digits.slice(0, -BPS_DIGITS)}.${digits.slice(-BPS_DIGITS)}`);
};

/** The form for a project that is there. */
export function valuesOf(project: ProjectResource): ProjectValues {
  const { token, vesting } = project;
  return {
    name: project.name,
    slug: project.slug,
    description: project.description,
    website: project.website ?? '',
    logo: project.logo ?? '',
    links: project.links,
    team: project.team.map((member) => ({ ...member, url: member.url ?? '' })),
    documents: project.documents.map((document) => ({ ...document, sha256: document.sha256 ?? '' })),
    token_kind: token.kind,
    currency: token.kind === 'iou' ? token.currency : '',
    issuer: token.kind === 'iou' ? token.issuer : '',
    issuance_id: token.kind === 'mpt' ? token.issuance_id : '',
    decimals: String(token.decimals),
    deposit_address: project.deposit_address,
    distributor: project.distributor,
    treasury: project.treasury ?? '',
    tiers: project.tiers.map((tier) => ({
      price_per_token: plain(tier.price_per_token),
      total_tokens: plain(tier.total_tokens),
      starts_at: timeText(tier.starts_at),
      access: tier.access,
      credential_type: credentialText(tier.credential),
      credential_issuers: tier.credential?.issuers.join(' ') ?? '',
    })),
    starts_at: timeText(project.starts_at),
    ends_at: timeText(project.ends_at),
    min_investment_xrp: plain(project.min_investment_xrp),
    max_per_wallet_xrp: plain(project.max_per_wallet_xrp),
    soft_cap_xrp: plain(project.soft_cap_xrp),
    access: project.access,
    distribution: project.distribution,
    immediate_percent: percentText(vesting.immediate_bps),
    cliff_days: String(vesting.cliff_days),
    period_days: String(vesting.period_days),
    periods: String(vesting.periods),
    claim_days: String(project.claim_days),
    locks: project.locks.map((lock) => ({
      label: lock.label,
      receiver: lock.receiver,
      amount: plain(lock.amount),
      until: timeText(lock.until),
      escrows: lock.escrows.map(({ transaction_hash: hash }) => hash).join(' '),
    })),
    unsold_until: timeText(project.unsold_until),
    vesting_locked: project.vesting_locked ? 'yes' : 'no',
  };
}
