import type { Metadata } from 'next';
import Link from 'next/link';
import { cache } from 'react';
import { env } from '#lib/base/env.ts';
import { orNotFound } from '../../../_data/or-not-found.ts';
import { pageCtx } from '../../../_data/page-ctx.ts';
import { readTerms } from '../../../_data/public-reads.ts';
import { readSale } from '../../../_data/shared-read.ts';
import { Card } from '../../../_ui/card.tsx';
import { Code } from '../../../_ui/code.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { formatCount } from '../../../_ui/format.ts';
import { Hash } from '../../../_ui/hash.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { Signers } from '../../../_ui/signers.tsx';
import { custodyOfTerms } from './terms-fields.ts';
import { TermsText } from './terms-text.tsx';

type Props = { params: Promise<{ slug: string }> };

const findSale = cache(async (slug: string) => orNotFound(readSale(await pageCtx(), slug)));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await findSale((await params).slug);
  return {
    title: `Terms of ${project.name}`,
    description: `What the launch of ${project.name} anchored on the ledger, word for word.`,
    ...(project.status === 'draft' && { robots: { index: false } }),
  };
}

/** The terms as they are anchored, for people; and how to check that these are they. */
export default async function TermsPage({ params }: Props) {
  const { slug } = await params;
  const project = await findSale(slug);
  const { canonical, sha256, anchor } = await readTerms(await pageCtx(), project);
  const custody = custodyOfTerms(canonical);
  const command = `curl -s ${env().BASE_URL}/api/projects/${project.id}/terms | node -pe "crypto.createHash('sha256').update(JSON.parse(fs.readFileSync(0)).canonical).digest('hex')"`;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="Terms"
        lead={
          <>
            of{' '}
            <Link className="link" prefetch={false} href={`/sales/${slug}`}>
              {project.name}
            </Link>
            {anchor === null
              ? ', as a launch now would anchor them. They may still change.'
              : ', as they stand on the ledger. Nothing in them can change any more.'}
          </>
        }
      />
      <div className="space-y-6">
        <Card title="What they say">
          <TermsText canonical={canonical} />
        </Card>
        <Card title="Who can move the money">
          <div className="space-y-4 text-sm">
            <Signers custody={custody} />
          </div>
        </Card>
        <Card title="Check them" lead="The hash of the published text, made by you, is the one in the launch’s memo.">
          <Facts>
            <Fact name="SHA-256" isLong>
              <span className="font-mono text-xs break-all">{sha256}</span>
            </Fact>
            {anchor !== null && (
              <Fact name={`Anchored in ledger ${formatCount(anchor.ledger_index)} by`}>
                <Hash hash={anchor.transaction_hash} />
              </Fact>
            )}
          </Facts>
          <div className="mt-4">
            <Code text={command} label="the command that hashes the terms" />
          </div>
        </Card>
        <Card title="Word for word" lead="Canonical JSON (RFC 8785): the bytes that the hash is of.">
          <Code text={canonical} label="the terms as canonical JSON" />
        </Card>
      </div>
    </div>
  );
}
