import { actionMemo } from '@tranche/rules/action-memo.ts';
import type { Purpose } from '@tranche/rules/custody.ts';
import { isoTime, xrpAmount } from '@tranche/rules/wire.ts';
import * as z from 'zod';

// What a witness is asked and what it answers (docs/custody.md). The platform's client is made of the same schemas.

/** Candidates of one request. */
export const MAX_CANDIDATES = 200;
/** Bytes of one request. */
export const MAX_REQUEST_BYTES = 256 * 1024;

/** Why a witness does not sign. The closed list. */
export const REFUSALS = {
  halted: 'The operator of the witness has stopped it',
  catching_up: 'Its servers do not answer, or it has not read as far as they are',
  servers_disagree: 'Its servers show different ledgers or transactions',
  history_incomplete: 'A server lacks a part of the history of an account',
  server_outdated: 'A server runs an older release than the witness asks for',
  history_unexplained: 'The account has sent something that no obligation explains: its operator must look',
  account_not_served: 'No sale that it approved is paid from this account',
  custody_differs: 'The account, or what it has sent, is not as the terms say',
  sale_not_approved: 'A sale was launched, or is to be launched, that its operator has not approved',
  rules_unknown: 'The terms that it approved cannot be read, or are of a version that it does not know',
  inputs_missing:
    'Terms or an allowlist that the ledger names, or a credential that a payment depends on, cannot be had',
  not_owed: 'By the rules nobody is owed this',
  not_due: 'It is owed, and not due yet',
  paid: 'It is paid already; `transaction_hash` names the payment',
  ticket_unknown: 'The account has never created this ticket',
  ticket_used: 'A validated transaction has used this ticket',
  ticket_for_other_purpose: 'The ticket was created for something else, or for nothing',
  earlier_ticket_open: 'An earlier ticket for the same purpose is not used yet',
  release_too_large: 'More than what is earned and not released, or than what the account can spare',
  not_possible_now: 'By the rules this action would have no effect now',
  too_many_tickets: 'The account would hold more than 250 tickets',
  fee_too_high: 'More than the highest fee of a transaction',
  fee_limit_reached: 'The fees of a day are spent',
  amount_limit_reached: 'What may be released in an hour is released',
  expires_too_late: 'LastLedgerSequence lies too many ledgers ahead',
  expired: 'LastLedgerSequence has passed',
  malformed: 'The candidate has another form than this document says',
} as const;
export type RefusalReason = keyof typeof REFUSALS;
export const REFUSAL_REASONS = Object.keys(REFUSALS) as [RefusalReason, ...RefusalReason[]];

const address = () => z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/);
const ledgerIndex = () => z.int().min(1).max(4_294_967_295);

/** What a ticket is for, as it travels. A payment is named by its place on the ledger. */
export const wirePurpose = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.enum(['distribution', 'refund']),
      ledger_index: ledgerIndex(),
      transaction_index: z.int().min(0).max(65_535),
      part: z.int().min(1).max(65_535),
    }),
    z.strictObject({ kind: z.literal('release'), project: z.string().regex(/^proj_[0-9A-Za-z]{22}$/) }),
  ]),
);
export type WirePurpose = z.output<typeof wirePurpose>;

export const readPurpose = (wire: WirePurpose): Purpose =>
  wire.kind === 'release'
    ? { kind: 'release', projectId: wire.project }
    : {
        kind: wire.kind,
        payment: { ledgerIndex: wire.ledger_index, transactionIndex: wire.transaction_index },
        part: wire.part,
      };

export const writePurpose = (purpose: Purpose): WirePurpose =>
  purpose.kind === 'release'
    ? { kind: 'release', project: purpose.projectId }
    : {
        kind: purpose.kind,
        ledger_index: purpose.payment.ledgerIndex,
        transaction_index: purpose.payment.transactionIndex,
        part: purpose.part,
      };

const limits = () => ({
  fee_drops: z.string().regex(/^[1-9]\d{0,8}$/),
  last_ledger_sequence: ledgerIndex(),
});

/** One transaction that a witness is asked to sign. It builds the bytes itself (`@tranche/rules`, transactions). */
export const candidate = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('payment'),
      purpose: wirePurpose,
      ticket: ledgerIndex(),
      release: z.strictObject({ released_xrp: xrpAmount, amount_xrp: xrpAmount }).optional().meta({
        description: 'Of a release: what was released before it, by the caller’s knowledge, and what it releases',
      }),
      ...limits(),
    }),
    z.strictObject({
      kind: z.literal('ticket_create'),
      purposes: z.array(wirePurpose).min(1).max(100),
      sequence: ledgerIndex(),
      ...limits(),
    }),
    z.strictObject({ kind: z.literal('ticket_cancel'), ticket: ledgerIndex(), ...limits() }),
    z.strictObject({
      kind: z.literal('action'),
      memo: actionMemo,
      sequence: ledgerIndex().optional().meta({ description: 'Of every action but `assign`' }),
      ticket: ledgerIndex()
        .optional()
        .meta({ description: 'Of `assign`: a ticket for the refund, part 1, of the payment' }),
      ...limits(),
    }),
  ]),
);
export type Candidate = z.output<typeof candidate>;

export const signaturesRequest = z.lazy(() =>
  z.strictObject({
    account: address().meta({ description: 'The account whose transactions these are' }),
    candidates: z.array(candidate).min(1).max(MAX_CANDIDATES),
  }),
);
export type SignaturesRequest = z.output<typeof signaturesRequest>;

export const refusal = z.lazy(() =>
  z.object({
    reason: z.enum(REFUSAL_REASONS),
    detail: z.string(),
    transaction_hash: z
      .string()
      .regex(/^[0-9A-F]{64}$/)
      .optional()
      .meta({ description: 'With `paid`: the payment' }),
  }),
);
export type Refusal = z.output<typeof refusal>;

export type Refused = { refused: Refusal };
export const refuse = (reason: RefusalReason, detail: string, hash?: string): Refused => ({
  refused: { reason, detail, ...(hash === undefined ? {} : { transaction_hash: hash }) },
});

export const signature = z.lazy(() =>
  z.object({
    account: address().meta({ description: 'Address of the witness’s key' }),
    public_key: z.string().regex(/^[0-9A-F]{66}$/),
    signature: z.string().regex(/^(?:[0-9A-F]{2}){64,80}$/),
  }),
);
export type WitnessSignature = z.output<typeof signature>;

export const signaturesAnswer = z.lazy(() =>
  z.object({
    ledger_index: z
      .int()
      .meta({ description: 'The validated ledger that the witness decided by; 0 while it has none' }),
    results: z
      .array(z.union([z.object({ signed: signature }), z.object({ refused: refusal })]))
      .meta({ description: 'One for each candidate, in their order' }),
  }),
);
export type SignaturesAnswer = z.output<typeof signaturesAnswer>;

const halted = () =>
  z
    .object({ since: isoTime, reason: z.string() })
    .nullable()
    .meta({ description: 'Null unless its operator has stopped it' });

export const statusAnswer = z.lazy(() =>
  z.object({
    name: z.string(),
    version: z.string(),
    rules_version: z.int().meta({ description: 'The version of the terms that it knows (`v`)' }),
    key: address(),
    accounts: z.array(
      z.object({
        account: address(),
        sales: z.array(z.string()).meta({ description: 'Approved sales that are paid from it' }),
        refuses: refusal.nullable().meta({ description: 'Why it signs nothing for this account now' }),
      }),
    ),
    unreadable_approvals: z
      .array(z.object({ file: z.string(), reason: z.enum(REFUSAL_REASONS), detail: z.string() }))
      .default([])
      .meta({ description: 'Approvals that count for nothing; the accounts that they name are among `accounts`' }),
    ledger_index: z.int(),
    ledger_time: isoTime.nullable(),
    servers: z.array(z.object({ host: z.string(), ok: z.boolean() })),
    halted: halted(),
    signed_24h: z.int(),
    refused_24h: z.int(),
    recent_refusals: z.array(
      z.object({ at: isoTime, reason: z.enum(REFUSAL_REASONS), kind: z.string(), purpose: z.string().nullable() }),
    ),
  }),
);
export type StatusAnswer = z.output<typeof statusAnswer>;

export const healthAnswer = z.lazy(() =>
  z.object({
    status: z.enum([
      'ok',
      'halted',
      'catching_up',
      'servers_disagree',
      'history_incomplete',
      'server_outdated',
      'rules_unknown',
      'inputs_missing',
    ]),
    ledger_index: z.int(),
  }),
);
export type HealthAnswer = z.output<typeof healthAnswer>;

/** A request that was not looked at: not authorized, too large, too often, or no JSON of this form. */
export const faultAnswer = z.lazy(() => z.object({ error: z.string(), detail: z.string() }));
