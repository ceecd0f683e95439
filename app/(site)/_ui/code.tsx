import type { ReactNode } from 'react';
import { CopyButton } from './copy.tsx';

/**
 * A command or a program to take along. Scrolls within itself, also by keyboard; a command of one line wraps instead.
 * `children` are the text as elements, where it is coloured.
 */
export function Code({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  const isOneLine = !text.includes('\n');
  return (
    <div className="relative rounded-xl border border-line bg-sunken">
      <section
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-xl py-3 pr-12 pl-4 font-mono text-xs leading-relaxed"
      >
        <pre className={isOneLine ? 'whitespace-pre-wrap break-words' : undefined}>
          {children ?? <code>{text}</code>}
        </pre>
      </section>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={text} label={label} isSmall />
      </div>
    </div>
  );
}
