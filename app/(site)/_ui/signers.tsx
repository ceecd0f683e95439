import type { Custody, SignerSet } from '@tranche/rules/custody.ts';
import type { ReactNode } from 'react';
import { custodySentences, signersText } from '../_data/custody-text.ts';
import { formatCount } from './format.ts';
import { Address } from './hash.tsx';
import { Notice } from './notice.tsx';

/** How a witness is now, by its key. */
type StateOf = (key: string) => ReactNode;

/** Who must sign what a sale's paying accounts send, and what that means, in words; `children` is what holds right now. */
export function Signers({
  custody,
  stateOf,
  children,
}: {
  custody: Custody | null;
  stateOf?: StateOf;
  children?: ReactNode;
}) {
  if (custody === null) {
    return (
      <Notice tone="warn" title="One key">
        One key signs for each paying account, and the platform’s operators hold it. A thief with that key could take
        everything on the account: nothing on the ledger prevents it, and verification names the transaction only
        afterwards. <HowCustodyWorks />
      </Notice>
    );
  }
  const { isSound, sentences } = custodySentences(custody);
  return (
    <>
      <p>
        <strong className="font-semibold">{signersText(custody)}</strong> must sign every transaction of the deposit
        account and the distributor.
      </p>
      <SignerList set={custody} {...(stateOf && { stateOf })} />
      {children}
      {isSound ? (
        <ul className="list-disc space-y-2 pl-5 text-soft">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <Notice tone="bad" title="These signers do not protect the money">
          {sentences.join(' ')}
        </Notice>
      )}
      <p>
        <HowCustodyWorks />
      </p>
    </>
  );
}

const HowCustodyWorks = () => (
  <a className="link" href="/docs/custody">
    How custody works
  </a>
);

/** Every key of a signer set, with who holds it. */
export const SignerList = ({
  set: { platform, witnesses, quorum },
  stateOf,
}: {
  set: SignerSet;
  stateOf?: StateOf;
}) => (
  <div>
    <ul className="divide-y divide-line border-y border-line">
      <Signer name="The platform" account={platform.account} weight={platform.weight} />
      {witnesses.map(({ name, operator, account, weight }) => (
        <Signer key={account} name={name} operator={operator} account={account} weight={weight}>
          {stateOf?.(account)}
        </Signer>
      ))}
    </ul>
    <p className="mt-2 text-xs text-soft">
      Signatures count by weight: {formatCount(quorum)} of{' '}
      {formatCount(witnesses.reduce((sum, { weight }) => sum + weight, platform.weight))} are needed.
    </p>
  </div>
);

const Signer = ({
  name,
  operator,
  account,
  weight,
  children,
}: {
  name: string;
  operator?: string;
  account: string;
  weight: number;
  children?: ReactNode;
}) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5">
    <span className="min-w-0 break-words">
      <span className="font-medium">{name}</span>
      {operator !== undefined && <span className="text-soft"> · witness, run by {operator}</span>}
    </span>
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      {children}
      <Address address={account} />
      <span className="figures text-xs whitespace-nowrap text-soft">weight {formatCount(weight)}</span>
    </span>
  </li>
);
