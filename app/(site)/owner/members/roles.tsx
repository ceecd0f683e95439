import type { MemberRole } from '#lib/base/contract.ts';
import { MEMBER_ROLES } from '#lib/base/contract.ts';
import { Card } from '../../_ui/card.tsx';
import { inputClass } from '../../_ui/field.tsx';

const MAY: Record<MemberRole, string> = {
  viewer: 'Reads everything: sales, investors, payments, deliveries and the audit.',
  editor: 'Also drafts sales, changes drafts, and uploads and publishes allowlists.',
  owner:
    'Also asks for launch and release, changes the texts of a launched sale, pauses, resumes and ends it, and manages members.',
};

/** What each role may do. */
export const Roles = () => (
  <Card title="What each role may do">
    <dl className="space-y-3 text-sm">
      {MEMBER_ROLES.map((role) => (
        <div key={role}>
          <dt className="font-medium">{role}</dt>
          <dd className="text-soft">{MAY[role]}</dd>
        </div>
      ))}
    </dl>
  </Card>
);

/** The choice of a role in a form. */
export const RoleSelect = ({ given = 'editor' }: { given?: MemberRole }) => (
  <label className="flex flex-col gap-1.5 text-sm font-medium">
    Role
    <select name="role" className={inputClass} defaultValue={given}>
      {MEMBER_ROLES.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </select>
  </label>
);
