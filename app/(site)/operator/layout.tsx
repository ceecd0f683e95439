import type { ReactNode } from 'react';
import { Badge } from '../_ui/badge.tsx';
import { Button } from '../_ui/button.tsx';
import { Announcements } from './announcements.tsx';
import { signOut } from './login/actions.ts';
import { OperatorNav } from './operator-nav.tsx';
import { currentAdministrator } from './session.ts';

/** The frame of the console. It shows who works; the pages check for themselves. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const administrator = await currentAdministrator();
  if (administrator === null) return children;
  return (
    <Announcements>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4 border-b border-line pb-4">
        <OperatorNav />
        <form action={signOut} className="flex items-center gap-3 text-sm">
          <span>
            {administrator.name} <Badge>{administrator.role === 'operator' ? 'operator' : 'read only'}</Badge>
          </span>
          <Button type="submit" look="quiet">
            Sign out
          </Button>
        </form>
      </div>
      {children}
    </Announcements>
  );
}
