import type { SessionResource } from '#lib/accounts/members/contracts.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../../operator/action-form.tsx';
import { end } from './actions.ts';

/** Where the member is signed in, so that a session of theirs that is not theirs any more can be ended. */
export function OwnSessions({ sessions }: { sessions: readonly SessionResource[] }) {
  return (
    <Card title="Your sessions" lead="Here and elsewhere, by a browser or a program. End what you do not know.">
      <ul className="divide-y divide-line text-sm">
        {sessions.map(({ id, created_at, expires_at, current }) => (
          <li key={id} className="space-y-3 py-3">
            <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span>
                Since <Time at={created_at} />
              </span>
              {current && <Badge>this one</Badge>}
            </p>
            <p className="text-xs text-soft">
              Until <Time at={expires_at} />
            </p>
            {!current && (
              <ActionForm
                action={end}
                label="End this session"
                hidden={{ session_id: id }}
                preview={<p>Whoever has it is signed out at once.</p>}
                asksReason={false}
                mayAct
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
