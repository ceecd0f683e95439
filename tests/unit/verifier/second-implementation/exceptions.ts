import type { PublishedException, PublishedProject } from './publications.ts';

/** What the projects of an account have published, taken together (docs/verification.md section 8). */
export interface Exceptions {
  latePayments: Set<string>;
  lateActions: Set<string>;
  /** Payments that an operator has sent back before anybody assigned them. */
  refundedByOperators: Set<string>;
}

export function readExceptions(projects: PublishedProject[]): Exceptions {
  const all = projects.flatMap(({ exceptions }) => exceptions);
  const hashes = (kind: string, field: 'payment_hash' | 'action_hash') =>
    new Set(all.filter((each) => each.kind === kind).map((each: PublishedException) => each[field] ?? ''));
  const assigned = hashes('assign', 'payment_hash');
  return {
    latePayments: hashes('late_discovery', 'payment_hash'),
    lateActions: hashes('late_action', 'action_hash'),
    refundedByOperators: new Set([...hashes('refund', 'payment_hash')].filter((hash) => !assigned.has(hash))),
  };
}
