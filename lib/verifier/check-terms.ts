import canonicalize from 'canonicalize';
import { addDifference, type Findings } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { ProjectResource } from './published.ts';

/** Terms that the project resource shows under the same name. */
const SHOWN = [
  'name',
  'token',
  'distributor',
  'deposit_address',
  'destination_tag',
  'starts_at',
  'ends_at',
  'soft_cap_xrp',
  'min_investment_xrp',
  'max_per_wallet_xrp',
  'access',
  'distribution',
  'vesting',
  'treasury',
  'claim_days',
] as const satisfies (keyof ProjectResource)[];
const TIER = ['tier', 'price_per_token', 'total_tokens', 'access', 'starts_at'] as const;

const text = (value: unknown): string => canonicalize(value) ?? 'nothing';

/** Whether the hash is that of the text, the text is of this sale, and the project page shows what the text says. */
export function checkTerms({ project, target, account, statedHashes }: Inputs, findings: Findings): void {
  const subject = target.projectId;
  const differ = (kind: 'terms_differ' | 'terms_shown_differ', field: string, expected: unknown, found: unknown) => {
    if (text(expected) === text(found)) return;
    const [must, is] = [text(expected), text(found)];
    addDifference(findings, {
      kind,
      subject,
      field,
      expected: must,
      found: is,
      message: `${field} is ${is}, and ${must} in the terms`,
    });
  };
  differ('terms_differ', 'sha256', target.hash, statedHashes.get(subject));
  differ('terms_differ', 'project', subject, target.terms.project);
  differ('terms_differ', 'deposit_address', account.address, target.terms.deposit_address);
  const { shown } = target;
  for (const field of SHOWN) differ('terms_shown_differ', field, shown[field], project[field]);
  const tiers = Array.isArray(shown.tiers) ? (shown.tiers as Record<string, unknown>[]) : [];
  differ('terms_shown_differ', 'tiers.length', tiers.length, project.tiers.length);
  for (const [index, tier] of tiers.entries()) {
    for (const field of TIER) {
      differ('terms_shown_differ', `tiers[${index}].${field}`, tier[field], project.tiers[index]?.[field] ?? null);
    }
  }
}
