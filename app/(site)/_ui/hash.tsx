import { accountUrl, transactionUrl } from '#lib/base/explorer.ts';
import { CopyButton } from './copy.tsx';
import { shortened } from './format.ts';

function Named({ text, url, label }: { text: string; url: string | null; label: string }) {
  return (
    <span className="inline-flex items-center gap-1 font-mono text-xs">
      {url === null ? (
        <span title={text}>{shortened(text)}</span>
      ) : (
        <a href={url} rel="noreferrer" className="link" title={text}>
          {shortened(text)}
        </a>
      )}
      <CopyButton text={text} label={label} isSmall />
    </span>
  );
}

/** A transaction, with its place in the network's explorer where there is one. */
export const Hash = ({ hash }: { hash: string }) => (
  <Named text={hash} url={transactionUrl(hash)} label="transaction hash" />
);

export const Address = ({ address }: { address: string }) => (
  <Named text={address} url={accountUrl(address)} label="address" />
);

/** A SHA-256 of something published. */
export const Digest = ({ text }: { text: string }) => <Named text={text} url={null} label="hash" />;
