import { createMarkdownRenderer } from 'fumadocs-core/content/md';
import { getTableOfContents } from 'fumadocs-core/content/toc';
import { remarkGfm, remarkHeading } from 'fumadocs-core/mdx-plugins';
import type { TOCItemType } from 'fumadocs-core/toc';
import type { Element, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import type { Code as CodeBlock, Root as Page, Parent, RootContent } from 'mdast';
import type { ComponentProps, ReactNode } from 'react';
import rehypeHighlight from 'rehype-highlight';
import { visit } from 'unist-util-visit';
import { Code } from '../../_ui/code.tsx';
import { Scrolling } from '../../_ui/table.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { allGuides, type Guide, linkIn } from './guides.ts';

/** Blocks of code that show the same in several languages. */
interface Tabs extends Parent {
  type: 'tabs';
  children: CodeBlock[];
}

declare module 'mdast' {
  interface RootContentMap {
    tabs: Tabs;
  }
}

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
      children.push({ type: 'tabs', children: tabs, data: { hName: 'code-tabs', hProperties: { labels } } });
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

interface MarkdownProps {
  text: string;
  /** Set before the name of each block, where a page has several texts. */
  within?: string;
  /** The address of a link; null for what leads nowhere on the site. */
  linkOf?: (target: string) => string | null;
}

/** Markdown of ours as elements. */
export function Markdown({ text, within, linkOf = (target) => target }: MarkdownProps): Promise<ReactNode> {
  const named = (label: string) => (within === undefined ? label : `${within}: ${label}`);
  const components = {
    h2: headingOf('h2'),
    h3: headingOf('h3'),
    h4: headingOf('h4'),
    pre: ({ 'data-label': label = 'code', 'data-text': code = '', children }: Labelled) => (
      <div className="my-5">
        <Code text={code} label={named(label)}>
          {children}
        </Code>
      </div>
    ),
    table: ({ 'data-label': label = 'table', children }: Labelled) => (
      <Scrolling label={named(label)} className="my-5">
        <table className="w-full text-sm">{children}</table>
      </Scrolling>
    ),
    'code-tabs': ({ name = 'languages', ...rest }: ComponentProps<typeof CodeTabs>) => (
      <CodeTabs name={named(name)} {...rest} />
    ),
    a({ href = '', children }: ComponentProps<'a'>) {
      const to = linkOf(href);
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
  return MarkdownServer({ children: text, components }) as Promise<ReactNode>;
}

/** A guide as it is read: its text as elements, and the headings that lead through it. */
interface Rendered {
  article: ReactNode;
  headings: TOCItemType[];
}

async function render(guide: Guide): Promise<Rendered> {
  const guides = await allGuides();
  const article = await Markdown({ text: guide.markdown, linkOf: (target) => linkIn(guides, guide, target) });
  const headings = getTableOfContents(guide.markdown).filter(({ depth }) => depth === 2 || depth === 3);
  return { article, headings };
}

const rendered = new Map<string, Promise<Rendered>>();

/** Made once by a process. */
export function renderGuide(guide: Guide): Promise<Rendered> {
  const known = rendered.get(guide.url) ?? render(guide);
  rendered.set(guide.url, known);
  return known;
}
