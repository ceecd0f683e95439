'use client';

import { Brand } from './(site)/_ui/brand.tsx';
import { Button } from './(site)/_ui/button.tsx';
import { geist } from './fonts.ts';
import './globals.css';

/**
 * In place of the whole document, when even the frame around the pages could not be made. It reads nothing and asks
 * nothing: what failed may be anything. Says nothing of why; the log has it, under the digest.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={geist.variable}>
      <body className="flex min-h-dvh flex-col justify-center px-4 py-16 sm:px-6">
        <title>Error · Tranche</title>
        <meta name="robots" content="noindex" />
        <main className="mx-auto w-full max-w-lg">
          <p className="mb-10 flex items-center gap-2 font-semibold tracking-tight">
            <Brand />
            Tranche
          </p>
          <h1 className="text-3xl font-semibold">This page could not be loaded</h1>
          <p role="alert" className="mt-4 text-soft">
            A service did not answer. Payments are safe: they stand on the ledger and are read as soon as everything
            works again.
          </p>
          {error.digest !== undefined && (
            <p className="figures mt-3 text-sm text-soft">If it stays like this, tell the operators {error.digest}.</p>
          )}
          <p className="mt-8 flex flex-wrap items-center gap-4">
            <Button look="primary" onClick={() => location.reload()}>
              Try again
            </Button>
            <a href="/status" className="link text-sm">
              System status
            </a>
          </p>
        </main>
      </body>
    </html>
  );
}
