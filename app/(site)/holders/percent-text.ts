const PERCENT = 100;
const DECIMALS = 2;

/** A share of 0 to 1 as percent with two decimals; what is above zero is never shown as nothing. */
export function percentText(share: number): string {
  const text = (share * PERCENT).toFixed(DECIMALS);
  return share > 0 && Number(text) === 0 ? 'under 0.01%' : `${text.replace(/\.?0+$/, '')}%`;
}
