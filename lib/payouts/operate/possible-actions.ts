import { PlatformError } from '#lib/base/errors.ts';

export const ACTIONS = ['retry', 'hold', 'release', 'settle'] as const;
export type Action = (typeof ACTIONS)[number];

interface Condition {
  status: string;
  /** True once it may be paid. */
  isDue: boolean;
}

/** What an operator may do with a payout. Nothing that may be on the ledger already can be stopped. Pure. */
export function possibleActions({ status, isDue }: Condition): Action[] {
  switch (status) {
    case 'scheduled':
    case 'waiting_holder':
    case 'ready':
      return isDue ? ['retry', 'hold'] : ['hold'];
    case 'held':
      return ['release', 'settle'];
    default:
      return [];
  }
}

/** Throws `conflict` that says what is possible instead. */
export function assertPossible(action: Action, condition: Condition): void {
  const possible = possibleActions(condition);
  if (possible.includes(action)) return;
  const notDue = action === 'retry' && possible.includes('hold') ? ' and not due yet' : '';
  const instead = possible.length === 0 ? 'nothing can be done with it' : `only ${possible.join(', ')} is possible`;
  throw new PlatformError('conflict', `The payout is ${condition.status}${notDue}: ${instead} now.`);
}
