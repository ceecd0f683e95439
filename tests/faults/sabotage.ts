import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** One passage of one file of the app, and what takes its place. */
interface Patch {
  file: string;
  passage: string;
  by: string;
}

/** Ways to break the app on purpose, in the processes of the campaign only: what each of them does must be found. */
export const SABOTAGES = {
  /** Paying an investor is told to nobody, one time in four. */
  'lost event': [
    {
      file: 'lib/payouts/settle.ts',
      passage: "if (outcome.kind === 'validated') {",
      by: "if (outcome.kind === 'validated' && attempt.payout.id.charCodeAt(8) % 4 === 0) return [];\nif (outcome.kind === 'validated') {",
    },
  ],
  /** Events are written a moment after the change that they tell of, and not with it. */
  'events apart': [
    {
      file: 'lib/sales/feed/confirm.ts',
      passage: 'await appendEvents(tx, events);',
      by: 'setTimeout(() => ctx.db.transaction((other) => appendEvents(other, events)).catch(() => undefined), 200);',
    },
  ],
  /** A payout is sent before it is written down. */
  'sent before written': [
    {
      file: 'lib/payouts/attempts.ts',
      passage: 'const persisted = await persist(ctx.db, signed, terms);',
      by: `await Promise.all(signed.map(({ txBlob }) => ctx.ledger.submit(txBlob).catch(() => null)));
        const persisted = await persist(ctx.db, signed, terms);`,
    },
  ],
  /** What is not found counts as never to come, without the proof that it cannot. */
  'given up early': [
    {
      file: 'lib/payouts/decide-attempt.ts',
      passage:
        "if (ticket.kind !== 'unknown' && provesAbsence(history, attempt.firstLedger, attempt.lastLedgerSequence)) {",
      by: 'if (history.validatedIndex > attempt.firstLedger) {',
    },
  ],
  /** The first payment of each page is counted twice. */
  'counted twice': [
    {
      file: 'lib/sales/feed/recognise.ts',
      passage: 'fresh.filter(isAfterStart).reduce',
      by: '[...fresh, ...fresh.slice(0, 1)].filter(isAfterStart).reduce',
    },
  ],
  /** The cursor moves without a look at where it stands: what keeps a payment from counting twice is then its hash alone. */
  'no fence at the cursor': [
    {
      file: 'lib/sales/feed/recognise.ts',
      passage: 'loaded.account.cursorLedger !== input.afterLedger || loaded.account.halted',
      by: 'loaded.account.halted',
    },
  ],
  /** A drop of each refund is kept. */
  'a drop kept': [
    {
      file: 'lib/sales/feed/new-payouts.ts',
      passage: 'amount: refund.drops,',
      by: 'amount: refund.drops > 1n ? refund.drops - 1n : refund.drops,',
    },
  ],
  /** A callback of the queue is heeded though somebody is at that attempt. */
  'no claim': [
    {
      file: 'lib/webhooks/delivery/attempt-delivery.ts',
      passage: 'and d.leased_until is null and w.active',
      by: 'and w.active',
    },
  ],
  /** Of witnesses: what one of them says is paid counts as paid, by whatever it names. */
  'paid by hearsay': [
    {
      file: 'lib/payouts/settle.ts',
      passage: '|| paid.account !== account || paid.ticket === null || !paysExactly(payout, paid)',
      by: '',
    },
    { file: 'lib/payouts/settle.ts', passage: 'and exists (select from', by: 'or false and exists (select from' },
  ],
  /** A payout is paid with the first ticket that there is, whatever it was created for. */
  'ticket of another purpose': [
    {
      file: 'lib/payouts/pay-assigned.ts',
      passage: 'const assigned = tickets.usable.get(purposeIdOf(payout));',
      by: 'const assigned = [...tickets.usable.values()][0] ?? tickets.usable.get(purposeIdOf(payout));',
    },
  ],
  /** What was claimed is not held against the rate limit of a webhook. */
  'no pace': [
    {
      file: 'lib/webhooks/delivery/claim.ts',
      passage: 'make_interval(secs => taken.count::float8 / w.rate_limit)',
      by: "interval '0'",
    },
  ],
  /** A receiver's wish for a retry is granted, however soon. */
  'retried too soon': [
    {
      file: 'lib/webhooks/schemas.ts',
      passage: 'Math.max(scheduled, Math.min(secondsAskedFor(retryAfter, nowMs) ?? 0, latest))',
      by: 'Math.min(secondsAskedFor(retryAfter, nowMs) ?? 0, latest)',
    },
  ],
  /** What a webhook asks for of its events is not looked at. */
  'no conditions': [{ file: 'lib/webhooks/subscription.ts', passage: `and \${fulfilsConditions})\`;`, by: ')`;' }],
  /** The headers that a webhook wants are left out, now and then. */
  'headers left out': [
    {
      file: 'lib/webhooks/delivery/send.ts',
      passage: '{ ...own, ...headers }, claimed.body',
      by: '{ ...(claimed.attempt === 1 ? own : {}), ...headers }, claimed.body',
    },
  ],
  /** That no attempt is left is told to nobody. */
  'failure unreported': [
    { file: 'lib/webhooks/delivery/store-outcomes.ts', passage: 'await reportFailed(tx, ctx, recorded);', by: '' },
  ],
  /** What a receiver answers to an event is kept although the event was erased meanwhile. */
  'answers kept': [
    {
      file: 'lib/webhooks/delivery/store-outcomes.ts',
      passage: "coalesce(d.cancel_reason = 'event_erased', false) as erased",
      by: 'false as erased',
    },
  ],
  /** What is not found is given up, and tried with a second ticket. */
  'two tickets': [
    {
      file: 'lib/payouts/decide-attempt.ts',
      passage:
        "if (ticket.kind !== 'unknown' && provesAbsence(history, attempt.firstLedger, attempt.lastLedgerSequence)) {",
      by: 'if (history.validatedIndex > attempt.firstLedger) {',
    },
    { file: 'lib/payouts/tickets.ts', passage: "ne(payoutAttempts.status, 'expired'),", by: '' },
  ],
  /** Tickets that a restored database does not know stay, and are in the way of others for the same. */
  'unknown tickets kept': [
    {
      file: 'lib/payouts/assigned-tickets.ts',
      passage: 'if (row === undefined || (',
      by: 'if (row === undefined) return false;\nif ((',
    },
  ],
  /** The tickets of a TicketCreate that has expired count as on their way. */
  'expired tickets counted': [
    {
      file: 'lib/payouts/assigned-tickets.ts',
      passage: "eq(ticketRequests.status, 'open'),",
      by: "inArray(ticketRequests.status, ['open', 'expired']),",
    },
    {
      file: 'lib/payouts/assigned-tickets.ts',
      passage: "rows.filter(({ request }) => request === 'open')",
      by: "rows.filter(({ request }) => request !== 'validated')",
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;
export type Sabotage = keyof typeof SABOTAGES;

/** The text of a file with the passages replaced. Throws when one of them is not there, once: the code has changed. */
export async function patched(file: string, patches: readonly Patch[]): Promise<string> {
  let text = await readFile(path.join(ROOT, file), 'utf8');
  for (const { passage, by } of patches) {
    const parts = text.split(passage);
    if (parts.length !== 2) throw new Error(`${file} has the passage ${parts.length - 1} times: ${passage}`);
    text = parts.join(by);
  }
  return text;
}

/** Makes the bundle of the app with the passages replaced. */
export function sabotaged(name: Sabotage): Plugin {
  return {
    name: 'sabotage',
    setup({ onLoad }) {
      for (const [file, patches] of Map.groupBy<string, Patch>(SABOTAGES[name], (patch) => patch.file)) {
        const filter = new RegExp(`^${RegExp.escape(path.join(ROOT, file))}$`);
        onLoad({ filter }, async () => ({ contents: await patched(file, patches), loader: 'ts' }));
      }
    },
  };
}
