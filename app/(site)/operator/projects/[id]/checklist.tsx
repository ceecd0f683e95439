import Link from 'next/link';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { issuerOfIssuance } from '#lib/xrpl/token.ts';
import { Card } from '../../../_ui/card.tsx';
import { plainAmount } from '../../../_ui/format.ts';
import { Icon } from '../../../_ui/icon.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { supplyOf } from '../../../sales/[slug]/wallet-setup.tsx';
import { operatorCtx } from '../../session.ts';
import { placeOf, valuesOf } from '../../tokens/plan.ts';

/** What still stands between the draft and its launch, as the ledger shows it now. */
export async function Checklist({ project }: { project: ProjectResource }) {
  const checklist = await read(project.id);
  const { faults, warnings } = checklist ?? { faults: null, warnings: [] };
  return (
    <Card
      title="Launch checklist"
      aside={
        <Link className="link text-sm" prefetch={false} href={setupPlace(project)}>
          Set up the token step by step
        </Link>
      }
    >
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

async function read(projectId: string) {
  try {
    return await readLaunchChecklist(await operatorCtx(), projectId);
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'ledger_unavailable') return null;
    throw err;
  }
}

/** The steps for the draft's own token. */
function setupPlace(project: ProjectResource): string {
  const { id, token, distributor } = project;
  const { values } = valuesOf({
    kind: token.kind,
    issuer: token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuance_id),
    currency: token.kind === 'iou' ? token.currency : '',
    issuance_id: token.kind === 'mpt' ? token.issuance_id : '',
    decimals: String(token.decimals),
    distributor,
    supply: plainAmount(supplyOf(project)),
    project: id,
  });
  return placeOf(values);
}
