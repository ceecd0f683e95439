import type { Metadata } from 'next';
import { env } from '#lib/base/env.ts';
import { Ask } from '../_assistant/ask.tsx';
import { buttonClass } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Code } from '../_ui/code.tsx';
import { Notice } from '../_ui/notice.tsx';
import { PageHead } from '../_ui/page-head.tsx';
import { DeveloperConsole } from './developer-console.tsx';
import { NODE_SNIPPET, PYTHON_SNIPPET } from './snippets.ts';

export const metadata: Metadata = {
  title: 'Developers',
  description: 'API keys in a minute, signed webhooks that can be replayed, and an OpenAPI document.',
};

const quickStart = (baseUrl: string): string => `# 1. A key, shown once
KEY=$(curl -s ${baseUrl}/api/api-keys/create -H 'content-type: application/json' \\
  -d '{"wallet_address":"r…"}' | jq -r .api_key)

# 2. A webhook; its signing secret is in the answer, this once
curl -s ${baseUrl}/webhooks -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\
  -d '{"url":"https://example.org/hook","events":["investment.confirmed"]}'`;

export default function DevelopersPage() {
  return (
    <>
      <Ask />
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
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-6">
          <div className="hidden noscript:block">
            <Notice tone="warn" title="JavaScript is disabled">
              Keys and webhooks are handled by this page itself, so that a key stays in it. Without scripts, use the
              commands on this page.
            </Notice>
          </div>
          <DeveloperConsole />
        </div>
        <div className="min-w-0 space-y-6">
          <Card title="From the command line">
            <Code text={quickStart(env().BASE_URL)} label="commands that make a key and a webhook" />
          </Card>
          <Card title="Verify a signature" lead="Before parsing anything; answer 401 when it does not match.">
            <div className="space-y-4">
              <details open>
                <summary className="mb-2 text-sm font-medium">Node</summary>
                <Code text={NODE_SNIPPET} label="verification in Node" />
              </details>
              <details>
                <summary className="mb-2 text-sm font-medium">Python</summary>
                <Code text={PYTHON_SNIPPET} label="verification in Python" />
              </details>
              <p className="text-sm text-soft">
                Deliveries also follow{' '}
                <a className="link" href="https://www.standardwebhooks.com" rel="noreferrer">
                  Standard Webhooks
                </a>
                : its libraries take the secret as it is.
              </p>
            </div>
          </Card>
        </div>
      </div>
    </>
  );
}
