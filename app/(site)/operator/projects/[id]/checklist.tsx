import type { ReactNode } from 'react';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../../_ui/card.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import { Notice } from '../../../_ui/notice.tsx';

/** What still stands between the draft and its launch, as the ledger shows it now. */
export async function Checklist({ ctx, project, aside }: { ctx: Ctx; project: ProjectResource; aside?: ReactNode }) {
  const checklist = await read(ctx, project.id);
  const { faults, warnings } = checklist ?? { faults: null, warnings: [] };
  return (
    <Card title="Launch checklist" aside={aside}>
      {faults === null && <Notice tone="warn">The ledger did not answer. This page asks again by itself.</Notice>}
      {faults?.length === 0 && (
        <Notice tone="good">
          Everything is ready: accounts, keys, tokens, reserves and dates. The launch makes the same check again.
        </Notice>
      )}
      {faults !== null && faults.length > 0 && <Findings findings={faults} iconClass="text-bad" />}
      {warnings.length > 0 && (
        <div className="mt-4">
          <p className="mb-2 text-sm font-medium">Warnings (they do not block the launch)</p>
          <Findings findings={warnings} iconClass="text-warn" />
        </div>
      )}
    </Card>
  );
}

const Findings = ({ findings, iconClass }: { findings: readonly FieldError[]; iconClass: string }) => (
  <ul className="space-y-3 text-sm">
    {findings.map(({ field, message }) => (
      <li key={`${field}-${message}`} className="flex gap-3">
        <Icon name="warn" className={`mt-0.5 size-4 ${iconClass}`} />
        <span>
          <code className="font-mono text-xs">{field}</code> {message}
        </span>
      </li>
    ))}
  </ul>
);

async function read(ctx: Ctx, projectId: string) {
  try {
    return await readLaunchChecklist(ctx, projectId);
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'ledger_unavailable') return null;
    throw err;
  }
}
