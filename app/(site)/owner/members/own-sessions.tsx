import type { SessionResource } from '#lib/accounts/members/contracts.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../../operator/action-form.tsx';
import { end } from './actions.ts';

/** The member's own sessions; each but the current one can be ended, for example when a device is lost. */
export function OwnSessions({ sessions }: { sessions: readonly SessionResource[] }) {
  return (
    <Card
      title="Your sessions"
      lead="Each browser or program that is signed in for you. End a session that you do not recognise."
    >
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
                preview={<p>That browser or program is signed out at once.</p>}
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
