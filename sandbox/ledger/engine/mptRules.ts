import { has, MPT } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import { checkMembership } from './domains.ts';

/** Whether the whole token, or this holder's part of it, is locked. */
export function isMptLocked(view: ReadView, id: string, address: string): boolean {
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (issuance && has(issuance.Flags, MPT.locked)) return true;
  const token = read(view, 'MPToken', mptokenIndex(id, address));
  return token !== undefined && has(token.Flags, MPT.locked);
}

/** Whether an account that is not the issuer may hold the token, as far as it is known: it need not hold any yet. */
export function requireWeakMptAuth(view: ReadView, id: string, address: string): ResultName {
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (issuance.Issuer === address || !has(issuance.Flags, MPT.requireAuth)) return 'tesSUCCESS';
  const token = read(view, 'MPToken', mptokenIndex(id, address));
  if (issuance.DomainID !== undefined) {
    // Members of the token's domain need no leave of their own.
    const member = checkMembership(view, issuance.DomainID, address);
    if (isSuccess(member) || !token) return member;
  }
  return token && has(token.Flags, MPT.authorized) ? 'tesSUCCESS' : 'tecNO_AUTH';
}

/** Whether an account holds the token, and may: the issuer always, others with an MPToken and, with RequireAuth, its leave. */
export function requireMptAuth(view: ReadView, id: string, address: string): ResultName {
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (issuance && issuance.Issuer !== address && !view.get(mptokenIndex(id, address))) return 'tecNO_AUTH';
  return requireWeakMptAuth(view, id, address);
}

/** Whether the token may pass between two accounts: always to and from its issuer, else only with CanTransfer. */
export function canTransferMpt(view: ReadView, id: string, from: string, to: string): ResultName {
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (from === issuance.Issuer || to === issuance.Issuer) return 'tesSUCCESS';
  return has(issuance.Flags, MPT.canTransfer) ? 'tesSUCCESS' : 'tecNO_AUTH';
}
