import { transactionCostDrops } from '../engine/apply.ts';
import { account } from '../engine/view.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { TransactionFields } from '../transaction.ts';
import { expectedField, expectedMessage, hashIn, invalidField, missingField } from './fields.ts';
import { type RpcContext, RpcError } from './types.ts';

/** What the commands that take a transaction in JSON ask of it before they read it, in the order they ask. */

/** The `tx_json` of a request. */
export function transactionJson(request: JsonObject): JsonObject {
  const { tx_json: json } = request;
  if (!('tx_json' in request)) throw missingField('tx_json');
  if (!isObject(json)) throw expectedField('tx_json', 'object');
  return json;
}

/** Refuses a transaction without its type or a sender; returns the sender. */
export function checkSender(json: JsonObject): string {
  if (!('TransactionType' in json)) throw missingField('tx_json.TransactionType');
  if (!('Account' in json)) throw new RpcError('srcActMissing', { message: "Missing field 'tx_json.Account'." });
  const { Account: sender } = json;
  if (typeof sender === 'string' && isAddress(sender)) return sender;
  throw new RpcError('srcActMalformed', { message: "Invalid field 'tx_json.Account'." });
}

/** What multi-signing asks of a transaction before anything else. */
export function checkMultiSigned(json: JsonObject): void {
  if (!('Sequence' in json)) throw missingField('tx_json.Sequence');
  if (!('SigningPubKey' in json)) throw missingField('tx_json.SigningPubKey');
  if (json.SigningPubKey === '') return;
  throw new RpcError('invalidParams', { message: "When multi-signing 'tx_json.SigningPubKey' must be empty." });
}

const PLAIN_AMOUNT = /^[-+]?[0-9]+$/;

/** Whether a value looks like an amount at all; its details are read with the transaction. */
function isAmount(value: Json | undefined): boolean {
  if (typeof value === 'string') return PLAIN_AMOUNT.test(value) || /[/, ]/.test(value);
  return typeof value === 'number' ? Number.isInteger(value) : isObject(value) && 'value' in value;
}

/** A payment names its amount DeliverMax or Amount, and who receives it. Returns it with Amount alone. */
export function checkPayment(json: JsonObject, request: JsonObject, mayBuildPath: boolean): JsonObject {
  if (json.TransactionType !== 'Payment') return json;
  const { DeliverMax: deliverMax, ...rest } = json;
  const invalid = (message: string): RpcError => new RpcError('invalidParams', { message });
  if ('DeliverMax' in json && 'Amount' in json && JSON.stringify(deliverMax) !== JSON.stringify(rest.Amount)) {
    throw invalid("Cannot specify differing 'Amount' and 'DeliverMax'");
  }
  const payment: JsonDraft = 'DeliverMax' in json ? { ...rest, Amount: deliverMax } : rest;
  if (!('Amount' in payment)) throw missingField('tx_json.Amount');
  if (!isAmount(payment.Amount)) throw invalidField('tx_json.Amount');
  if (!('Destination' in payment)) throw missingField('tx_json.Destination');
  const { Destination: destination } = payment;
  if (typeof destination !== 'string' || !isAddress(destination)) throw invalidField('tx_json.Destination');
  if ('build_path' in request) {
    const isMpt = isObject(payment.Amount) && 'mpt_issuance_id' in payment.Amount;
    if (!mayBuildPath || isMpt) throw invalid("Field 'build_path' not allowed in this context.");
    if ('Paths' in payment) throw invalid("Cannot specify both 'tx_json.Paths' and 'build_path'");
  }
  if ('DomainID' in payment && hashIn(payment.DomainID) === undefined) {
    throw new RpcError('domainMalformed', { message: "Unable to parse 'DomainID'." });
  }
  const isXrp = !isObject(payment.Amount) && !isObject(payment.SendMax);
  if ('build_path' in request && isXrp) throw invalid('Cannot build XRP to XRP paths.');
  return payment;
}

/** The next sequence of an account that nothing uses or waits for; 0 when a ticket takes its place. */
export function nextSequence({ chain }: RpcContext, sender: string, json: JsonObject): number {
  const root = account(chain.open, sender);
  if (!root) throw new RpcError('srcActNotFound');
  return 'TicketSequence' in json ? 0 : chain.queue.nextSequence(sender, root.Sequence);
}

function positive(request: JsonObject, name: string, least: number, usual: number): number {
  const value = request[name];
  if (!(name in request)) return usual;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new RpcError('highFee', { message: expectedMessage(name, 'a positive integer') });
  }
  if (value < least) throw expectedField(name, 'a positive integer');
  return value;
}

/** What the transaction has to pay now, as long as that is within `fee_mult_max` and `fee_div_max`. */
export function currentFee({ chain }: RpcContext, json: JsonObject, request: JsonObject = {}): string {
  const most = positive(request, 'fee_mult_max', 0, 10);
  const parts = positive(request, 'fee_div_max', 1, 1);
  const fields = json as unknown as TransactionFields;
  const fee = chain.openLedgerCostDrops(fields);
  const limit = (transactionCostDrops(fields, chain.rules, chain.open) * BigInt(most)) / BigInt(parts);
  if (fee > limit) {
    throw new RpcError('highFee', { message: `Fee of ${fee} exceeds the requested tx limit of ${limit}` });
  }
  return String(fee);
}
