'use client';

import { CopyButton } from '../_ui/copy.tsx';
import { hrefOf } from './href-of.ts';
import { Markdown } from './markdown.tsx';
import type { Message } from './use-chat.ts';

/** One turn of the conversation. */
export function Bubble({ message, isWriting }: { message: Message; isWriting: boolean }) {
  if (message.from === 'visitor') {
    return (
      <p className="ml-8 w-fit max-w-full justify-self-end rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap">
        <span className="sr-only">You: </span>
        {message.text}
      </p>
    );
  }
  return (
    <div className="mr-4 space-y-2">
      <span className="sr-only">The assistant:</span>
      {message.text !== '' && <Markdown text={message.text} />}
      {isWriting && <p className="text-soft">{message.text === '' ? 'Looking it up…' : '…'}</p>}
      {message.fault !== null && <p className={message.isStopped ? 'text-soft' : 'text-bad'}>{message.fault}</p>}
      {message.sources.length > 0 && (
        <ul aria-label="Sources" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
          {message.sources.map((source) => (
            <li key={source.url}>
              <a href={hrefOf(source.url)} className="link" rel="noreferrer">
                {source.title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {!isWriting && message.text !== '' && <CopyButton text={message.text} label="the answer" isSmall />}
    </div>
  );
}
