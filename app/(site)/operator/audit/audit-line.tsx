import Link from 'next/link';
import type { AuditEntry } from '#lib/ops/status/audit/contracts.ts';
import { Code } from '../../_ui/code.tsx';
import { Time } from '../../_ui/time.tsx';

/** One action: who did what to what, why, and what changed by it. `hrefOf` says where the console shows a subject. */
export function AuditLine({ entry, hrefOf }: { entry: AuditEntry; hrefOf: (subject: string) => string | null }) {
  const position = hrefOf(entry.subject);
  return (
    <li className="px-5 py-4 text-sm">
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <span className="min-w-0 break-words">
          <strong className="font-semibold">{entry.action}</strong> by{' '}
          {entry.actor.replace(/^(?:administrator|member):/, '')}
        </span>
        <span className="text-soft">
          <Time at={entry.created_at} />
        </span>
      </p>
      <p className="mt-1 break-words">{entry.reason}</p>
      <p className="mt-1 font-mono text-xs break-all text-soft">
        {position === null ? (
          entry.subject
        ) : (
          <Link className="link" prefetch={false} href={position}>
            {entry.subject}
          </Link>
        )}
      </p>
      <details className="mt-2">
        <summary className="text-xs text-soft">Before and after</summary>
        <div className="mt-2 grid gap-3 md:grid-cols-2">
          <Code text={JSON.stringify(entry.before, null, 2) ?? 'null'} label={`before ${entry.id}`} />
          <Code text={JSON.stringify(entry.after, null, 2) ?? 'null'} label={`after ${entry.id}`} />
        </div>
        <p className="mt-2 font-mono text-xs text-soft">{entry.request_id}</p>
      </details>
    </li>
  );
}
