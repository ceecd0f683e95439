import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '../../_ui/page-head.tsx';
import { currentAdministrator } from '../session.ts';
import { SignInForm } from './sign-in-form.tsx';

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } };

export default async function LoginPage() {
  if ((await currentAdministrator()) !== null) redirect('/operator');
  return (
    <div className="mx-auto max-w-md">
      <PageHead title="Operators" lead="Sign in with your administrator’s token." />
      <SignInForm />
      <p className="mt-6 text-sm text-soft">
        Create tokens with <code className="font-mono text-xs">npx tranche admin-token</code>; their hashes stand in the
        deployment’s settings.
      </p>
    </div>
  );
}
