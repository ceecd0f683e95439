import { headers } from 'next/headers';
import { clientIp } from '#lib/api/client-ip.ts';
import { requireAccess } from '#lib/api/guards.ts';
import { requireInScope } from '#lib/api/member-scope.ts';
import { takeKeyRateLimit, takeRateLimit } from '#lib/api/rate-limit.ts';
import { type Contract, MEMBER_ROLES, type MemberRole } from '#lib/base/contract.ts';
import type { Desk } from '../operator/act.ts';
import { type OwnerCtx, ownerCtx } from './session.ts';

/** The owners' console: roles, limits and the scope of a member are those of the API. */
export const OWNERS: Desk<OwnerCtx> = {
  ctx: ownerCtx,
  admit: async (ctx, contract: Contract, { params = {} }) => {
    const redis = () => ctx.redis;
    const counted = await takeRateLimit(contract, clientIp(await headers()), redis, ctx.clock.nowMs());
    requireAccess(contract.access, ctx.actor);
    await takeKeyRateLimit(contract, ctx.actor, redis, ctx.clock.nowMs(), counted);
    await requireInScope(ctx, contract, ctx.actor, params);
  },
  home: '/owner',
};

/** Whether who is signed in may do what asks for a role. */
export const mayDo = ({ actor }: OwnerCtx, role: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(actor.role) >= MEMBER_ROLES.indexOf(role);
