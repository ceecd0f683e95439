import { PlatformError } from '#lib/platform/errors.ts';
import { readLaunchChecklist } from '#lib/sale/moves/read-checklist.ts';
import { Card } from '../../../_ui/card.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { operatorCtx } from '../../session.ts';

/** What still stands between the draft and its launch, as the ledger shows it now. */
export async function Checklist({ projectId }: { projectId: string }) {
  const faults = await read(projectId);
  return (
    <Card title="Before the launch">
      {faults === null && <Notice tone="warn">The ledger did not answer. Reload the page in a moment.</Notice>}
      {faults?.length === 0 && (
        <Notice tone="good">
          Everything is ready: accounts, keys, tokens, reserves and dates. The launch makes the same check again.
        </Notice>
      )}
      {faults !== null && faults.length > 0 && (
        <ul className="space-y-3 text-sm">
          {faults.map(({ field, message }) => (
            <li key={`${field}-${message}`} className="flex gap-3">
              <Icon name="warn" className="mt-0.5 size-4 text-bad" />
              <span>
                <code className="font-mono text-xs">{field}</code> {message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

async function read(projectId: string) {
  try {
    return await readLaunchChecklist(await operatorCtx(), projectId);
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'ledger_unavailable') return null;
    throw err;
  }
}
