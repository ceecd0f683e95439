import type { Metadata } from 'next';
import Link from 'next/link';
import { env } from '#lib/base/env.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { ownTenant } from '#lib/sales/projects/owned-project.ts';
import { buttonClass } from '../_ui/button.tsx';
import { Empty } from '../_ui/empty.tsx';
import { Notice } from '../_ui/notice.tsx';
import { PageHead } from '../_ui/page-head.tsx';
import { MoreLink } from '../operator/more-link.tsx';
import { ProjectTable } from '../operator/projects/project-table.tsx';
import { mayDo } from './act.ts';
import { RoleNote } from './role-note.tsx';
import { ownerCtx } from './session.ts';

export const metadata: Metadata = { title: 'My sales', robots: { index: false } };

const PAGE = 50;

/** The sales of the tenant, drafts included. */
export default async function OwnSalesPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const ctx = await ownerCtx();
  const { cursor } = await searchParams;
  const page = await listProjects(ctx, { cursor, limit: PAGE, withDrafts: true, tenantId: ownTenant(ctx) });
  const hasAccounts = env().OWNER_DEPOSIT_ACCOUNTS.length > 0;
  const mayDraft = mayDo(ctx, 'editor');
  const newDraft = (
    <Link href="/owner/sales/new" prefetch={false} className={buttonClass('primary')}>
      New draft
    </Link>
  );
  return (
    <>
      <PageHead
        title="My sales"
        lead="Draft a sale, check it, then ask for its launch: an operator of the platform approves it."
        aside={mayDraft && hasAccounts && page.projects.length > 0 ? newDraft : null}
      />
      {!hasAccounts && (
        <div className="mb-6">
          <Notice tone="warn" title="No deposit account is set up for owners">
            A sale needs one that the platform signs for. Ask the operators of this platform.
          </Notice>
        </div>
      )}
      {page.projects.length === 0 ? (
        <Empty title="No sale yet">
          {mayDraft ? (
            <>
              <p>
                A draft holds the token, the tiers and the accounts. Nobody finds it on this site until it is launched,
                and everything in it may still change.
              </p>
              {hasAccounts && <p className="mt-4">{newDraft}</p>}
            </>
          ) : (
            <RoleNote needs="editor" own={ctx.actor.role} what="draft sales" />
          )}
        </Empty>
      ) : (
        <ProjectTable projects={page.projects} nowMs={ctx.clock.nowMs()} path="/owner/sales" />
      )}
      <MoreLink path="/owner" given={{}} cursor={page.next_cursor} label="Older" />
    </>
  );
}
