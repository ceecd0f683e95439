import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { env } from '#lib/base/env.ts';
import { once } from '#lib/base/once.ts';
import { Ask } from '../_assistant/ask.tsx';
import { buttonClass } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Notice } from '../_ui/notice.tsx';
import { PageHead } from '../_ui/page-head.tsx';
import { Markdown } from '../(guides)/_guides/markdown.tsx';
import { DeveloperConsole } from './developer-console.tsx';
import '../(guides)/guide.css';
import { asTabs, startSnippets, VERIFY_SNIPPETS } from './snippets.ts';

export const metadata: Metadata = {
  title: 'Developers',
  description: 'API keys in a minute, signed webhooks that can be replayed, and an OpenAPI document.',
};

const EXAMPLE_WALLET = 'rYourWallet';
const EXAMPLE_RECEIVER = 'https://example.org/hook';

/** The same text for everybody: made once by a process. */
const rendered = once(() =>
  Promise.all([
    Markdown({
      text: asTabs(startSnippets(env().BASE_URL, EXAMPLE_WALLET, EXAMPLE_RECEIVER)),
      within: 'Start by program',
    }),
    Markdown({ text: asTabs(VERIFY_SNIPPETS), within: 'Verify a signature' }),
  ]),
);

/** Lines that are too long for a phone go on in the next one: nothing scrolls sideways. */
const Wrapped = ({ children }: { children: ReactNode }) => (
  <div className="[&_.my-5]:my-0 max-sm:[&_section]:pt-9 max-sm:[&_section]:pr-4 [&_pre]:[tab-size:2] [&_pre]:break-words [&_pre]:whitespace-pre-wrap">
    {children}
  </div>
);

export default async function DevelopersPage() {
  const [start, verify] = await rendered();
  return (
    <>
      <Ask audience="developer" />
      <PageHead
        title="Developers"
        lead="Create a key in a minute and receive signed events for every payment, tier and refund. Missed events can be replayed."
        aside={
          <div className="flex flex-wrap gap-3">
            <a href="/docs/quickstart" className={buttonClass('plain')}>
              Quick start
            </a>
            <a href="/reference" className={buttonClass('plain')}>
              API reference
            </a>
          </div>
        }
      />
      <div className="hidden noscript:mb-6 noscript:block">
        <Notice tone="warn" title="JavaScript is disabled">
          Keys and webhooks are handled by this page itself, so that a key stays in it. Without scripts, use the
          programs on this page.
        </Notice>
      </div>
      <DeveloperConsole />
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card
          title="Start by program"
          lead="The same by your own program: a key, then a webhook with its signing secret."
        >
          <Wrapped>{start}</Wrapped>
        </Card>
        <Card title="Verify a signature" lead="Before you parse anything. Answer 401 to what is not genuine.">
          <Wrapped>{verify}</Wrapped>
          <p className="mt-4 text-sm text-soft">
            Deliveries follow{' '}
            <a className="link" href="https://www.standardwebhooks.com" rel="noreferrer">
              Standard Webhooks
            </a>
            : its libraries take the secret as it is. The{' '}
            <a className="link" href="/docs/webhooks#verify">
              guide
            </a>{' '}
            has the check in the shell, the other signature and a whole receiver.
          </p>
        </Card>
      </div>
    </>
  );
}
