/**
 * A page of questions as people read it: the answers in English, without the wordings and marks that the assistant finds
 * them by.
 */
export const withoutWordings = (markdown: string): string =>
  markdown
    .replaceAll(/^#### [\s\S]*?(?=^#{1,3} |$(?![\s\S]))/gm, '')
    .replaceAll(/^\*(?:Also asked|When|Live|Card):\*.*\n\n?/gm, '')
    .replaceAll(/ · \*(?:Live|Card|When):\*.*$/gm, '');
