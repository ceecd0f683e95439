import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { idPattern } from '#lib/base/ids.ts';
import { Notice } from '../../_ui/notice.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import type { SearchParams } from '../../operator/query-of.ts';
import { signedIn } from '../session.ts';
import { type Entry, SignInForm } from './sign-in-form.tsx';

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } };

const LEADS: Record<Entry['kind'], string> = {
  own: 'Draft a token sale and run it. Sign in with your wallet: no account and no e-mail address needed.',
  tenant: 'Sign in again to act for another tenant that your wallet is a member of.',
  invitation: 'You were invited. Sign in with the wallet that was invited, and you are a member.',
};

/** Also for who is signed in and goes to another tenant: the wallet is asked again. */
export default async function LoginPage({ searchParams }: { searchParams: SearchParams }) {
  const { tenant, invitation } = await searchParams;
  const entry = entryOf(tenant, invitation);
  const ctx = await signedIn();
  if (ctx !== null && entry.kind === 'own') redirect('/owner');
  return (
    <div className="mx-auto max-w-2xl">
      <PageHead title="Owners" lead={LEADS[entry.kind]} />
      <div className="hidden noscript:mb-6 noscript:block">
        <Notice tone="warn" title="JavaScript is disabled">
          This page asks for a text that your wallet signs. Without scripts, use the{' '}
          <a className="link" href="/docs/owners#sign-in">
            API
          </a>
          .
        </Notice>
      </div>
      <SignInForm entry={entry} known={ctx?.actor.walletAddress ?? ''} />
      <p className="mt-6 text-sm text-soft">
        The first sign-in of a wallet makes its tenant.{' '}
        <a className="link" href="/docs/owners">
          How owners run their sales
        </a>
      </p>
    </div>
  );
}

function entryOf(tenant: unknown, invitation: unknown): Entry {
  if (typeof invitation === 'string' && idPattern('invite').test(invitation)) {
    return { kind: 'invitation', id: invitation };
  }
  if (typeof tenant === 'string' && idPattern('ten').test(tenant)) return { kind: 'tenant', id: tenant };
  return { kind: 'own', id: '' };
}
