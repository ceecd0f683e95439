import type { Ledger, SubmitResult } from '#lib/xrpl/types.ts';

/** A ledger with its submissions: each blob in the order in which it was handed in. */
export interface CountingLedger {
  ledger: Ledger;
  submissions: string[];
}

/** The given ledger, which keeps count. With `answer` a submission is answered so and goes nowhere. */
export function countingLedger(ledger: Ledger, answer?: SubmitResult): CountingLedger {
  const submissions: string[] = [];
  const submit: Ledger['submit'] = async (blob) => {
    submissions.push(blob);
    return answer ?? ledger.submit(blob);
  };
  return {
    submissions,
    ledger: new Proxy(ledger, {
      get: (target, name) => (name === 'submit' ? submit : Reflect.get(target, name)),
    }),
  };
}
