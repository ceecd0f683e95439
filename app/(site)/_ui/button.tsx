import type { ComponentProps, MouseEvent } from 'react';

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-strong',
  plain: 'border border-line-strong/50 bg-card text-ink hover:border-line-strong hover:bg-sunken',
  quiet: 'text-soft hover:bg-sunken hover:text-ink',
  danger: 'border border-bad/40 bg-card text-bad hover:bg-bad-soft',
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** One look for buttons and for links that act like one. */
export const buttonClass = (look: ButtonLook = 'plain', extra = ''): string =>
  `inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 py-2 text-sm font-medium transition-colors disabled:opacity-55 aria-disabled:cursor-default aria-disabled:opacity-55 ${LOOKS[look]} ${extra}`;

/** Also keeps Enter in a field from sending the form: browsers click its button for that. */
const refuse = (event: MouseEvent) => event.preventDefault();

/** `isUnavailable`: does nothing for now. Unlike `disabled` it leaves the focus where it is. */
export function Button({
  look = 'plain',
  className = '',
  type = 'button',
  isUnavailable = false,
  ...rest
}: ComponentProps<'button'> & { look?: ButtonLook; isUnavailable?: boolean }) {
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      {...rest}
      {...(isUnavailable ? { 'aria-disabled': true, onClick: refuse } : {})}
    />
  );
}
