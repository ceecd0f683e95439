'use client';

import { THEME_COOKIE } from '../../theme.ts';
import { Icon } from './icon.tsx';

const YEAR_MS = 31_536_000_000;

/** Turns light to dark and back. A script before the page reads the choice from the cookie, so that none flashes in the other colours. */
export function ThemeSwitch() {
  const turn = () => {
    const root = document.documentElement;
    const isDark =
      root.dataset.theme === undefined
        ? matchMedia('(prefers-color-scheme: dark)').matches
        : root.dataset.theme === 'dark';
    const next = isDark ? 'light' : 'dark';
    root.dataset.theme = next;
    // Where there is no cookie store (no secure context), the choice lasts as long as the page.
    void window.cookieStore?.set({
      name: THEME_COOKIE,
      value: next,
      path: '/',
      sameSite: 'lax',
      expires: Date.now() + YEAR_MS,
    });
  };
  return (
    <button
      type="button"
      onClick={turn}
      className="inline-flex size-10 items-center justify-center rounded-lg text-soft hover:bg-sunken hover:text-ink noscript:hidden"
    >
      <Icon name="sun" className="size-5 theme-dark:hidden" />
      <Icon name="moon" className="hidden size-5 theme-dark:block" />
      <span className="sr-only">Switch between light and dark</span>
    </button>
  );
}
