import { currencyName, formatAmount } from './format.ts';

/** An exact amount with its unit, which stay on one line. */
export function Amount({ value, unit, className = '' }: { value: string; unit: string; className?: string }) {
  return (
    <span className={`figures whitespace-nowrap ${className}`}>
      {formatAmount(value)} <span className="text-soft">{unit}</span>
    </span>
  );
}

export const Xrp = ({ value, className = '' }: { value: string; className?: string }) => (
  <Amount value={value} unit="XRP" className={className} />
);

type Token = { kind: 'iou'; currency: string } | { kind: 'mpt' };

/** What a project's token is called beside amounts. */
export const tokenUnit = (token: Token): string => (token.kind === 'iou' ? currencyName(token.currency) : 'tokens');

export const Tokens = ({ value, token, className = '' }: { value: string; token: Token; className?: string }) => (
  <Amount value={value} unit={tokenUnit(token)} className={className} />
);
