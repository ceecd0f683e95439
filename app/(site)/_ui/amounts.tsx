import { currencyName, formatAmount, formatReadable } from './format.ts';

interface AmountProps {
  value: string;
  className?: string;
  /** Every digit is seen: on receipts, and where somebody decides about the amount. */
  isExact?: boolean;
}

/**
 * An amount with its unit, which stay on one line. Where it has more digits than are read, the exact amount is what is heard,
 * copied, and shown on demand.
 */
export function Amount({ value, unit, className = '', isExact = false }: AmountProps & { unit: string }) {
  const exact = formatAmount(value);
  const readable = isExact ? exact : formatReadable(value);
  return (
    <span
      className={`figures relative whitespace-nowrap ${className}`}
      title={exact === readable ? undefined : `${exact} ${unit}`}
    >
      {exact === readable ? (
        exact
      ) : (
        <>
          <span className="sr-only">{exact}</span>
          <span aria-hidden className="select-none">
            {readable}
          </span>
        </>
      )}{' '}
      <span className="text-soft">{unit}</span>
    </span>
  );
}

export const Xrp = (props: AmountProps) => <Amount {...props} unit="XRP" />;

type Token = { kind: 'iou'; currency: string } | { kind: 'mpt' };

/** What a project's token is called beside amounts. */
export const tokenUnit = (token: Token): string => (token.kind === 'iou' ? currencyName(token.currency) : 'tokens');

export const Tokens = ({ token, ...props }: AmountProps & { token: Token }) => (
  <Amount {...props} unit={tokenUnit(token)} />
);
