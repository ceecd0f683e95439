import type { Purpose } from '@tranche/rules/custody.ts';
import { debtOf, encodeAssignment, purposeId } from '@tranche/rules/custody.ts';
import { toFeedEntry } from '@tranche/rules/feed-entry.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { parseTerms } from '@tranche/verifier/terms.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Limits } from '../decide.ts';
import { Derivation } from '../derive.ts';
import { type Candidate, writePurpose } from '../protocol.ts';

const account = (name: string): string => `r${name.repeat(30).slice(0, 30)}`;
const [DEPOSIT, DISTRIBUTOR, ISSUER, TREASURY] = ['D', 'S', 'J', 'T'].map(account) as [string, string, string, string];
const [PLATFORM, W1, W2, W3] = ['P', '1', '2', '3'].map(account) as [string, string, string, string];
const PROJECT = `proj_${'A'.repeat(22)}`;
const TAG = 7;
const LIVE = 6;
const FROM = 10;

const custody = {
  quorum: 4,
  platform: { account: PLATFORM, weight: 2 },
  witnesses: [W1, W2, W3].map((key) => ({ account: key, weight: 1, name: key, operator: key })),
  ledgers_to_live: LIVE,
  from_ledger: FROM,
  refund_min_xrp: '0.001000',
};
const canonical = JSON.stringify({
  v: 1,
  project: PROJECT,
  token: { kind: 'iou', currency: 'DMO', issuer: ISSUER, decimals: 2 },
  distributor: DISTRIBUTOR,
  deposit_address: DEPOSIT,
  destination_tag: TAG,
  tiers: [{ tier: 1, price_per_token: '0.10', total_tokens: '100000', access: 'open', starts_at: null }],
  starts_at: null,
  ends_at: null,
  soft_cap_xrp: null,
  min_investment_xrp: null,
  max_per_wallet_xrp: null,
  access: 'open',
  distribution: 'immediate',
  vesting: { immediate_bps: 5_000, cliff_days: 0, period_days: 0, periods: 1 },
  treasury: TREASURY,
  refund_min_xrp: '0.001000',
  operating_accounts: [],
  custody,
});
const TERMS = parseTerms(PROJECT, { canonical, sha256: sha256Hex(canonical), anchor: null });

const LIMITS: Limits = {
  maxFeeDrops: 1_000n,
  feesOfDayDrops: { debts: 10n ** 12n, other: 10n ** 12n },
  releasesOfHourDrops: new Map(),
};
const XRP = 1_000_000n;
const hashOf = (n: number): string => n.toString(16).toUpperCase().padStart(64, '0');

interface Signed {
  transaction: Record<string, unknown>;
  last: number;
  /** The candidate's account. */
  from: string;
}

/** A ledger of its own: what is submitted comes into it if ticket, sequence and last ledger allow. */
class Chain {
  index = FROM;
  readonly pages: { account: string; raw: unknown; ledgerIndex: number }[] = [];
  readonly tickets = new Map([DEPOSIT, DISTRIBUTOR].map((each) => [each, new Set<number>()]));
  readonly sequences = new Map([DEPOSIT, DISTRIBUTOR].map((each) => [each, 100]));
  transactions = 0;
  #position = 0;

  close(): void {
    this.index += 1;
    this.#position = 0;
  }

  #raw(tx: object, delivered: unknown, nodes: unknown[] = []) {
    this.transactions += 1;
    return {
      hash: hashOf(this.transactions),
      ledger_index: this.index,
      validated: true,
      meta: {
        TransactionIndex: this.#position++,
        TransactionResult: 'tesSUCCESS',
        AffectedNodes: nodes,
        ...(delivered === undefined ? {} : { delivered_amount: delivered }),
      },
      tx_json: { Fee: '40', date: this.index * 10, ...tx },
    };
  }

  /** Somebody pays the deposit account. */
  pay(sender: string, drops: bigint, tag: number | undefined) {
    const tx = { TransactionType: 'Payment', Account: sender, Destination: DEPOSIT };
    const raw = this.#raw({ ...tx, ...(tag === undefined ? {} : { DestinationTag: tag }) }, drops.toString());
    this.pages.push({ account: DEPOSIT, raw, ledgerIndex: this.index });
    return { hash: raw.hash, ledgerIndex: this.index, transactionIndex: raw.meta.TransactionIndex };
  }

  /** A quorum has signed it. True when the ledger takes it. */
  submit({ transaction, last, from }: Signed, fails = false): boolean {
    const tickets = this.tickets.get(from) ?? new Set();
    if (last <= this.index) return false;
    const { TicketSequence: ticket, Sequence: sequence } = transaction as { TicketSequence?: number; Sequence: number };
    if (ticket === undefined ? sequence !== this.sequences.get(from) : !tickets.delete(ticket)) return false;
    const nodes: unknown[] = [];
    if (ticket === undefined) {
      const count = transaction.TransactionType === 'TicketCreate' ? (transaction.TicketCount as number) : 0;
      for (let each = sequence + 1; each <= sequence + count; each++) {
        tickets.add(each);
        nodes.push({
          CreatedNode: { LedgerEntryType: 'Ticket', NewFields: { Account: from, TicketSequence: each } },
        });
      }
      this.sequences.set(from, sequence + 1 + count);
    }
    const Signers = [PLATFORM, W1, W2].map((Account) => ({ Signer: { Account } }));
    const delivered = fails || transaction.TransactionType !== 'Payment' ? undefined : transaction.Amount;
    const raw = this.#raw({ ...transaction, Signers }, delivered, nodes);
    if (fails) raw.meta.TransactionResult = 'tecPATH_DRY';
    this.pages.push({ account: from, raw, ledgerIndex: this.index });
    return true;
  }

  /** What a witness has derived that has read up to this ledger. */
  read(through: number): Derivation {
    const derivation = new Derivation([TERMS]);
    for (const address of [DEPOSIT, DISTRIBUTOR]) {
      const entries = this.pages.filter((page) => page.account === address && page.ledgerIndex <= through);
      derivation.take(
        address,
        entries.map(({ raw }) => toFeedEntry(address, raw)),
      );
    }
    for (const one of derivation.accounts.values()) {
      one.mustCheck = false;
      one.onLedger = { balanceDrops: 10n ** 12n, ownerCount: 0, sequence: this.sequences.get(one.address) ?? 0 };
    }
    derivation.settle({
      ledgerIndex: through,
      hash: '',
      closedAtMs: (through * 10 + 946_684_800) * 1_000,
      reserveBaseDrops: 0n,
      reserveIncrementDrops: 0n,
    });
    return derivation;
  }

  launch(): void {
    this.close();
    const memo = { v: 1, project: PROJECT, move: 'launch', terms_hash: TERMS.hash };
    const candidate: Candidate = {
      kind: 'action',
      memo: memo as never,
      sequence: 100,
      fee_drops: '40',
      last_ledger_sequence: this.index + 2,
    };
    const signed = ask(this.read(this.index), DEPOSIT, candidate);
    if (signed === null) throw new Error('The launch was not signed');
    this.submit(signed);
    this.close();
  }
}

function ask(derivation: Derivation, address: string, candidate: Candidate): Signed | null {
  const decision = decide(derivation, { limits: LIMITS, pending: [] }, address, candidate);
  if ('refused' in decision) return null;
  return {
    transaction: decision.transaction as Record<string, unknown>,
    last: candidate.last_ledger_sequence,
    from: address,
  };
}

const keyOf = ({ transaction }: Signed): string =>
  JSON.stringify([transaction.Destination, transaction.Amount, transaction.TicketSequence]);

describe('the rule of one ticket', () => {
  it('leaves no two payments of one debt that can both be validated, whoever of several witnesses of any lag signs, over random histories, requests, failures, cancellations and delays', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), tagged: fc.boolean() }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('ticket' as const), debt: fc.nat(40), lag: fc.nat(4) }) },
      {
        weight: 8,
        arbitrary: fc.record({ do: fc.constant('sign' as const), debt: fc.nat(40), pick: fc.nat(3), lag: fc.nat(4) }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('submit' as const),
          which: fc.nat(40),
          fails: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('spend' as const), ticket: fc.nat(20), lag: fc.nat(2) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('cancel' as const),
          really: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
        }),
      },
      { weight: 6, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
    );
    const seen = { paid: 0, signedTwice: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), (steps) => {
        const chain = new Chain();
        chain.launch();
        const debts: { purpose: Purpose; from: string }[] = [];
        const signed: Signed[] = [];
        const last = (lag: number): { fee_drops: string; last_ledger_sequence: number } => ({
          fee_drops: '40',
          last_ledger_sequence: chain.index - 1 - lag + LIVE,
        });
        const lagOf = (each: object): number => ('lag' in each ? Number(each.lag) : 0);
        const view = (lag: number): Derivation => chain.read(Math.max(FROM, chain.index - lag - 1));
        const put = (one: Signed | null): void => {
          if (one !== null) signed.push(one);
        };
        for (const each of steps) {
          switch (each.do) {
            case 'pay': {
              const place = chain.pay(account('B'), 3n * XRP, each.tagged ? TAG : undefined);
              for (const part of [1, 2])
                debts.push({ purpose: { kind: 'distribution', payment: place, part }, from: DISTRIBUTOR });
              for (const part of [1, 2, 3])
                debts.push({ purpose: { kind: 'refund', payment: place, part }, from: DEPOSIT });
              break;
            }
            case 'ticket': {
              const debt = debts[each.debt % Math.max(1, debts.length)];
              if (debt === undefined) break;
              const sequence = chain.sequences.get(debt.from) ?? 0;
              const created = ask(view(each.lag), debt.from, {
                kind: 'ticket_create',
                purposes: [writePurpose(debt.purpose)],
                sequence,
                ...last(lagOf(each)),
              });
              if (created !== null && chain.submit(created)) break;
              // People may have signed further tickets for it: the rule must hold all the same.
              if (each.debt % 2 === 0) {
                chain.submit({
                  transaction: {
                    TransactionType: 'TicketCreate',
                    Account: debt.from,
                    TicketCount: 2,
                    Memos: [encodeAssignment([purposeId(debt.purpose), purposeId(debt.purpose)])],
                    Sequence: sequence,
                  },
                  last: chain.index + 1,
                  from: debt.from,
                });
              }
              break;
            }
            case 'sign': {
              const derivation = view(each.lag);
              const openFor = ({ purpose, from }: (typeof debts)[number]): number[] =>
                derivation.accounts.get(from)?.openFor(purposeId(purpose)) ?? [];
              const ticketed = debts.filter((one) => openFor(one).length > 0);
              const debt = ticketed[each.debt % Math.max(1, ticketed.length)];
              if (debt === undefined) break;
              const open = openFor(debt);
              const ticket = open[each.pick % Math.max(1, open.length)];
              if (ticket === undefined) break;
              put(
                ask(derivation, debt.from, {
                  kind: 'payment',
                  purpose: writePurpose(debt.purpose),
                  ticket,
                  ...last(lagOf(each)),
                }),
              );
              break;
            }
            case 'spend': {
              const open = [...(chain.tickets.get(DEPOSIT) ?? [])];
              const ticket = open[each.ticket % Math.max(1, open.length)];
              if (ticket !== undefined)
                put(ask(view(each.lag), DEPOSIT, { kind: 'ticket_cancel', ticket, ...last(lagOf(each)) }));
              break;
            }
            case 'cancel': {
              if (!each.really) break;
              const memo = { v: 1 as const, project: PROJECT, move: 'cancel' as const };
              put(
                ask(view(0), DEPOSIT, {
                  kind: 'action',
                  memo,
                  sequence: chain.sequences.get(DEPOSIT) ?? 0,
                  ...last(lagOf(each)),
                }),
              );
              break;
            }
            case 'submit': {
              const one = signed[each.which % Math.max(1, signed.length)];
              if (one !== undefined) chain.submit(one, each.fails && one.transaction.TransactionType === 'Payment');
              break;
            }
            case 'close':
              chain.close();
          }
        }
        // Everything that was ever signed is tried at once, in the order most likely to pay twice.
        for (const one of signed) chain.submit(one);
        chain.close();
        const derivation = chain.read(chain.index);
        for (const one of derivation.accounts.values()) expect(one.fault).toBeNull();
        // By the ledger alone: no investor has got more than they paid, in XRP and tokens together.
        const paid = new Map<string, bigint>();
        for (const { raw } of chain.pages) {
          const { tx_json: tx, meta } = raw as {
            tx_json: Record<string, unknown>;
            meta: { delivered_amount?: unknown };
          };
          if (tx.TransactionType !== 'Payment' || meta.delivered_amount === undefined || tx.Destination === DEPOSIT)
            continue;
          const created =
            derivation.accounts.get(tx.Account as string)?.tickets.get(tx.TicketSequence as number)?.purpose ?? '';
          const debt = debtOf(created);
          if (debt === null) throw new Error(`A payment with a ticket for nothing: ${created}`);
          const key = `${debt.payment.ledgerIndex}:${debt.payment.transactionIndex}`;
          const { delivered_amount: delivered } = meta;
          // A token costs 0.10 XRP.
          const value =
            typeof delivered === 'string'
              ? BigInt(delivered)
              : BigInt(Math.round(Number((delivered as { value: string }).value) * 100_000));
          paid.set(key, (paid.get(key) ?? 0n) + value);
          seen.paid += 1;
        }
        for (const [place, value] of paid)
          expect({ place, value, atMost: value <= 3n * XRP }).toMatchObject({ atMost: true });
        seen.signedTwice += signed.length - new Set(signed.map(keyOf)).size;
      }),
      { numRuns: 80 },
    );
    expect(seen.paid).toBeGreaterThan(5);
    expect(seen.signedTwice).toBeGreaterThan(5);
  });

  it('lets everything owed be paid once: with a ticket it is signed, and after that it is paid', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (tagged) => {
        const chain = new Chain();
        chain.launch();
        const debts = tagged.flatMap((isTagged) => {
          const payment = chain.pay(account('B'), 3n * XRP, isTagged ? TAG : 99);
          const owed: { purpose: Purpose; from: string }[] = isTagged
            ? [1, 2].map((part) => ({ purpose: { kind: 'distribution', payment, part }, from: DISTRIBUTOR }))
            : [{ purpose: { kind: 'refund', payment, part: 1 }, from: DEPOSIT }];
          return owed;
        });
        chain.close();
        for (const { purpose, from } of debts) {
          const limits = { fee_drops: '40', last_ledger_sequence: chain.index + 3 };
          const sequence = chain.sequences.get(from) ?? 0;
          const tickets = ask(chain.read(chain.index), from, {
            kind: 'ticket_create',
            purposes: [writePurpose(purpose)],
            sequence,
            ...limits,
          });
          expect(tickets).not.toBeNull();
          chain.submit(tickets as Signed);
          const payment = { kind: 'payment', purpose: writePurpose(purpose), ticket: sequence + 1, ...limits } as const;
          const pays = ask(chain.read(chain.index), from, payment);
          expect(pays).not.toBeNull();
          expect(chain.submit(pays as Signed)).toBe(true);
          const again = decide(chain.read(chain.index), { limits: LIMITS, pending: [] }, from, payment);
          expect(again).toMatchObject({ refused: { reason: 'paid' } });
          chain.close();
        }
        const derivation = chain.read(chain.index);
        for (const one of derivation.accounts.values()) expect(one.fault).toBeNull();
      }),
      { numRuns: 15 },
    );
  });
});
