import { isDeepStrictEqual } from 'node:util';
import type { Custody } from '@tranche/rules/custody.ts';
import type { Metadata } from 'next';
import Link from 'next/link';
import { env } from '#lib/base/env.ts';
import { inWords } from '#lib/custody/signatures.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { signersText } from '../../_data/custody-text.ts';
import { AutoRefresh } from '../../_ui/auto-refresh.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Code } from '../../_ui/code.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { Address } from '../../_ui/hash.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { SignerList } from '../../_ui/signers.tsx';
import { ActionForm } from '../action-form.tsx';
import type { SearchParams } from '../query-of.ts';
import { operatorCtx } from '../session.ts';
import { ConnectWallet } from '../signing/own-wallet.tsx';
import { StepList } from '../signing/step-list.tsx';
import { WalletSigns } from '../signing/wallet-signs.tsx';
import { recordCustody } from './actions.ts';
import { type CustodyPlan, planOf, valuesOf } from './plan.ts';
import { PlanForm } from './plan-form.tsx';
import { type AccountPlan, needsPresentSigners, onLedger, readPlan } from './read-plan.ts';
import { SendSigned } from './send-signed.tsx';
import { textOf } from './step-texts.ts';

export const metadata: Metadata = { title: 'Custody', robots: { index: false } };

const MOST_ACCOUNTS = 100;

/** Brings a deposit account and a distributor under witnesses, or back under their own keys, as the ledger shows it. */
export default async function CustodyPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const given = await searchParams;
  const { accounts } = await listAccounts(ctx, { limit: MOST_ACCOUNTS });
  const registered = accounts.find(({ address }) => address === given.deposit);
  const { values, isSent } = valuesOf(given, {
    set: registered?.custody ?? null,
    witnesses: env().WITNESSES.map(({ key }) => key),
    platform: '',
  });
  const isSetUp = values.direction === 'set_up';
  const read = isSent ? planOf(values) : { plan: null, faults: {} };
  const { plan } = read;
  const form = (
    <PlanForm values={values} faults={read.faults ?? {}} accounts={accounts.map(({ address }) => address)} />
  );
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title={isSetUp ? 'Bring accounts under witnesses' : 'Give accounts back to their own keys'}
        lead="Each step is read from the ledger and shows its transaction before it is signed, so you can leave and come back."
      />
      <div className="space-y-6">
        <p className="text-sm">
          <a className="link" href="/docs/custody">
            How custody works
          </a>{' '}
          ·{' '}
          <Link
            className="link"
            prefetch={false}
            href={`/operator/custody?direction=${isSetUp ? 'take_down' : 'set_up'}`}
          >
            {isSetUp ? 'Give accounts back instead' : 'Bring accounts under witnesses instead'}
          </Link>
        </p>
        <ConnectWallet whose="The accounts’" signs="what their own keys sign" />
        {plan === null ? (
          <Card title="Who signs">{form}</Card>
        ) : (
          <>
            <Card title="Who signs" lead={plan.set === null ? undefined : `${signersText(plan.set)} will sign.`}>
              {plan.set !== null && <SignerList set={plan.set} />}
              <details className="mt-4">
                <summary className="link inline-flex text-sm">Change</summary>
                <div className="mt-4">{form}</div>
              </details>
            </Card>
            <Progress
              plan={plan}
              address={addressOf(given)}
              mayAct={ctx.actor.role === 'operator'}
              isRegistered={registered !== undefined}
              isRecorded={isRecorded(plan, registered)}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** The page's address as its actions read it again. */
function addressOf(given: Awaited<SearchParams>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) for (const each of [value ?? []].flat()) query.append(name, each);
  return query.toString();
}

function isRecorded({ set }: CustodyPlan, registered: { custody: Custody | null } | undefined): boolean {
  if (registered === undefined) return false;
  const { custody } = registered;
  if (set === null || custody === null) return set === custody;
  const { from_ledger: _, refund_min_xrp: __, ...recorded } = custody;
  return isDeepStrictEqual(recorded, set);
}

interface OfPlan {
  plan: CustodyPlan;
  address: string;
  mayAct: boolean;
}

async function Progress({
  isRegistered,
  isRecorded: recorded,
  ...of
}: OfPlan & { isRegistered: boolean; isRecorded: boolean }) {
  const { plan, address, mayAct } = of;
  const { set } = plan;
  // Which server, and why, is for the log: addresses of servers may hold what opens them.
  const read = await readPlan(plan).catch(() => null);
  if (read === null) {
    return (
      <Notice tone="warn" title="The ledger did not answer, or its servers do not agree yet">
        Nothing is lost: this page asks again by itself.
        <AutoRefresh />
      </Notice>
    );
  }
  const ctx = await operatorCtx();
  const needed = await onLedger((ledger) =>
    needsPresentSigners(
      ctx,
      ledger,
      plan,
      read.flatMap(({ facts }) => facts ?? []),
    ),
  ).catch(() => ['Whether all sales are finished could not be read.']);
  if (needed.length > 0) {
    return (
      <Notice tone="bad" title="The present signers are still needed">
        Others would pay nothing of this, and nobody could end it.
        {needed.map((each) => (
          <p key={each}>{each}</p>
        ))}
      </Notice>
    );
  }
  const isDone = read.every(({ facts, steps }) => facts !== null && steps.every(({ state }) => state === 'done'));
  return (
    <>
      {read.map((account) => (
        <AccountSteps key={account.address} account={account} {...of} />
      ))}
      {!isDone && <AutoRefresh />}
      {isDone && (
        <Card
          title="Tell the platform"
          lead={
            set === null
              ? 'The ledger shows both accounts under their own keys.'
              : 'The ledger shows both accounts under these signers.'
          }
        >
          {recorded ? (
            <Notice
              tone="good"
              title={set === null ? 'The accounts are under their own keys' : 'The accounts are under custody'}
            >
              {set === null
                ? 'What is launched now is paid by one key.'
                : 'Drafts of this deposit account carry the signer set. Have each witness approve the terms, then launch.'}
            </Notice>
          ) : !isRegistered ? (
            <div className="space-y-3">
              <p className="text-sm text-soft">
                The platform does not know this deposit account yet. Give the app the platform’s key for both accounts
                (SIGNING_KEYS), deploy, and create a draft with them. Then come back to this page.
              </p>
              <Link prefetch={false} className={buttonClass('primary')} href="/operator/projects/new">
                Create a project
              </Link>
            </div>
          ) : (
            <ActionForm
              action={recordCustody}
              label={set === null ? 'Pay by one key' : 'Use these signers'}
              look="primary"
              mayAct={mayAct}
              hidden={{ plan: address }}
              preview={
                <p>Its drafts and what is launched from now on. Sales that are launched keep what their terms say.</p>
              }
            />
          )}
        </Card>
      )}
    </>
  );
}

const AccountSteps = ({ account, ...of }: OfPlan & { account: AccountPlan }) => {
  const { address, role, facts, steps } = account;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <Card
      title={role}
      lead={<Address address={address} />}
      aside={<span className="figures text-sm text-soft">{`${done} of ${steps.length} done`}</span>}
    >
      {facts === null ? (
        <Notice tone="warn" title="The ledger shows no such account">
          Send it its reserve first, from any wallet.
        </Notice>
      ) : (
        <StepList
          steps={steps.map((step) => ({
            ...step,
            ...textOf(step, facts),
            problem: step.state === 'blocked' ? <Lines text={step.problem ?? ''} /> : null,
            doing: <Doing account={account} step={step} {...of} />,
          }))}
        />
      )}
    </Card>
  );
};

const Lines = ({ text }: { text: string }) => text.split('\n').map((line) => <p key={line}>{line}</p>);

/** How an open step is done, and exactly what is signed for it. */
function Doing({
  account: { address, role, facts, together },
  step,
  address: plan,
  mayAct,
}: Omit<OfPlan, 'plan'> & { account: AccountPlan; step: AccountPlan['steps'][number] }) {
  const whose = role.toLowerCase();
  if (step.transaction === null) return <CopyableValue label="Account" value={address} />;
  if (together !== null) {
    const { transaction, signers } = together;
    return (
      <>
        <Code text={JSON.stringify(transaction, null, 2)} label={`transaction of the ${whose}`} />
        <ul className="text-sm text-soft">
          {inWords(transaction).map((line) => (
            <li key={line} className="break-words">
              {line}
            </li>
          ))}
        </ul>
        <p className="text-sm">Send it to the holders of these keys as a file. Each signs on a machine of their own:</p>
        <ul className="text-sm">
          {signers.some.map((key) => (
            <li key={key}>
              <Address address={key} />, until the quorum is reached
            </li>
          ))}
          {signers.all.map((key) => (
            <li key={key}>
              <Address address={key} />, in any case: that proves that somebody has it
            </li>
          ))}
        </ul>
        <Code
          text="npx tranche custody sign --transaction transaction.json --key-file <file of the seed>"
          label={`command for the ${whose}`}
        />
        <SendSigned plan={plan} account={address} mayAct={mayAct} />
      </>
    );
  }
  const regularKey = step.signedBy === 'account' ? (facts?.regularKey ?? null) : null;
  const by = [...(facts?.masterDisabled === true ? [] : [address]), ...(regularKey === null ? [] : [regularKey])];
  return (
    <WalletSigns
      transaction={step.transaction}
      by={by}
      networkId={env().XRPL_NETWORK_ID}
      mayAct={mayAct}
      label={`transaction of the ${whose}`}
    />
  );
}
