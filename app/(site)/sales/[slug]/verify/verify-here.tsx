'use client';

import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';
import { formatAmount, formatCount, formatCounted } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import type { VerifyMessage, VerifyProgress, VerifyRequest, VerifyResult } from './messages.ts';

type State =
  | { at: 'idle' }
  | { at: 'running'; progress: VerifyProgress | null }
  | { at: 'done'; result: VerifyResult; seconds: number }
  | { at: 'failed'; text: string };

const HASH = /^[0-9A-F]{64}$/;
const SHOWN = 20;

const serversOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Why these are no servers to ask; null when they are. A page that came by https reaches secure servers only. */
function serverFault(servers: readonly string[]): string | null {
  if (servers.length === 0) return 'Name a server, such as wss://xrplcluster.com.';
  for (const server of servers) {
    const protocol = URL.canParse(server) ? new URL(server).protocol : '';
    if (protocol !== 'wss:' && protocol !== 'ws:')
      return `${server} is no address of a ledger server: it begins with wss://.`;
  }
  return null;
}

/** Replays the sale in the visitor's own browser, from ledger servers that the visitor chooses. */
export function VerifyHere({
  projectId,
  slug,
  unit,
  servers,
}: {
  projectId: string;
  slug: string;
  unit: string;
  servers: string;
}) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const [fault, setFault] = useState<string | undefined>();
  const worker = useRef<Worker | null>(null);
  const id = useId();
  const stop = () => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.terminate(), []);

  function start(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = serversOf(String(new FormData(event.currentTarget).get('servers')));
    const wrong = serverFault(chosen);
    setFault(wrong ?? undefined);
    if (wrong !== null) return;
    const beganMs = performance.now();
    const running = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.current = running;
    setState({ at: 'running', progress: null });
    const end = (ended: State) => {
      stop();
      setState(ended);
    };
    running.onmessage = ({ data }: MessageEvent<VerifyMessage>) => {
      if (data.kind === 'progress') setState({ at: 'running', progress: data });
      else if (data.kind === 'fault') end({ at: 'failed', text: data.text });
      else end({ at: 'done', result: data, seconds: (performance.now() - beganMs) / 1_000 });
    };
    running.onerror = () =>
      end({ at: 'failed', text: 'The program of the verification could not be run in this browser.' });
    const request: VerifyRequest = { baseUrl: window.location.origin, projectId, servers: chosen };
    running.postMessage(request);
  }

  return (
    <div className="space-y-4 noscript:hidden">
      <form onSubmit={start} className="space-y-3">
        <Field
          id={id}
          name="servers"
          label="Ledger servers"
          hint="Any XRP Ledger server with the full history since the launch, comma separated. Nothing else is asked for what happened on the ledger."
          fault={fault}
          defaultValue={servers}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
        />
        {state.at === 'running' ? (
          <Button
            onClick={() => {
              stop();
              setState({ at: 'idle' });
            }}
          >
            Stop
          </Button>
        ) : (
          <Button type="submit" look="primary">
            {state.at === 'idle' ? 'Verify in this browser' : 'Verify again'}
          </Button>
        )}
      </form>
      <div aria-live="polite" className="empty:hidden">
        {state.at === 'running' && <Running progress={state.progress} />}
        {state.at === 'failed' && (
          <Notice tone="warn" title="The sale could not be checked">
            {state.text.replace(/\.$/, '')}. Try again, or choose another server.
          </Notice>
        )}
        {state.at === 'done' && <Result result={state.result} seconds={state.seconds} slug={slug} unit={unit} />}
      </div>
    </div>
  );
}

function Running({ progress }: { progress: VerifyProgress | null }) {
  const part =
    progress === null
      ? 0
      : (progress.ledger - progress.fromLedger) / Math.max(1, progress.throughLedger - progress.fromLedger);
  return (
    <div className="space-y-2 text-sm">
      <progress
        className="w-full accent-accent"
        value={progress === null ? undefined : part}
        aria-label="Ledgers read"
      />
      <p className="tabular text-soft">
        {progress === null
          ? 'Reading the terms and the lists…'
          : `Ledger ${formatCount(progress.ledger)} of ${formatCount(progress.throughLedger)}: ${formatCount(progress.payments)} payments, ${formatCount(progress.payoutsFound)} payouts found, ${formatCount(progress.differences)} differences`}
      </p>
    </div>
  );
}

const VERDICTS = {
  agrees: { tone: 'good', title: 'Everything agrees' },
  differs: { tone: 'bad', title: 'What is published differs from the ledger' },
  unchecked: { tone: 'warn', title: 'Nothing differs, and not everything could be checked' },
} as const;

function custodyText(custody: VerifyResult['report']['custody']): string {
  if (custody === null) return 'One key moves the money';
  const { least_witnesses: least, witnesses, transactions } = custody;
  return `The platform with at least ${least ?? 'too many'} of ${witnesses.length} witnesses moves the money: ${formatCount(transactions)} transactions of both accounts checked`;
}

function lockText(lock: VerifyResult['report']['locks'][number], unit: string): string {
  const { label, amount, locked, in_escrow: held } = lock;
  if (locked === null)
    return `${label}: the server does not tell how many of ${formatAmount(amount)} ${unit} are locked`;
  const found = `${label}: ${formatAmount(locked)} of ${formatAmount(amount)} ${unit} locked by escrows`;
  return held === null ? found : `${found}, which still hold ${formatAmount(held)}`;
}

function unsoldText(unsold: NonNullable<VerifyResult['report']['unsold']>, unit: string): string {
  const { amount, until } = unsold;
  if (amount === null) return `Nothing unsold to lock so far; what stays unsold is locked until ${until}`;
  return lockText({ ...unsold, label: 'Unsold tokens', amount }, unit);
}

function vestingText(vesting: NonNullable<VerifyResult['report']['vesting']>, unit: string): string {
  const { amount, until, days } = vesting;
  if (amount === null || until === null || days === null) {
    return 'Nothing of the vesting to lock so far; what it owes at the end is locked until it is due';
  }
  return lockText({ ...vesting, label: `Vesting, due on ${formatCounted(days, 'day')}`, amount, until }, unit);
}

function Result({
  result,
  seconds,
  slug,
  unit,
}: {
  result: VerifyResult;
  seconds: number;
  slug: string;
  unit: string;
}) {
  const { report, raisedXrp, soldTokens } = result;
  const { checked, anchors, differences, unchecked } = report;
  const { tone, title } = VERDICTS[report.verdict];
  return (
    <div className="space-y-3">
      <Notice tone={tone} title={title}>
        <ul className="mt-1 space-y-1">
          <li>
            {formatAmount(raisedXrp)} XRP raised for {formatAmount(soldTokens)} {unit}, recomputed
          </li>
          <li>
            {formatCount(checked.payments)} payments in ledgers {formatCount(checked.from_ledger)} to{' '}
            {formatCount(checked.through_ledger)}
          </li>
          <li>
            {formatCount(checked.payouts)} payouts of tokens and refunds: {formatCount(checked.payouts_validated)} found
            on the ledger, {formatCount(checked.payouts_owed)} owed
          </li>
          <li>{custodyText(report.custody)}</li>
          {report.locks.map((lock, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the terms keep their order
            <li key={index}>{lockText(lock, unit)}</li>
          ))}
          {report.unsold !== null && <li>{unsoldText(report.unsold, unit)}</li>}
          {report.vesting !== null && <li>{vestingText(report.vesting, unit)}</li>}
          {anchors.launch !== null && (
            <li className="break-words">
              Terms with the SHA-256 <span className="font-mono text-xs break-all">{anchors.launch.terms_hash}</span>{' '}
              that the ledger anchors
            </li>
          )}
        </ul>
      </Notice>
      {differences.length > 0 && (
        <ul className="space-y-2 text-sm">
          {differences.slice(0, SHOWN).map((difference) => (
            <li
              key={`${difference.kind} ${difference.subject} ${difference.field}`}
              className="rounded-lg border border-line p-3"
            >
              <p>{difference.message}</p>
              <p className="mt-1 text-xs text-soft">
                {difference.kind.replaceAll('_', ' ')}
                {difference.ledger_index !== null && `, ledger ${formatCount(difference.ledger_index)}`}
              </p>
              {HASH.test(difference.subject) && (
                <p className="mt-1 font-mono text-xs break-all">{difference.subject}</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {report.differences_total > SHOWN && (
        <p className="text-sm">
          {formatCount(report.differences_total)} differences in all; the report has the first thousand.
        </p>
      )}
      {unchecked.map((gap) => (
        <p key={`${gap.account} ${gap.from_ledger}`} className="text-sm break-words">
          Not checked: ledgers {formatCount(gap.from_ledger)} to {formatCount(gap.through_ledger)} of {gap.account}:{' '}
          {gap.reason}.
        </p>
      ))}
      <p className="flex flex-wrap items-center gap-3 text-sm">
        <Download report={report} name={`verification-${slug}-${report.as_of_ledger}.json`} />
        <span className="tabular text-soft">{seconds.toFixed(1)} s</span>
      </p>
    </div>
  );
}

function Download({ report, name }: { report: VerifyResult['report']; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [report]);
  return (
    <a className="link" href={url} download={name}>
      Download the report
    </a>
  );
}
