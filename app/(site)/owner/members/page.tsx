import type { Metadata } from 'next';
import { listInvitations, listMembers } from '#lib/accounts/members/members.ts';
import { getMe, listSessions } from '#lib/accounts/members/sessions.ts';
import { PageHead } from '../../_ui/page-head.tsx';
import { mayDo } from '../act.ts';
import { RoleNote } from '../role-note.tsx';
import { ownerCtx } from '../session.ts';
import { Invitations } from './invitations.tsx';
import { MemberList } from './member-list.tsx';
import { OtherTenants } from './other-tenants.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Roles } from './roles.tsx';

export const metadata: Metadata = { title: 'Members', robots: { index: false } };

/** Who runs the tenant's sales together, with which role, and who is invited. */
export default async function MembersPage() {
  const ctx = await ownerCtx();
  const [me, { members }, { invitations }, { sessions }] = await Promise.all([
    getMe(ctx),
    listMembers(ctx),
    listInvitations(ctx),
    listSessions(ctx),
  ]);
  const mayManage = mayDo(ctx, 'owner');
  return (
    <>
      <PageHead
        title="Members"
        lead="Wallets that run the sales of this tenant together. A changed role or an ended membership holds at once."
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <MemberList {...{ me, members, mayManage }} />
          <Invitations {...{ invitations, mayManage }} />
          {!mayManage && <RoleNote needs="owner" own={ctx.actor.role} what="invite, change and remove members" />}
        </div>
        <div className="min-w-0 space-y-6">
          <Roles />
          <OwnSessions sessions={sessions} />
          <OtherTenants me={me} />
        </div>
      </div>
    </>
  );
}
