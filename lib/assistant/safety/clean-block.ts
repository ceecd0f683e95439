import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { gfm } from 'micromark-extension-gfm';
import { allowedLink, withoutForeignAddresses } from './allowed-link.ts';

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root['children'][number];

/** What is deeper is left out: nobody writes so, and each level costs stack. */
const MAX_DEPTH = 12;
/** Starts of lists above this may be figures. */
const USUAL_START = 20;

export interface CleanBlock {
  markdown: string;
  /** What a reader sees, without any marks, and where its links lead. */
  plain: string;
}

/** No reader's program shall take text for a tag, however careless it is. */
const withoutTags = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** The name of a language and nothing else: nobody sees what stands there. */
const languageOf = (lang: string | null | undefined): string | null =>
  /^[a-z+-]{1,16}$/i.test(lang ?? '') ? (lang ?? null) : null;

function cleaned(node: Node, depth: number): Node[] {
  switch (node.type) {
    case 'text':
      return [{ ...node, value: withoutTags(withoutForeignAddresses(node.value)) }];
    case 'inlineCode':
      return [{ ...node, value: withoutForeignAddresses(node.value, { isCode: true }) }];
    case 'code':
      return [
        {
          ...node,
          lang: languageOf(node.lang),
          meta: null,
          value: withoutForeignAddresses(node.value, { isCode: true }),
        },
      ];
    case 'link': {
      const url = allowedLink(node.url);
      const children = cleanedAll(node.children, depth);
      return url === null ? children : [{ ...node, url, title: null, children }];
    }
    case 'linkReference':
      return cleanedAll(node.children, depth);
    case 'paragraph':
    case 'heading':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'blockquote':
    case 'list':
    case 'listItem':
    case 'table':
    case 'tableRow':
    case 'tableCell': {
      const children = cleanedAll<Node>(node.children, depth);
      return children.length === 0 ? [] : [{ ...node, children } as Node];
    }
    case 'break':
    case 'thematicBreak':
      return [node];
    // HTML, images, definitions, footnotes: nothing of ours needs them.
    default:
      return [];
  }
}

/** A node is replaced by nodes of its own kind of place: phrasing by phrasing, blocks by blocks. */
const cleanedAll = <N extends Node>(nodes: readonly N[], depth: number): N[] =>
  depth >= MAX_DEPTH ? [] : (nodes.flatMap((node) => cleaned(node, depth + 1)) as N[]);

/** Where a link leads is part of what it says: to whose account, with which amount. */
function targetOf(link: string): string {
  const { pathname, search, hash } = new URL(link);
  return ` ${pathname}${search}${hash} `;
}

function plainOf(node: Node): string {
  if ('value' in node) return node.value;
  if (!('children' in node)) return '\n';
  const isInline = node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete';
  const text = node.children.map(plainOf).join('');
  if (node.type === 'link') return `${text}${targetOf(node.url)}`;
  const start = node.type === 'list' && (node.start ?? 0) > USUAL_START ? `${node.start}\n` : '';
  return isInline ? text : `${start}${text}\n`;
}

/**
 * One block of Markdown (paragraph, list, table, code …) with nothing in it but what a reply may hold: no HTML, no images,
 * no links but to us and the ledger explorer. It is written anew from its parts, so whatever was left open is closed.
 */
export function cleanBlock(block: string): CleanBlock {
  const tree = fromMarkdown(block, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const children = cleanedAll(tree.children, 0);
  const markdown = toMarkdown(
    { type: 'root', children },
    { extensions: [gfmToMarkdown({ tablePipeAlign: false })], bullet: '-', resourceLink: true },
  );
  return {
    // Within a word an underscore never marks anything, and ids are full of them.
    markdown: markdown.replace(/(?<=[0-9A-Za-z])\\_(?=[0-9A-Za-z])/g, '_').trim(),
    plain: children.map(plainOf).join('').trim(),
  };
}
