import type { TokenSetup } from '#lib/payouts/token-setup/read-setup.ts';
import type { SetupStep, TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Code } from '../../_ui/code.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { isMainNet, signLink } from '../../sales/[slug]/wallet-links.ts';
import { ActionForm } from '../action-form.tsx';
import { openDistributor } from './actions.ts';
import { SignStep } from './sign-step.tsx';
import { textOf } from './step-texts.tsx';

const STATES: Record<SetupStep['state'], { says: string; tone: Tone }> = {
  done: { says: 'done', tone: 'good' },
  open: { says: 'next', tone: 'accent' },
  waits: { says: 'later', tone: 'neutral' },
  blocked: { says: 'needs attention', tone: 'bad' },
};

/** The network's number goes into transactions from here on (xrpl.org, NetworkID). */
const NETWORK_ID_FROM = 1_025;

/** Each step with its state on the ledger; the open one with what is to be signed. */
export function SetupSteps({
  plan,
  steps,
  networkId,
  mayAct,
}: {
  plan: TokenPlan;
  steps: TokenSetup['steps'];
  networkId: number;
  mayAct: boolean;
}) {
  return (
    <ol className="space-y-1">
      {steps.map((step, index) => (
        <StepRow
          key={step.id}
          number={index + 1}
          isLast={index === steps.length - 1}
          {...{ plan, step, networkId, mayAct }}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  plan: TokenPlan;
  step: SetupStep;
  networkId: number;
  mayAct: boolean;
}

function StepRow({ number, isLast, ...props }: StepProps & { number: number; isLast: boolean }) {
  const { step, plan } = props;
  const { title, why } = textOf(step, plan);
  const { says, tone } = STATES[step.state];
  const isDone = step.state === 'done';
  return (
    <li
      className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 sm:gap-x-4"
      aria-current={step.state === 'open' ? 'step' : undefined}
    >
      <div className="flex flex-col items-center">
        <span
          aria-hidden
          className={`figures flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${
            isDone
              ? 'bg-good-soft text-good'
              : step.state === 'open'
                ? 'bg-accent text-accent-ink'
                : step.state === 'blocked'
                  ? 'bg-bad-soft text-bad'
                  : 'bg-sunken text-soft'
          }`}
        >
          {isDone ? <Icon name="check" /> : number}
        </span>
        {!isLast && <span aria-hidden className="my-1 w-px grow bg-line" />}
      </div>
      <div className="min-w-0 pb-6">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3">
          <h3 className={`font-medium ${step.state === 'waits' ? 'text-soft' : ''}`}>{title}</h3>
          <Badge tone={tone}>{says}</Badge>
        </div>
        <p className="mt-0.5 text-sm text-soft">{why}</p>
        {step.problem !== null && !isDone && (
          <div className="mt-3">
            <Notice tone="bad">{step.problem}</Notice>
          </div>
        )}
        {step.state === 'open' && (
          <div className="mt-3 space-y-3">
            <Doing {...props} />
          </div>
        )}
      </div>
    </li>
  );
}

/** How an open step is done, and exactly what is signed for it. */
function Doing({ plan, step, networkId, mayAct }: StepProps) {
  if (step.id === 'issuer_account') return <CopyableValue label="Issuer" value={plan.issuer} />;
  if (step.id === 'distributor_account') return <CopyableValue label="Distributor" value={plan.distributor} />;
  if (step.transaction === null) return null;
  if (step.signedBy === 'distributor') {
    return (
      <ActionForm
        action={openDistributor}
        label={plan.kind === 'iou' ? 'Set the trust line' : 'Opt in'}
        look="primary"
        mayAct={mayAct}
        rehearses
        hidden={{
          address: plan.distributor,
          kind: plan.kind,
          ...(plan.kind === 'iou'
            ? { currency: plan.currency, issuer: plan.issuer, limit_tokens: limitOf(step.transaction) }
            : { issuance_id: plan.issuanceId ?? '' }),
        }}
        preview={
          <p>
            A transaction of the distributor <span className="font-mono text-xs break-all">{plan.distributor}</span>.
            The preview shows it whole before anything is signed.
          </p>
        }
      />
    );
  }
  const transaction = { ...step.transaction, ...(networkId >= NETWORK_ID_FROM && { NetworkID: networkId }) };
  return <IssuerSigns transaction={transaction} issuer={plan.issuer} networkId={networkId} mayAct={mayAct} />;
}

const limitOf = (transaction: object): string =>
  'LimitAmount' in transaction ? (transaction.LimitAmount as { value: string }).value : '';

/** A transaction of the issuer: signed in its wallet here, or taken elsewhere as it stands. */
export function IssuerSigns({
  transaction,
  issuer,
  networkId,
  mayAct,
}: {
  transaction: object;
  issuer: string;
  networkId: number;
  mayAct: boolean;
}) {
  return (
    <>
      <Code text={JSON.stringify(transaction, null, 2)} label="transaction" />
      <SignStep transaction={transaction} issuer={issuer} mayAct={mayAct} />
      <p className="text-xs text-soft">
        {isMainNet(networkId) && (
          <>
            <a className="link" href={signLink(transaction)} rel="noreferrer">
              Sign it in Xaman
            </a>{' '}
            ·{' '}
          </>
        )}
        Any wallet that takes a transaction as JSON can sign it; it fills in fee and sequence. This page notices.
      </p>
    </>
  );
}
