'use client';

import { type FormEvent, useState } from 'react';
import { buttonClass } from '../../_ui/button.tsx';
import { Code } from '../../_ui/code.tsx';
import type { Parameter } from './samples.ts';

interface Answer {
  status: number;
  milliseconds: number;
  text: string;
}

/** The list that has an id which this deployment knows, by how the path begins. */
const LISTS = [
  { beginning: '/api/projects/{id}', list: '/api/projects?limit=1' },
  { beginning: '/api/investments/{id}', list: '/api/investments?limit=1' },
] as const;

/** The id of the newest of what a list holds. */
async function newestId(list: string): Promise<string | null> {
  const answer: unknown = await (await fetch(list)).json();
  return /"id":"(\w+)"/.exec(JSON.stringify(answer))?.[1] ?? null;
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** More would only make the page slow. */
const LONGEST_SHOWN = 50_000;

const field = 'w-full rounded-lg border border-line-strong bg-card px-3 py-2 font-mono text-sm';

/** Calls the operation on this deployment. What is typed stays in the page, and goes nowhere but there. */
export function TryIt({
  method,
  path,
  parameters,
  body,
  needsCredential,
}: {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: string | null;
  needsCredential: boolean;
}) {
  const [answer, setAnswer] = useState<Answer | string | null>(null);
  const [isWaiting, setIsWaiting] = useState(false);
  const [known, setKnown] = useState<string | null>(null);
  const open = async () => {
    const list = LISTS.find(({ beginning }) => path.startsWith(beginning))?.list;
    if (list !== undefined && known === null) setKnown(await newestId(list).catch(() => null));
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const given = (name: string) => String(data.get(name) ?? '').trim();
    let address = path;
    const query = new URLSearchParams();
    const headers = new Headers();
    for (const parameter of parameters) {
      const value = given(`${parameter.in}.${parameter.name}`);
      if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else if (value !== '' && parameter.in === 'query') query.append(parameter.name, value);
      else if (value !== '') headers.set(parameter.name, value);
    }
    if (given('credential') !== '') headers.set('authorization', `Bearer ${given('credential')}`);
    if (body !== null) headers.set('content-type', 'application/json');
    const url = query.size === 0 ? address : `${address}?${query}`;
    setIsWaiting(true);
    const begun = performance.now();
    try {
      const response = await fetch(url, {
        method: method.toUpperCase(),
        headers,
        credentials: 'omit',
        ...(body === null ? {} : { body: given('body') }),
      });
      const text = pretty(await response.text());
      setAnswer({
        status: response.status,
        milliseconds: Math.round(performance.now() - begun),
        text: text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}\n…` : text,
      });
    } catch {
      setAnswer('No answer came. Check your connection, then send it again.');
    } finally {
      setIsWaiting(false);
    }
  };
  return (
    <details
      className="mt-6 rounded-xl border border-line bg-card px-4 py-3 noscript:hidden"
      onToggle={({ currentTarget }) => currentTarget.open && void open()}
    >
      <summary className="font-medium">Try it</summary>
      <form onSubmit={(event) => void send(event)} className="mt-4 space-y-4" autoComplete="off">
        {needsCredential && (
          <label className="block text-sm">
            <span className="mb-1 block font-medium">Key or token</span>
            <input name="credential" type="password" className={field} autoComplete="off" spellCheck={false} />
          </label>
        )}
        {parameters.map((parameter) => (
          <label key={`${parameter.in}.${parameter.name}`} className="block text-sm">
            <span className="mb-1 block font-medium">
              <code className="font-mono">{parameter.name}</code>
              {parameter.isRequired ? '' : ', optional'}
            </span>
            <input
              key={parameter.in === 'path' ? known : null}
              name={`${parameter.in}.${parameter.name}`}
              required={parameter.isRequired}
              defaultValue={parameter.in === 'path' ? (known ?? parameter.example) : ''}
              placeholder={parameter.example}
              className={field}
              spellCheck={false}
            />
          </label>
        ))}
        {body !== null && (
          <label className="block text-sm">
            <span className="mb-1 block font-medium">Body</span>
            <textarea name="body" rows={10} defaultValue={body} className={field} spellCheck={false} />
          </label>
        )}
        <button type="submit" disabled={isWaiting} className={buttonClass('plain')}>
          {isWaiting ? 'Waiting…' : 'Send'}
        </button>
      </form>
      <div role="status" className="mt-4">
        {typeof answer === 'string' && <p className="text-sm text-bad">{answer}</p>}
        {answer !== null && typeof answer !== 'string' && (
          <>
            <p className="mb-2 text-sm">
              Status <strong>{answer.status}</strong>, {answer.milliseconds} ms
            </p>
            <Code text={answer.text === '' ? '(no body)' : answer.text} label="the answer" />
          </>
        )}
      </div>
    </details>
  );
}
