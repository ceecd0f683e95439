import { has, LINE, LSF } from '../entries.ts';
import type { ResultName } from '../results.ts';
import type { ReadView } from '../state.ts';
import { findLine, sideOf } from './lines.ts';
import { account } from './view.ts';

/** Whether the issuer froze its currency, or this holder's line. */
export function isLineFrozen(view: ReadView, issuer: string, currency: string, holder: string): boolean {
  if (has(account(view, issuer)?.Flags ?? 0, LSF.globalFreeze)) return true;
  const line = holder === issuer ? undefined : findLine(view, holder, issuer, currency);
  return line !== undefined && has(line.Flags, LINE[sideOf(line, issuer)].freeze);
}

/** Whether either side froze the line so that nothing may come in over it either. */
export function isLineDeepFrozen(view: ReadView, issuer: string, currency: string, holder: string): boolean {
  const line = holder === issuer ? undefined : findLine(view, holder, issuer, currency);
  return line !== undefined && has(line.Flags, LINE.low.deepFreeze | LINE.high.deepFreeze);
}

/** Whether an account may hold the currency: with RequireAuth it needs a line, and the issuer's leave on it. */
export function requireLineAuth(view: ReadView, issuer: string, currency: string, holder: string): ResultName {
  if (holder === issuer || !has(account(view, issuer)?.Flags ?? 0, LSF.requireAuth)) return 'tesSUCCESS';
  const line = findLine(view, holder, issuer, currency);
  if (!line) return 'tecNO_LINE';
  return has(line.Flags, LINE[sideOf(line, issuer)].auth) ? 'tesSUCCESS' : 'tecNO_AUTH';
}
