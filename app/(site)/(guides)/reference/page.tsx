import type { Metadata } from 'next';
import Link from 'next/link';
import { env } from '#lib/base/env.ts';
import { PageHead } from '../../_ui/page-head.tsx';
import { entryUrl, reference } from '../_reference/document.ts';
import { Method } from '../_reference/method.tsx';
import { Prose } from '../_reference/schema.tsx';

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every operation, answer and event of the API, with examples in four languages.',
};

export default async function ReferencePage() {
  const { document, parts } = await reference();
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return (
    <article>
      <PageHead
        title="API reference"
        lead="Every operation, answer and event, with examples in four languages. Public reads need no key."
      />
      <p className="text-sm">
        Base URL <code className="rounded bg-sunken px-1 font-mono">{new URL(env().BASE_URL).origin}</code>, version{' '}
        {document.info.version}. The same as an{' '}
        <a className="link" href="/api/openapi.json">
          OpenAPI document
        </a>
        , for generators. Read first:{' '}
        <Link className="link" href="/docs/api" prefetch={false}>
          API conventions
        </Link>{' '}
        and{' '}
        <Link className="link" href="/docs/errors" prefetch={false}>
          errors
        </Link>
        .
      </p>
      {parts.map(({ name, description, entries }) => (
        <section key={name} aria-labelledby={name} className="mt-10">
          <h2 id={name} className="border-t border-line pt-6 text-xl font-semibold">
            {name}
          </h2>
          <p className="mt-1 text-sm text-soft">
            <Prose text={description} />
          </p>
          <ul className="mt-3 divide-y divide-line">
            {entries.map(({ id, method, path, operation }) => (
              <li key={id} className="py-2">
                <Link
                  href={entryUrl(id)}
                  prefetch={false}
                  className="flex flex-wrap items-baseline gap-x-3 gap-y-1 hover:text-accent"
                >
                  <Method method={method} />
                  <code className="font-mono text-sm break-all">{path}</code>
                  <span className="w-full text-sm text-soft">
                    <Prose text={operation.summary ?? ''} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="credentials" className="mt-10">
        <h2 id="credentials" className="border-t border-line pt-6 text-xl font-semibold">
          credentials
        </h2>
        <dl className="mt-3 space-y-2 text-sm">
          {schemes.map(([name, scheme]) => (
            <div key={name}>
              <dt className="font-mono font-medium">{name}</dt>
              <dd className="text-soft">{'description' in scheme ? scheme.description : ''}</dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
}
