import type { Tx } from '#lib/base/db.ts';
import { APPROVABLE_ACTIONS, env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Actor } from '#lib/ctx.ts';

/** Another person's decision, which an action carries out. */
export interface Approval<Done> {
  id: string;
  /**
   * Closes the request in the transaction of what it asked for. Throws `conflict` when `done` is not exactly that, or when the
   * request is not open any more.
   */
  close(tx: Tx, done: Done): Promise<void>;
}

const isApprovable = (action: string): boolean => APPROVABLE_ACTIONS.some((each) => each === action);

/** Whether `actor` may do the action without another person: the platform's own programs, who are nobody's credential, may. */
export const mayActAlone = (actor: Actor, action: string): boolean =>
  !isApprovable(action) ||
  actor.kind === 'system' ||
  (actor.kind === 'administrator' && !env().TWO_PERSON_ACTIONS.some((each) => each === action));

/**
 * Throws `approval_required` when `actor` has to ask for the action: an administrator by the setting, anybody else always.
 */
export function assertMayActAlone(actor: Actor, action: string): void {
  if (mayActAlone(actor, action)) return;
  throw new PlatformError(
    'approval_required',
    `A ${action} needs the approval of another operator. Ask for it: POST /api/admin/approvals with \`action\` "${action}", or by the console.`,
  );
}
