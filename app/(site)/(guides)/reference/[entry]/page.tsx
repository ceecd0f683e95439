import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { EVENTS_TAG } from '#lib/api/openapi-deployment.ts';
import type { MediaTypes } from '#lib/api/openapi-schema.ts';
import { env } from '#lib/base/env.ts';
import { Markdown } from '../../_guides/markdown.tsx';
import { type Entry, REFERENCE, reference } from '../../_reference/document.ts';
import { Method } from '../../_reference/method.tsx';
import { bodyOf, needsCredential, parametersOf, samplesOf } from '../../_reference/samples.ts';
import { Field, Fields, Prose, typeText } from '../../_reference/schema.tsx';
import { TryIt } from '../../_reference/try-it.tsx';

/** Called by schedulers and queues, with their signatures. */
const INTERNAL = 'internal';

type Props = PageProps<'/reference/[entry]'>;

async function entryOf(params: Props['params']): Promise<Entry> {
  return (await reference()).entries.get(decodeURIComponent((await params).entry)) ?? notFound();
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { method, path, operation } = await entryOf(params);
  return { title: method === 'event' ? path : `${method.toUpperCase()} ${path}`, description: operation.summary };
}

/** A credential by its scheme, and what it must be allowed. */
function access({ operation }: Entry): string {
  const kinds = (operation.security ?? []).map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, scopes]) => [scheme, ...scopes].join(' '))
      .join(' and '),
  );
  return kinds.map((kind) => (kind === '' ? 'none' : kind)).join(', or ');
}

const fenced = (example: unknown): string =>
  typeof example === 'string'
    ? `\`\`\`\n${example.trimEnd()}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;

const contentOf = (message: object | undefined): [string, MediaTypes[string]][] =>
  message !== undefined && 'content' in message ? Object.entries(message.content as MediaTypes) : [];

/** A body in one of its forms: its fields, and an example. */
async function Body({
  form: [mediaType, { schema, example }],
  within,
  isAnswer = false,
}: {
  form: [string, MediaTypes[string]];
  within: string;
  isAnswer?: boolean;
}) {
  const { schemas } = await reference();
  return (
    <div className="mt-2">
      <p className="text-sm text-soft">
        <code className="font-mono">{mediaType}</code>
        {schema !== undefined && <>: {typeText(schema, schemas)}</>}
      </p>
      {schema !== undefined && (
        <div className="mt-2">
          <Fields schema={schema} schemas={schemas} isAnswer={isAnswer} />
        </div>
      )}
      {example !== undefined && (await Markdown({ text: fenced(example), within: `${within}, ${mediaType}` }))}
    </div>
  );
}

const PROBLEM = 'application/problem+json';

/** The codes of the problems that a status has here. */
const codesOf = (content: MediaTypes[string]): string[] => Object.keys(content.examples ?? {});

export default async function EntryPage({ params }: Props) {
  const entry = await entryOf(params);
  const { schemas } = await reference();
  const { id, method, path, alias, tag, operation } = entry;
  const isEvent = tag === EVENTS_TAG;
  const parameters = (operation.parameters ?? []).flatMap((one) =>
    'name' in one && one.schema !== undefined ? [one] : [],
  );
  const bodies = contentOf(operation.requestBody);
  const baseUrl = env().BASE_URL;
  const section = 'mt-10 mb-3 border-t border-line pt-6 text-xl font-semibold';
  return (
    <article>
      <p className="text-sm text-soft">
        <Link href={`${REFERENCE}#${tag}`} prefetch={false} className="hover:underline">
          {tag}
        </Link>{' '}
        / {id}
      </p>
      <h1 className="mt-2 text-2xl font-semibold text-balance sm:text-3xl">
        <Prose text={operation.summary ?? id} />
      </h1>
      <p className="mt-4 flex flex-wrap items-baseline gap-3 rounded-xl border border-line bg-card px-4 py-3">
        <Method method={method} />
        <code className="font-mono text-sm break-all">{path}</code>
        {alias !== null && (
          <span className="text-sm text-soft">
            also <code className="font-mono break-all">{alias}</code>
          </span>
        )}
      </p>
      {operation.description !== undefined && (
        <div className="guide">{await Markdown({ text: operation.description, within: 'description' })}</div>
      )}
      {!isEvent && (
        <p className="mt-4 text-sm">
          <span className="font-medium">Credential:</span> {access(entry)}
        </p>
      )}
      {parameters.length > 0 && (
        <section aria-labelledby="parameters">
          <h2 id="parameters" className={section}>
            {isEvent ? 'Headers' : 'Parameters'}
          </h2>
          <ul className="divide-y divide-line">
            {parameters.map((one) => (
              <Field
                key={`${one.in} ${one.name}`}
                name={one.in === 'path' ? `{${one.name}}` : one.in === 'query' ? `?${one.name}` : one.name}
                schema={one.schema as Parameters<typeof Field>[0]['schema']}
                isRequired={one.required === true}
                schemas={schemas}
              />
            ))}
          </ul>
        </section>
      )}
      {bodies.length > 0 && (
        <section aria-labelledby="body">
          <h2 id="body" className={section}>
            Body
          </h2>
          {bodies.map((form) => (
            <Body key={form[0]} form={form} within="body" />
          ))}
        </section>
      )}
      {!isEvent && (
        <>
          <section aria-labelledby="request">
            <h2 id="request" className={section}>
              Example request
            </h2>
            {await Markdown({ text: samplesOf(entry, baseUrl), within: 'request' })}
          </section>
          {tag !== INTERNAL && (
            <TryIt
              method={method}
              path={path}
              parameters={parametersOf(entry)}
              body={bodyOf(entry) === null ? null : JSON.stringify(bodyOf(entry), null, 2)}
              needsCredential={needsCredential(entry)}
            />
          )}
        </>
      )}
      <section aria-labelledby="answers">
        <h2 id="answers" className={section}>
          Answers
        </h2>
        <div className="space-y-3">
          {Object.entries(operation.responses ?? {}).map(([status, response], index) => (
            <details key={status} open={index === 0} className="rounded-xl border border-line px-4 py-3">
              <summary className="text-sm">
                <code className="font-mono font-semibold">{status}</code>{' '}
                <Prose text={'description' in response ? (response.description ?? '') : ''} />
              </summary>
              {contentOf(response).map((form) =>
                form[0] === PROBLEM ? (
                  <ul key={form[0]} className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
                    {codesOf(form[1]).map((code) => (
                      <li key={code}>
                        <Link href={`/docs/errors/${code}`} prefetch={false} className="link font-mono">
                          {code}
                        </Link>
                      </li>
                    ))}
                  </ul>
                ) : (
                  <Body key={form[0]} form={form} within={`answer ${status}`} isAnswer />
                ),
              )}
            </details>
          ))}
        </div>
      </section>
    </article>
  );
}
