/** What a visitor chose; without a choice the page follows the system. */
export const THEME_COOKIE = 'theme';

export type Theme = 'light' | 'dark';

export const themeOf = (text: string | undefined): Theme | undefined =>
  text === 'light' || text === 'dark' ? text : undefined;
