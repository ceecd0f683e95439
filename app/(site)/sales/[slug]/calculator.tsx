'use client';

import { type ReactNode, useState } from 'react';
import { amountSize } from '../../_ui/amount-size.ts';
import { Field } from '../../_ui/field.tsx';
import { formatAmount } from '../../_ui/format.ts';
import { useInputBeforeHydration } from '../../_ui/use-input-before-hydration.ts';
import { type Offer, splitAmount } from './split-amount.ts';
import { typedAmount } from './typed-amount.ts';

const PARTS_SHOWN = 5;

/** Splits an amount over the tiers while it is typed, by the code that decides on the server. */
export function Calculator({
  offer,
  unit,
  initial,
  isOpen,
  note,
}: {
  offer: Offer;
  unit: string;
  initial: string;
  /** Whether a payment buys now. */
  isOpen: boolean;
  note: ReactNode;
}) {
  const [text, setText] = useState(initial);
  const input = useInputBeforeHydration<HTMLInputElement>(setText);
  const read = typedAmount(text);
  const split = typeof read === 'bigint' ? splitAmount(read, offer) : null;
  return (
    <div className="space-y-4">
      <Field
        ref={input}
        id="amount"
        name="amount"
        label="You pay, in XRP"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        fault={typeof read === 'string' ? read : undefined}
      />
      <output htmlFor="amount" className="block text-sm">
        {split === null ? (
          <span className="text-soft">Enter an amount to see what it buys.</span>
        ) : split.parts.length === 0 ? (
          <span>{split.none}</span>
        ) : (
          <>
            <span className="block text-soft">{isOpen ? 'You receive' : 'You would receive'}</span>
            <span className={`figures block font-semibold tracking-tight ${amountSize(formatAmount(split.tokens))}`}>
              {formatAmount(split.tokens)} <span className="text-base font-normal text-soft">{unit}</span>
            </span>
            <span className="mt-3 block divide-y divide-line border-y border-line">
              {split.parts.slice(0, PARTS_SHOWN).map((part) => (
                <span key={part.tier} className="figures flex flex-wrap justify-between gap-x-4 py-2">
                  <span className="text-soft">
                    Tier {part.tier} at {formatAmount(part.price)}
                  </span>
                  <span>
                    {formatAmount(part.tokens)} <span className="text-soft">for {formatAmount(part.xrp)} XRP</span>
                  </span>
                </span>
              ))}
              {split.parts.length > PARTS_SHOWN && (
                <span className="block py-2 text-soft">
                  and {split.parts.length - PARTS_SHOWN} more tiers, up to tier {split.parts.at(-1)?.tier}
                </span>
              )}
            </span>
            {split.back !== '0.000000' && (
              <span className="mt-2 block text-soft">
                {formatAmount(split.back)} XRP is refunded to you{split.why}.
              </span>
            )}
          </>
        )}
      </output>
      <p className="text-xs text-soft">{note}</p>
    </div>
  );
}
