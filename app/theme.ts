/** What a visitor chose; without a choice the page follows the system. */
export const THEME_COOKIE = 'theme';

/** Runs before anything of a page is drawn: the page is the same for everybody, and none flashes in the other colours. */
export const THEME_SCRIPT = `{const m=/(?:^|; )${THEME_COOKIE}=(light|dark)(?:;|$)/.exec(document.cookie);if(m)document.documentElement.dataset.theme=m[1]}`;
