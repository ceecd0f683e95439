import type { Metadata } from 'next';
import { KeepFocus } from '../../(site)/_ui/keep-focus.tsx';
import { Notice } from '../../(site)/_ui/notice.tsx';
import { Portal } from './portal.tsx';

export const metadata: Metadata = { title: 'Webhooks', robots: { index: false } };

/** The webhook portal. The server knows nothing of its visitor: the link's token stays in the browser. */
export default function PortalPage() {
  return (
    <main className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <KeepFocus />
      <noscript>
        <Notice tone="warn" title="JavaScript is disabled">
          The portal is handled by this page itself, so that its link stays in it.
        </Notice>
      </noscript>
      <Portal />
    </main>
  );
}
