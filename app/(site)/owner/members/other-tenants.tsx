import Link from 'next/link';
import type { Me } from '#lib/accounts/members/contracts.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Address } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';

/** Where else the wallet is a member or invited; nothing for a wallet that is neither. */
export function OtherTenants({ me }: { me: Me }) {
  const others = me.memberships.filter(({ tenant }) => tenant.id !== me.tenant.id);
  if (others.length + me.invitations.length === 0) return null;
  return (
    <Card title="Your wallet elsewhere" lead="To act for another tenant, prove your wallet again.">
      <ul className="divide-y divide-line text-sm">
        {me.invitations.map(({ id, tenant, role, expires_at }) => (
          <li key={id} className="space-y-2 py-3">
            <Named tenant={tenant} role={role} />
            <p className="text-xs text-soft">
              Invited, until <Time at={expires_at} />
            </p>
            <Link className="link" prefetch={false} href={`/owner/login?invitation=${id}`}>
              Accept the invitation
            </Link>
          </li>
        ))}
        {others.map(({ tenant, role }) => (
          <li key={tenant.id} className="space-y-2 py-3">
            <Named tenant={tenant} role={role} />
            <Link className="link" prefetch={false} href={`/owner/login?tenant=${tenant.id}`}>
              Act for this tenant
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const Named = ({ tenant, role }: { tenant: Me['tenant']; role: string }) => (
  <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
    <span>
      Tenant of <Address address={tenant.wallet_address} />
    </span>
    <Badge>{role}</Badge>
  </p>
);
