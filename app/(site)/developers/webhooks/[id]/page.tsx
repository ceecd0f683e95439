import type { Metadata } from 'next';
import Link from 'next/link';
import { WebhookConsole } from './webhook-console.tsx';

export const metadata: Metadata = { title: 'Webhook', robots: { index: false } };

/** One webhook. The server knows nothing of it: all is read in the browser, with the visitor's key. */
export default async function WebhookPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <>
      <p className="mb-4 text-sm">
        <Link href="/developers" prefetch={false} className="link">
          All webhooks
        </Link>
      </p>
      <WebhookConsole id={id} />
    </>
  );
}
