import Link from 'next/link';
import type { PayoutResource } from '#lib/payouts/operate/contracts.ts';
import { Amount, Xrp } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { Field } from '../../_ui/field.tsx';
import { Address, Hash } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../action-form.tsx';
import { adviceFor, reasonText, STATUS_WORDS } from '../reason-text.ts';
import { actOn } from './actions.ts';

const TONES: Partial<Record<PayoutResource['status'], Tone>> = {
  validated: 'good',
  held: 'bad',
  waiting_holder: 'warn',
};

const KINDS = {
  distribution: 'to its investor',
  refund: 'back to who paid',
  release: 'to the treasury',
  lock: 'locked in escrow',
  unlock: 'back from escrow',
} as Record<string, string>;

const WORDS = {
  retry: {
    label: 'Retry now',
    says: 'The next run checks it without waiting for its scheduled check. Nothing is sent twice.',
  },
  hold: {
    label: 'Hold it',
    says: 'It is not sent until an operator releases it. A submitted payout cannot be held.',
  },
  release: { label: 'Release it', says: 'It is sent once its holder can receive it.' },
  settle: {
    label: 'Settle it',
    says: 'Marks it as paid by a validated payment that was made outside the platform, with the same amount, account, destination and tag.',
  },
} as const;

/** One payout with its state and what may be done with it. */
export function PayoutCard({ payout, mayAct }: { payout: PayoutResource; mayAct: boolean }) {
  const advice = adviceFor(payout.reason);
  return (
    <li className="rounded-2xl border border-line bg-card p-5 shadow-card">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="font-semibold">
          {payout.amount_xrp === null ? (
            <Amount isExact value={payout.tokens ?? '0'} unit="tokens" />
          ) : (
            <Xrp isExact value={payout.amount_xrp} />
          )}{' '}
          <span className="text-sm font-normal text-soft">{KINDS[payout.kind]}</span>
        </h2>
        <span className="flex gap-2">
          {payout.overdue && <Badge tone="bad">overdue</Badge>}
          <Badge tone={TONES[payout.status] ?? 'neutral'}>{STATUS_WORDS[payout.status]}</Badge>
        </span>
      </div>
      <Facts>
        <Fact name="To">
          <Address address={payout.destination} />
        </Fact>
        {payout.reason !== null && <Fact name="Why">{reasonText(payout.reason)}</Fact>}
        {advice !== null && (
          <Fact name="What to do" isLong>
            {advice}{' '}
            <Link className="link" prefetch={false} href="/operator#custody">
              Witnesses
            </Link>
          </Fact>
        )}
        {payout.payment_hash !== null && (
          <Fact name="Payment">
            <Hash hash={payout.payment_hash} />
          </Fact>
        )}
        <Fact name="Due">
          <Time at={payout.due_at} />
        </Fact>
        {payout.transaction_hash !== null && (
          <Fact name="Transaction">
            <Hash hash={payout.transaction_hash} />
          </Fact>
        )}
        <Fact name="Attempts">{payout.attempt_count}</Fact>
      </Facts>
      <div className="mt-4 flex flex-wrap items-start gap-3 empty:hidden">
        {payout.possible.map((action) => (
          <ActionForm
            key={action}
            action={actOn}
            label={WORDS[action].label}
            preview={<p>{WORDS[action].says}</p>}
            hidden={{ id: payout.id, action }}
            mayAct={mayAct}
            fields={
              action === 'settle' && (
                <Field
                  id={`${payout.id}-hash`}
                  name="transaction_hash"
                  label="Transaction that paid it"
                  required
                  spellCheck={false}
                  maxLength={64}
                />
              )
            }
          />
        ))}
      </div>
    </li>
  );
}
