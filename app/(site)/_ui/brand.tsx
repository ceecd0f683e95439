/** The mark: a whole cut in tranches. */
export function Brand({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden className={className}>
      <rect x="3" y="4" width="22" height="5" rx="2.5" className="fill-accent" />
      <rect x="3" y="11.5" width="16" height="5" rx="2.5" className="fill-accent" opacity="0.7" />
      <rect x="3" y="19" width="10" height="5" rx="2.5" className="fill-accent" opacity="0.45" />
    </svg>
  );
}
