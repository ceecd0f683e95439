import type { HolderPage, Ledger } from '#lib/xrpl/types.ts';

/** The real ledger, with something that happens before a page is asked for: number 2 is the first that has a marker. */
export function beforePage(ledger: Ledger, act: (page: number) => Promise<void> | void): Ledger {
  let page = 1;
  return {
    ...ledger,
    holderPage: async (token, reading, marker): Promise<HolderPage | null> => {
      page += 1;
      await act(page);
      return ledger.holderPage(token, reading, marker);
    },
  };
}
