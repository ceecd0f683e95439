import type { TokenSetup } from '#lib/payouts/token-setup/read-setup.ts';
import type { SetupStep, TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { ActionForm } from '../action-form.tsx';
import { StepList } from '../signing/step-list.tsx';
import { WalletSigns } from '../signing/wallet-signs.tsx';
import { openDistributor } from './actions.ts';
import { textOf } from './step-texts.tsx';

interface OfPlan {
  plan: TokenPlan;
  networkId: number;
  mayAct: boolean;
}

/** The steps of a token with their state on the ledger; the open one with what is to be signed. */
export const SetupSteps = ({ steps, ...of }: OfPlan & { steps: TokenSetup['steps'] }) => (
  <StepList
    steps={steps.map((step) => ({ ...step, ...textOf(step, of.plan), doing: <Doing step={step} {...of} /> }))}
  />
);

/** How an open step is done, and exactly what is signed for it. */
function Doing({ plan, step, networkId, mayAct }: OfPlan & { step: SetupStep }) {
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
  return <WalletSigns transaction={step.transaction} by={[plan.issuer]} networkId={networkId} mayAct={mayAct} />;
}

const limitOf = (transaction: object): string =>
  'LimitAmount' in transaction ? (transaction.LimitAmount as { value: string }).value : '';
