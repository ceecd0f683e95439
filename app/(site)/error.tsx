'use client';

import { Button } from './_ui/button.tsx';
import { Notice } from './_ui/notice.tsx';

/**
 * A page that could not be made. Says nothing of why: the log has it, under the digest. To try again is to ask the server
 * again: to render what it sent before would fail as before.
 */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <div className="mx-auto max-w-lg py-16">
      <title>Error · Tranche</title>
      <h1 className="mb-4 text-3xl font-semibold">This page could not be loaded</h1>
      <Notice tone="bad" title="A service did not answer" isAlert>
        Payments are safe: they stand on the ledger and are read as soon as everything works again.
        {error.digest !== undefined && ` If it stays like this, tell the operators this number: ${error.digest}.`}
      </Notice>
      <p className="mt-6 flex gap-3">
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
        <a href="/status" className="link self-center text-sm">
          System status
        </a>
      </p>
    </div>
  );
}
