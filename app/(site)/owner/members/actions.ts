'use server';

import { redirect } from 'next/navigation';
import {
  changeMemberContract,
  endSessionContract,
  inviteMemberContract,
  leaveTenantContract,
  removeMemberContract,
  withdrawInvitationContract,
} from '#lib/accounts/members/contracts.ts';
import {
  changeMember,
  inviteMember,
  leaveTenant,
  removeMember,
  withdrawInvitation,
} from '#lib/accounts/members/members.ts';
import { endSession } from '#lib/accounts/members/sessions.ts';
import { actAt, type Outcome, textOf } from '../../operator/act.ts';
import { OWNERS } from '../act.ts';

export async function invite(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    inviteMemberContract,
    { body: { wallet_address: textOf(form, 'wallet_address'), role: textOf(form, 'role') } },
    (ctx, { body }) => inviteMember(ctx, body),
    'The wallet is invited. Its holder accepts by signing in: pass on the link beside the invitation.',
  );
}

export async function withdraw(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    withdrawInvitationContract,
    { params: { invitation_id: textOf(form, 'invitation_id') } },
    (ctx, { params }) => withdrawInvitation(ctx, params.invitation_id),
    'The invitation is withdrawn.',
  );
}

export async function changeRole(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    changeMemberContract,
    { params: { member_id: textOf(form, 'member_id') }, body: { role: textOf(form, 'role') } },
    (ctx, { params, body }) => changeMember(ctx, { memberId: params.member_id, role: body.role }),
    'The role is changed. It holds from the next request of this member on.',
  );
}

export async function remove(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    removeMemberContract,
    { params: { member_id: textOf(form, 'member_id') } },
    (ctx, { params }) => removeMember(ctx, params.member_id),
    'The membership has ended, with all of its sessions.',
  );
}

/** Ends another session of who is signed in. */
export async function end(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    endSessionContract,
    { params: { session_id: textOf(form, 'session_id') } },
    (ctx, { params }) => endSession(ctx, params.session_id),
    'The session has ended.',
  );
}

/** Ends the membership of who is signed in, and with it the session. */
export async function leave(): Promise<Outcome> {
  const outcome = await actAt(OWNERS, leaveTenantContract, {}, (ctx) => leaveTenant(ctx), 'You have left the tenant.');
  if (outcome.status === 'done') redirect('/owner/login');
  return outcome;
}
