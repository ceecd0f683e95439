import type { MemberRole } from '#lib/base/contract.ts';

/** Where something is not offered: which role it asks for. */
export const RoleNote = ({ needs, own, what }: { needs: MemberRole; own: MemberRole; what: string }) => (
  <p className="text-sm text-soft">
    Only {needs === 'editor' ? 'editors and owners' : 'owners'} {what}. Your role is {own}: ask an owner of the tenant.
  </p>
);
