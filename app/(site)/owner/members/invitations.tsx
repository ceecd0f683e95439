import type { InvitationResource } from '#lib/accounts/members/contracts.ts';
import { INVITED_FOR_DAYS } from '#lib/accounts/members/contracts.ts';
import { env } from '#lib/base/env.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { Field } from '../../_ui/field.tsx';
import { Address } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../../operator/action-form.tsx';
import { invite, withdraw } from './actions.ts';
import { RoleSelect } from './roles.tsx';

/** Who is invited, and the form to invite a wallet. There is nothing secret in an invitation: only its wallet can accept it. */
export function Invitations({
  invitations,
  mayManage,
}: {
  invitations: readonly InvitationResource[];
  mayManage: boolean;
}) {
  return (
    <Card
      title="Invitations"
      lead={`Each lasts ${INVITED_FOR_DAYS} days, and only the wallet that it names can accept it.`}
    >
      {invitations.length === 0 && <p className="text-sm text-soft">Nobody is invited.</p>}
      <ul className="divide-y divide-line text-sm">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="space-y-3 py-3">
            <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <Address address={invitation.wallet_address} />
              <Badge>{invitation.role}</Badge>
            </p>
            <p className="text-xs text-soft">
              Until <Time at={invitation.expires_at} />
            </p>
            <CopyableValue
              label="Link to accept it"
              value={`${env().BASE_URL}/owner/login?invitation=${invitation.id}`}
            />
            {mayManage && (
              <ActionForm
                action={withdraw}
                label="Withdraw"
                hidden={{ invitation_id: invitation.id }}
                preview={<p>The invitation cannot be accepted any more.</p>}
                asksReason={false}
                mayAct
              />
            )}
          </li>
        ))}
      </ul>
      {mayManage && (
        <div className="mt-4">
          <ActionForm
            action={invite}
            label="Invite a wallet"
            preview={<p>Inviting a wallet again replaces its invitation.</p>}
            fields={
              <>
                <Field
                  id="invited-wallet"
                  name="wallet_address"
                  label="Wallet address"
                  placeholder="r…"
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
                <RoleSelect />
              </>
            }
            asksReason={false}
            mayAct
          />
        </div>
      )}
    </Card>
  );
}
