import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { Fragment, type ReactNode } from 'react';
import { Code } from '../_ui/code.tsx';
import { hrefOf } from './href-of.ts';

const parse = (text: string): Root => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Only what an answer may hold becomes an element; anything else, raw HTML above all, is left out. */
function render(node: Nodes, key: number): ReactNode {
  const inner = 'children' in node ? node.children.map(render) : null;
  switch (node.type) {
    case 'root':
      return <Fragment key={key}>{inner}</Fragment>;
    case 'paragraph':
      return <p key={key}>{inner}</p>;
    case 'heading':
      return (
        <p key={key} className="font-semibold">
          {inner}
        </p>
      );
    case 'list':
      return node.ordered ? (
        <ol key={key} className="list-decimal space-y-1 pl-5">
          {inner}
        </ol>
      ) : (
        <ul key={key} className="list-disc space-y-1 pl-5">
          {inner}
        </ul>
      );
    case 'listItem':
      return <li key={key}>{inner}</li>;
    case 'strong':
      return <strong key={key}>{inner}</strong>;
    case 'emphasis':
      return <em key={key}>{inner}</em>;
    case 'delete':
      return <s key={key}>{inner}</s>;
    case 'link':
      return (
        <a key={key} href={hrefOf(node.url)} className="link break-words" rel="noreferrer">
          {inner}
        </a>
      );
    case 'inlineCode':
      return (
        <code key={key} className="rounded bg-sunken px-1 font-mono text-xs break-all">
          {node.value}
        </code>
      );
    case 'code':
      return <Code key={key} text={node.value} label={`program of line ${node.position?.start.line ?? key}`} />;
    case 'table':
      return (
        <div key={key} className="overflow-x-auto">
          <table className="figures text-xs">
            <tbody>{inner}</tbody>
          </table>
        </div>
      );
    case 'tableRow':
      return (
        <tr key={key} className="border-b border-line">
          {inner}
        </tr>
      );
    case 'tableCell':
      return (
        <td key={key} className="py-1 pr-3">
          {inner}
        </td>
      );
    case 'text':
      return node.value;
    case 'break':
      return <br key={key} />;
    case 'blockquote':
      return (
        <blockquote key={key} className="border-l-2 border-line pl-3 text-soft">
          {inner}
        </blockquote>
      );
    default:
      return null;
  }
}

/** An answer's Markdown as elements. */
export const Markdown = ({ text }: { text: string }) => <div className="space-y-2">{render(parse(text), 0)}</div>;
