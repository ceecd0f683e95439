import type { Me, MemberResource } from '#lib/accounts/members/contracts.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Address } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../../operator/action-form.tsx';
import { changeRole, leave, remove } from './actions.ts';
import { RoleSelect } from './roles.tsx';

/** The members, each with what an owner may do about it. The wallet that the tenant is of always stays an owner. */
export function MemberList({
  me,
  members,
  mayManage,
}: {
  me: Me;
  members: readonly MemberResource[];
  mayManage: boolean;
}) {
  return (
    <Card title="Members">
      <ul className="divide-y divide-line text-sm">
        {members.map((member) => {
          const isFounder = member.wallet_address === me.tenant.wallet_address;
          const isSelf = member.id === me.member.id;
          return (
            <li key={member.id} className="space-y-3 py-3">
              <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <Address address={member.wallet_address} />
                <span className="flex gap-2">
                  {isSelf && <Badge>you</Badge>}
                  <Badge tone="accent">{member.role}</Badge>
                </span>
              </p>
              <p className="text-xs text-soft">
                {isFounder ? (
                  'The tenant is that of this wallet: it stays an owner.'
                ) : (
                  <>
                    Member since <Time at={member.created_at} />
                  </>
                )}
              </p>
              {!isFounder && (mayManage || isSelf) && (
                <div className="flex flex-wrap items-start gap-3">
                  {mayManage && (
                    <ActionForm
                      action={changeRole}
                      label="Change the role"
                      hidden={{ member_id: member.id }}
                      preview={<p>It holds from the next request of this member on.</p>}
                      fields={<RoleSelect given={member.role} />}
                      asksReason={false}
                      mayAct
                    />
                  )}
                  <ActionForm
                    action={isSelf ? leave : remove}
                    label={isSelf ? 'Leave the tenant' : 'Remove'}
                    look="danger"
                    hidden={{ member_id: member.id }}
                    preview={<p>The membership ends at once, with all of its sessions.</p>}
                    asksReason={false}
                    mayAct
                  />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
