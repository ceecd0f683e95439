import { Children, type ReactNode } from 'react';
import { Tabs } from '../../_ui/tabs.tsx';

/** The same example in several languages, one at a time; below each other where no script runs. */
export function CodeTabs({ labels = '', name, children }: { labels?: string; name?: string; children?: ReactNode }) {
  const languages = labels.split('\n');
  const parts = Children.toArray(children)
    .filter((child) => typeof child === 'object')
    .map((content, index) => ({ label: languages[index] ?? '', content }));
  return (
    <div className="my-5">
      <Tabs name={name} parts={parts} panelClass="[&>div]:mt-2 [&>div]:mb-0" />
    </div>
  );
}
