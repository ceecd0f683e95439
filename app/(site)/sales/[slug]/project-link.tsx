import { Icon } from '../../_ui/icon.tsx';

/** Of every link that a project gives: it is not ours, and gains nothing by standing here. */
export const PROJECT_LINK = 'noopener noreferrer nofollow ugc';

/** A link with the host that it leads to: its text alone may say anything. */
export function ProjectLink({ url, text }: { url: string; text: string }) {
  return (
    <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2">
      <a href={url} rel={PROJECT_LINK} className="link inline-flex items-center gap-1.5 break-words">
        {text}
        <Icon name="out" className="size-3.5" />
      </a>
      <span className="text-xs break-all text-soft">{new URL(url).host}</span>
    </span>
  );
}
