import { createMarkdownRenderer } from 'fumadocs-core/content/md';
import { remarkGfm, remarkHeading } from 'fumadocs-core/mdx-plugins';
import type { Element, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import type { Code as CodeBlock, Root as Page, RootContent } from 'mdast';
import type { ComponentProps, ReactNode } from 'react';
import rehypeHighlight from 'rehype-highlight';
import { visit } from 'unist-util-visit';
import { Code } from '../../_ui/code.tsx';
import { Scrolling } from '../../_ui/table.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { allGuides, type Guide, linkIn } from './guides.ts';

const TAB = /\btab="([^"]+)"/;
const tabOf = (node: RootContent): string | undefined =>
  node.type === 'code' ? TAB.exec(node.meta ?? '')?.[1] : undefined;

/** Neighbouring blocks of code that name a tab (```sh tab="curl") become one block with tabs; GitHub shows them below each other. */
function remarkTabs() {
  return (page: Page): void => {
    const children: Page['children'] = [];
    let tabs: CodeBlock[] = [];
    const close = () => {
      if (tabs.length === 0) return;
      const labels = tabs.map((code) => tabOf(code)).join('\n');
      const group = { type: 'tabs', children: tabs, data: { hName: 'code-tabs', hProperties: { labels } } };
      children.push(group as unknown as RootContent);
      tabs = [];
    };
    for (const node of page.children) {
      if (node.type === 'code' && tabOf(node) !== undefined) tabs.push(node);
      else {
        close();
        children.push(node);
      }
    }
    close();
    page.children = children;
  };
}

/** What GitHub shows and a page of ours cannot have as it is: no style of its own, no heading and no box without a name. */
function mendCell(node: Element): void {
  const { align } = node.properties;
  delete node.properties.align;
  if (typeof align === 'string') node.properties.className = [`text-${align}`];
  if (node.tagName === 'th' && toText(node) === '') node.tagName = 'td';
}

function mendCheckbox(node: Element): void {
  node.tagName = 'span';
  node.children = [{ type: 'text', value: node.properties.checked === true ? '☑' : '☐' }];
  node.properties = {};
}

/** Gives each block that scrolls within itself a name of its own, and code the text that is copied. */
function rehypeBlocks() {
  return (root: Root): void => {
    let heading = '';
    const named = new Map<string, number>();
    const label = (what: string): string => {
      const name = `${what} in ${heading}`;
      const count = (named.get(name) ?? 0) + 1;
      named.set(name, count);
      return count === 1 ? name : `${name} (${count})`;
    };
    visit(root, 'element', (node: Element) => {
      const { tagName, properties } = node;
      if (/^h[1-6]$/.test(tagName)) heading = toText(node);
      if (tagName === 'th' || tagName === 'td') mendCell(node);
      if (tagName === 'input') mendCheckbox(node);
      if (tagName === 'table') properties.dataLabel = label('table');
      if (tagName === 'code-tabs') properties.name = label('languages');
      if (tagName === 'pre') {
        properties.dataLabel = label('code');
        properties.dataText = toText(node, { whitespace: 'pre' }).replace(/\n$/, '');
      }
    });
  };
}

const { MarkdownServer } = createMarkdownRenderer({
  remarkPlugins: [remarkGfm, [remarkHeading, { generateToc: false }], remarkTabs],
  rehypePlugins: [rehypeBlocks, [rehypeHighlight, { detect: false }]],
});

type Labelled = { 'data-label'?: string; 'data-text'?: string; children?: ReactNode };

const Pre = ({ 'data-label': label = 'code', 'data-text': text = '', children }: Labelled) => (
  <div className="my-5">
    <Code text={text} label={label}>
      {children}
    </Code>
  </div>
);

const ScrollingTable = ({ 'data-label': label = 'table', children }: Labelled) => (
  <Scrolling label={label} className="my-5">
    <table className="w-full text-sm">{children}</table>
  </Scrolling>
);

const headingOf = (Tag: 'h2' | 'h3' | 'h4') =>
  function Heading({ id, children }: ComponentProps<'h2'>) {
    return (
      <Tag id={id}>
        {children}
        <a href={`#${id}`} aria-label="Link to this section" className="ml-2 font-normal text-soft no-underline">
          #
        </a>
      </Tag>
    );
  };

async function render(guide: Guide): Promise<ReactNode> {
  const guides = await allGuides();
  const components = {
    h2: headingOf('h2'),
    h3: headingOf('h3'),
    h4: headingOf('h4'),
    pre: Pre,
    table: ScrollingTable,
    'code-tabs': CodeTabs,
    a({ href = '', children }: ComponentProps<'a'>) {
      const to = linkIn(guides, guide, href);
      if (to === null) return children;
      return (
        <a href={to} className="link" rel={to.startsWith('http') ? 'noreferrer' : undefined}>
          {children}
        </a>
      );
    },
    img: ({ src = '', alt = '' }: ComponentProps<'img'>) => (
      // biome-ignore lint/performance/noImgElement: a drawing of the repository, served as it is
      <img src={`/docs/${src}`} alt={alt} loading="lazy" className="my-5 max-w-full" />
    ),
  };
  return await MarkdownServer({ children: guide.markdown, components });
}

const rendered = new Map<string, Promise<ReactNode>>();

/** A guide as elements; made once by a process. */
export function renderGuide(guide: Guide): Promise<ReactNode> {
  const known = rendered.get(guide.url) ?? render(guide);
  rendered.set(guide.url, known);
  return known;
}
