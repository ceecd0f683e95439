import { createHash } from 'node:crypto';
import type { ExceptionResource } from '@tranche/verifier/published.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { LastLedger, LedgerTransaction } from '../second-implementation/publications.ts';
import {
  DEPOSIT,
  DISTRIBUTOR,
  FREE,
  ISSUER,
  REFUND_TAG,
  REGISTERED_LEDGER,
  START_MS,
  START_S,
  STRANGER,
  TREASURY,
  XRP,
} from './accounts.ts';
import { type DrawnCustody, signedBy, type TicketChoice, type TicketsStep } from './custody.ts';
import { actionTransaction } from './memos.ts';
import { PayingAccounts } from './paying-accounts.ts';
import { arrivalOf, dropsOf } from './payments.ts';
import type { ActionStep, PaymentStep, Step } from './steps.ts';
import { type DrawnProject, sha256 } from './terms.ts';

const LEDGER_SECONDS = 946_684_800;

/** Turns drawn steps into what the ledger and the platform publish. Close times never go back. */
export class HistoryWriter {
  /** Of the first sale; null when one key signs. */
  readonly paying: PayingAccounts | null;
  readonly #projects: readonly DrawnProject[];
  readonly #lines: LedgerTransaction[] = [];
  readonly #exceptions: ExceptionResource[] = [];
  /** Hashes of payments that may be held. */
  readonly #kept: string[] = [];
  /** Times that the terms name, in the ledger's seconds. */
  readonly #named: number[];
  #ledger: number = REGISTERED_LEDGER;
  #closeTime: number = START_S;
  #index = 0;

  constructor(projects: readonly DrawnProject[]) {
    this.#projects = projects;
    this.#named = projects.flatMap(({ row, tiers }) =>
      [row.startsAt, row.endsAt, ...tiers.map((tier) => tier.startsAt)].flatMap((time) =>
        time === null ? [] : [Math.floor(time.getTime() / 1_000) - LEDGER_SECONDS],
      ),
    );
    const [first] = projects;
    const custody = first?.row.custody ?? null;
    this.paying = custody === null ? null : new PayingAccounts(first?.row.id ?? '', (sent) => this.#append(sent));
    // The account's last ledger before its feed begins: a payment that nobody counts.
    this.write({ ...OUTSIDE, wait: { seconds: 0 } });
    while (custody !== null && this.#ledger < custody.from_ledger) {
      this.#nextLedger(1);
      this.write({ ...OUTSIDE, tag: null, sender: TREASURY, wait: { seconds: 0 } });
      this.paying?.createTickets(BEFORE_ITS_PERIOD);
    }
    this.#nextLedger(1);
  }

  get ledger(): LastLedger {
    return { ledger_index: this.#ledger, close_time: this.#closeTime };
  }

  write(step: Step): void {
    const seconds = 'seconds' in step.wait ? step.wait.seconds : this.#untilNamed(step.wait);
    if (seconds > 0) this.#nextLedger(seconds);
    if (step.kind === 'payment') this.#payment(step);
    else if (step.kind === 'action') this.#reduceAction(step);
    else if (step.kind === 'tickets') this.paying?.createTickets(step);
    else if (step.kind === 'pays') this.paying?.pay(step);
    else this.paying?.send(step);
  }

  /** A payment that is held, and its assignment to the first sale. */
  writeAssignment({ ticket, seconds, sentBack }: NonNullable<DrawnCustody['assigns']>): void {
    this.write({ ...OUTSIDE, tag: REFUND_TAG, sender: FREE, wait: { seconds } });
    if (sentBack) {
      this.#nextLedger(1);
      this.paying?.settle(this.#kept.at(-1) ?? '', 'refund', 1);
      this.#nextLedger(1);
    }
    this.writePlainAction(0, 'assign', ticket);
  }

  writePlainAction(
    of: number,
    action: 'launch' | 'list' | 'end' | 'cancel' | 'assign',
    ticket: TicketChoice = 'none',
  ): void {
    this.#reduceAction({
      kind: 'action',
      of,
      action,
      back: 0,
      wrong: false,
      form: 'plain',
      late: false,
      signing: 'quorum',
      ticket,
    });
  }

  /** Ends the account's feed after some quiet, and gives what the ledger and the platform publish of it. */
  close(quietSeconds: number): Written & { last: LastLedger } {
    if (quietSeconds > 0) this.#nextLedger(quietSeconds);
    const last = this.ledger;
    this.write({ ...OUTSIDE, wait: { seconds: 500 } });
    return { ...this.written(), last };
  }

  written(): Written {
    return {
      history: this.#lines
        .filter(({ tx_json: { Account, Destination } }) => Account !== DISTRIBUTOR || Destination === DEPOSIT)
        .toReversed(),
      distributed: this.#lines.filter(({ tx_json }) => tx_json.Account === DISTRIBUTOR),
      exceptions: this.#exceptions,
    };
  }

  nextLedger(): void {
    this.#nextLedger(1);
  }

  #nextLedger(seconds: number): void {
    this.#closeTime += seconds;
    this.#ledger += 1;
    this.#index = 0;
  }

  #untilNamed({ named, beside }: { named: number; beside: number }): number {
    const ahead = this.#named.filter((time) => time + beside > this.#closeTime).sort((a, b) => a - b);
    const time = ahead[named % Math.max(1, ahead.length)];
    return time === undefined ? 0 : time + beside - this.#closeTime;
  }

  #append({ tx_json, meta }: Pick<LedgerTransaction, 'tx_json' | 'meta'>): { hash: string; position: Position } {
    const hash = createHash('sha256').update(`${this.#lines.length}`).digest('hex').toUpperCase();
    const position = { ledger_index: this.#ledger, transaction_index: this.#index };
    this.#lines.push({
      hash,
      ledger_index: this.#ledger,
      close_time: this.#closeTime,
      tx_json: { Fee: '10', date: this.#closeTime, ...tx_json },
      meta: { TransactionIndex: this.#index, AffectedNodes: [], ...meta },
    });
    // Transactions of others lie between.
    this.#index += 1 + (this.#lines.length % 3);
    return { hash, position };
  }

  #payment(step: PaymentStep): void {
    const project = this.#projects[step.to];
    if (project === undefined) return;
    const drops = dropsOf(step, project);
    const { hash, position } = this.#append(arrivalOf(step, drops));
    if (step.by !== 'payment') return;
    const { ledger_index: ledger, transaction_index: index } = position;
    this.paying?.arrived.push({ hash, ledger, index, sender: step.sender, sourceTag: step.sourceTag, drops });
    const about = { ...position, payment_hash: hash, investor_account: step.sender, amount_xrp: formatDrops(drops) };
    if (step.late) this.#exceptions.push({ kind: 'late_discovery', ...about });
    // Under custody nothing is late.
    if (!mayBeHeld({ ...step, late: step.late && this.paying === null })) return;
    this.#kept.push(hash);
    if (step.ifHeld === null) return;
    this.#exceptions.push({ kind: 'refund', ...about, payout_id: `pay_${hash.slice(0, 22)}` });
    if (step.ifHeld === 'assigned_and_refunded') {
      this.#exceptions.push({
        kind: 'assign',
        ...about,
        action_hash: hash,
        payment_ledger_index: position.ledger_index,
        investment_id: `inv_${hash.slice(0, 22)}`,
        assigned_at: new Date(START_MS).toISOString(),
      });
    }
  }

  #reduceAction(step: Omit<ActionStep, 'wait'>): void {
    const project = this.#projects[step.of];
    const another = { v: 1, project: project?.row.id, move: 'pause' };
    const said = this.#said(step);
    const ticket = step.action === 'assign' ? this.paying?.assignFields(String(said.payment), step.ticket) : undefined;
    const { tx_json, meta } = actionTransaction(step.form, said, another);
    this.paying?.happened.push(`action signed: ${step.signing}`);
    const signed = this.paying === null ? {} : { ...ticket, ...signedBy(step.signing) };
    const { hash, position } = this.#append({ tx_json: { ...tx_json, ...signed }, meta });
    if (step.late) this.#exceptions.push({ kind: 'late_action', ...position, action_hash: hash, action: step.action });
  }

  #said({ of, action, back, wrong }: Omit<ActionStep, 'wait'>): Record<string, unknown> {
    const project = this.#projects[wrong && action !== 'launch' && action !== 'list' ? 2 : of];
    const said = { v: 1, project: project?.row.id ?? `proj_${'9'.repeat(22)}`, move: action };
    if (action === 'launch') return { ...said, terms_hash: sha256(wrong ? 'other terms' : (project?.canonical ?? '')) };
    if (action === 'list') {
      const hashes = [...(project?.lists.keys() ?? [])];
      return { ...said, list_hash: wrong ? sha256('no list') : hashes[back % hashes.length] };
    }
    if (action !== 'assign') return said;
    return { ...said, payment: this.#kept.at(-1 - (back % 3)) ?? this.#lines[back]?.hash };
  }
}

/** Most likely: nobody but the rules knows. */
function mayBeHeld({ late, sender, tag }: PaymentStep): boolean {
  return late || tag === REFUND_TAG || (tag !== 'project' && [ISSUER, TREASURY].includes(sender));
}

interface Written {
  history: LedgerTransaction[];
  distributed: LedgerTransaction[];
  exceptions: ExceptionResource[];
}

interface Position {
  ledger_index: number;
  transaction_index: number;
}

const BEFORE_ITS_PERIOD: TicketsStep = {
  kind: 'tickets',
  account: 'deposit',
  purposes: [{ kind: 'release', back: 0, part: 1 }],
  form: 'right',
  signing: 'quorum',
  failed: false,
};

const OUTSIDE: Omit<PaymentStep, 'wait'> = {
  kind: 'payment',
  amount: { drops: 3n * XRP },
  to: 0,
  tag: 'project',
  sender: STRANGER,
  sourceTag: null,
  by: 'payment',
  late: false,
  ifHeld: null,
};
