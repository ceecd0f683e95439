import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract, MEMBER_ROLES } from '#lib/base/contract.ts';
import { idPattern } from '#lib/base/ids.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { proof } from '../api-keys/proof.ts';

export const INVITED_FOR_DAYS = 7;
/** Of the invitations of a wallet, which any tenant may send. */
export const MOST_INVITATIONS_SHOWN = 50;
/** A working day. Nothing renews it: who works on signs in again. */
export const SESSION_HOURS = 8;

export const memberRole = z.enum(MEMBER_ROLES).meta({
  description:
    '`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members',
  example: 'editor',
});
const wallet = z.string().meta({ description: 'Classic address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
const idOf = (prefix: 'mem' | 'ses' | 'invite' | 'ten', what: string) =>
  z.string().meta({ description: `Identifier of the ${what}`, example: `${prefix}_4qUZk0r2bJ8sVd1mX7nTqL` });
const givenId = (prefix: 'mem' | 'ses' | 'invite' | 'ten', what: string) =>
  z
    .string()
    .regex(idPattern(prefix), `must be the id of a ${what} (${prefix}_…)`)
    .meta({ description: `Identifier of the ${what}`, example: `${prefix}_4qUZk0r2bJ8sVd1mX7nTqL` });

const member = z
  .object({ id: idOf('mem', 'member'), wallet_address: wallet, role: memberRole, created_at: isoTime })
  .meta({ id: 'Member' });
export type MemberResource = z.output<typeof member>;

const invitation = z
  .object({
    id: idOf('invite', 'invitation'),
    wallet_address: wallet,
    role: memberRole,
    invited_by: wallet,
    created_at: isoTime,
    expires_at: isoTime,
  })
  .meta({ id: 'Invitation' });
export type InvitationResource = z.output<typeof invitation>;

const tenant = z.object({
  id: idOf('ten', 'tenant'),
  wallet_address: wallet.meta({ description: 'The wallet that the tenant is of; it always stays an owner' }),
});
const session = z.object({
  id: idOf('ses', 'session'),
  created_at: isoTime,
  expires_at: isoTime,
  current: z.boolean().meta({ description: 'The session that asks' }),
});
export type SessionResource = z.output<typeof session>;

const members = { tag: 'owners', rateLimit: 'write' } as const;

export const signInBody = z
  .strictObject({
    proof,
    tenant_id: givenId('ten', 'tenant').optional().meta({
      description: 'A tenant that the wallet is a member of; left out, the wallet’s own, made with its first sign-in',
    }),
    invitation_id: givenId('invite', 'invitation').optional().meta({
      description: 'An invitation of the wallet: signing in with it accepts it, and signs in to its tenant',
    }),
  })
  .refine((body) => body.tenant_id === undefined || body.invitation_id === undefined, {
    path: ['tenant_id'],
    error: 'must be left out where `invitation_id` is given: it names the tenant',
  });

export const signInContract = defineContract({
  ...members,
  id: 'signIn',
  method: 'POST',
  path: '/api/owner/sessions',
  summary: `Sign in as a member by a wallet proof for the action \`sign_in\`, for ${SESSION_HOURS} hours. The token is shown once, in this answer.`,
  access: [{ kind: 'public' }],
  rateLimit: 'sign_in',
  body: signInBody,
  responses: {
    201: z.lazy(() =>
      z.object({
        session_token: z.string().meta({
          description: 'Send it as `Authorization: Bearer` to the operations under /api/owner; it opens nothing else',
        }),
        session_id: idOf('ses', 'session'),
        expires_at: isoTime,
        tenant,
        member,
      }),
    ),
  },
  errors: ['invalid_proof', 'ledger_unavailable', 'service_unavailable', 'not_found'],
});
export type SignedIn = z.output<(typeof signInContract)['responses'][201]>;

export const getMeContract = defineContract({
  ...members,
  id: 'getMe',
  method: 'GET',
  path: '/api/owner/me',
  summary: 'Get who is signed in, the wallet’s memberships and its open invitations',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      z.object({
        tenant,
        member,
        session,
        memberships: z.array(z.object({ tenant, role: memberRole })).meta({
          description: 'All of the wallet, this one among them; sign in with its `tenant.id` to act for another',
        }),
        deposit_accounts: z.array(wallet).meta({
          description: 'Deposit accounts on which owners may draft sales; where there are none, no owner can',
        }),
        invitations: z
          .array(z.object({ id: idOf('invite', 'invitation'), tenant, role: memberRole, expires_at: isoTime }))
          .meta({
            description: `Open ones of the wallet, the newest ${MOST_INVITATIONS_SHOWN} first; sign in with \`invitation_id\` to accept one`,
          }),
      }),
    ),
  },
});
export type Me = z.output<(typeof getMeContract)['responses'][200]>;

export const leaveTenantContract = defineContract({
  ...members,
  id: 'leaveTenant',
  method: 'DELETE',
  path: '/api/owner/me',
  summary: 'End your own membership, and at once every session of it',
  access: [{ kind: 'member', role: 'viewer' }],
  responses: { 204: z.undefined() },
  errors: ['conflict'],
});

export const listSessionsContract = defineContract({
  ...members,
  id: 'listSessions',
  method: 'GET',
  path: '/api/owner/sessions',
  summary: 'List your own sessions that last, newest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject({}),
  responses: { 200: z.lazy(() => z.object({ sessions: z.array(session) })) },
});

export const endSessionContract = defineContract({
  ...members,
  id: 'endSession',
  method: 'DELETE',
  path: '/api/owner/sessions/{session_id}',
  summary: 'End one of your own sessions at once; the one that asks signs out',
  access: [{ kind: 'member', role: 'viewer' }],
  params: z.strictObject({ session_id: givenId('ses', 'session') }),
  responses: { 204: z.undefined() },
  errors: ['not_found'],
});

export const listMembersContract = defineContract({
  ...members,
  id: 'listMembers',
  method: 'GET',
  path: '/api/owner/members',
  summary: 'List the members of the tenant, oldest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject({}),
  responses: { 200: z.lazy(() => z.object({ members: z.array(member) })) },
});

const ofMember = z.strictObject({ member_id: givenId('mem', 'member') });

export const changeMemberContract = defineContract({
  ...members,
  id: 'changeMember',
  method: 'PATCH',
  path: '/api/owner/members/{member_id}',
  summary: 'Change the role of a member; it holds from their next request on',
  access: [{ kind: 'member', role: 'owner' }],
  params: ofMember,
  body: z.strictObject({ role: memberRole }),
  responses: { 200: z.lazy(() => member) },
  errors: ['not_found', 'conflict'],
});

export const removeMemberContract = defineContract({
  ...members,
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/owner/members/{member_id}',
  summary: 'End a membership, and at once every session of it',
  access: [{ kind: 'member', role: 'owner' }],
  params: ofMember,
  responses: { 204: z.undefined() },
  errors: ['not_found', 'conflict'],
});

export const listInvitationsContract = defineContract({
  ...members,
  id: 'listInvitations',
  method: 'GET',
  path: '/api/owner/invitations',
  summary: 'List the open invitations of the tenant, oldest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject({}),
  responses: { 200: z.lazy(() => z.object({ invitations: z.array(invitation) })) },
});

export const inviteMemberContract = defineContract({
  ...members,
  id: 'inviteMember',
  method: 'POST',
  path: '/api/owner/invitations',
  summary: `Invite a wallet, for ${INVITED_FOR_DAYS} days. Inviting it again replaces the invitation.`,
  access: [{ kind: 'member', role: 'owner' }],
  idempotent: true,
  body: z.strictObject({ wallet_address: accountAddress, role: memberRole }),
  responses: { 201: z.lazy(() => invitation) },
  errors: ['conflict', 'limit_reached'],
});

export const withdrawInvitationContract = defineContract({
  ...members,
  id: 'withdrawInvitation',
  method: 'DELETE',
  path: '/api/owner/invitations/{invitation_id}',
  summary: 'Withdraw an invitation',
  access: [{ kind: 'member', role: 'owner' }],
  params: z.strictObject({ invitation_id: givenId('invite', 'invitation') }),
  responses: { 204: z.undefined() },
  errors: ['not_found'],
});
