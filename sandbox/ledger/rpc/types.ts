import type { Chain } from '../chain.ts';
import type { JsonObject } from '../json.ts';
import type { ServerNode } from '../node.ts';

export type ApiVersion = 1 | 2;

/** The caller's end of a WebSocket; absent over HTTP, where nothing can be pushed. */
export type Subscriber = { readonly send: (message: JsonObject) => void };

export type RpcContext = {
  readonly chain: Chain;
  readonly node: ServerNode;
  readonly apiVersion: ApiVersion;
  readonly port: number;
  readonly streams: StreamRegistry;
  readonly subscriber: Subscriber | undefined;
};

export interface StreamRegistry {
  subscribe(subscriber: Subscriber, wish: StreamWish, apiVersion: ApiVersion): void;
  unsubscribe(subscriber: Subscriber, wish: StreamWish): void;
}

export type StreamWish = {
  readonly streams: readonly string[];
  readonly accounts: readonly string[];
  readonly accountsProposed: readonly string[];
};

export type Handler = (context: RpcContext, request: JsonObject) => JsonObject;

const ERRORS = {
  actMalformed: [35, 'Account malformed.'],
  actNotFound: [19, 'Account not found.'],
  badCredentials: [95, 'Credentials do not exist, are not accepted, or have expired.'],
  badMarket: [42, 'No such market.'],
  domainMalformed: [97, 'Unable to parse domain.'],
  dstAmtMalformed: [51, 'Destination amount/currency/issuer is malformed.'],
  dstIsrMalformed: [52, 'Destination issuer is malformed.'],
  srcCurMalformed: [69, 'Source currency is malformed.'],
  srcIsrMalformed: [70, 'Source issuer is malformed.'],
  badIssuer: [41, 'Issuer account malformed.'],
  noPathRequest: [33, 'No pathfinding request in progress.'],
  badFeature: [40, 'Feature unknown or invalid.'],
  badKeyType: [76, 'Bad key type.'],
  badSeed: [44, 'Disallowed seed.'],
  channelAmtMalformed: [46, 'Payment channel amount is malformed.'],
  channelMalformed: [45, 'Payment channel is malformed.'],
  entryNotFound: [98, 'Entry not found.'],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.'],
  fieldNotFoundTransaction: [undefined, undefined],
  internal: [73, 'Internal error.'],
  invalidHotWallet: [30, 'Invalid hotwallet.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  invalidParams: [31, 'Invalid parameters.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrNotFound: [21, 'ledgerNotFound'],
  malformedAddress: [31, 'Malformed address.'],
  malformedAuthorized: [31, 'Malformed request.'],
  malformedAuthorizedCredentials: [31, 'Malformed request.'],
  malformedCurrency: [31, 'Malformed currency.'],
  malformedMPTokenIssuance: [31, "Invalid field 'mpt_issuance', not Hash192."],
  malformedOwner: [31, 'Malformed owner.'],
  malformedSeq: [31, 'Malformed sequence.'],
  malformedRequest: [31, 'Malformed request.'],
  malformedStream: [71, 'Stream malformed.'],
  noPermission: [6, "You don't have permission for this command."],
  notYetImplemented: [undefined, undefined],
  notImpl: [74, 'Not implemented.'],
  publicMalformed: [62, 'Public key is malformed.'],
  objectNotFound: [92, 'The requested object was not found.'],
  signingMalformed: [63, 'Signing of transaction is malformed.'],
  srcActMissing: [66, 'Source account not provided.'],
  srcActMalformed: [65, 'Source account is malformed.'],
  dstActMalformed: [47, 'Destination account is malformed.'],
  srcActNotFound: [67, 'Source account not found.'],
  dstActNotFound: [51, 'Destination account not found.'],
  transactionSigned: [96, 'Transaction should not be signed.'],
  transactionNotFound: [undefined, undefined],
  txnNotFound: [29, 'Transaction not found.'],
  unknownCmd: [32, 'Unknown method.'],
  invalidTransaction: [undefined, undefined],
} as const satisfies Record<string, readonly [number | undefined, string | undefined]>;

export type RpcErrorName = keyof typeof ERRORS;

/** A request that fails; `fields` stand beside the error in the answer. */
export class RpcError extends Error {
  readonly fields: JsonObject;

  constructor(name: RpcErrorName, options: { message?: string; fields?: JsonObject } = {}) {
    const [code, defaultMessage] = ERRORS[name];
    const message = options.message ?? defaultMessage;
    super(message ?? name);
    this.fields = {
      error: name,
      ...(code === undefined ? {} : { error_code: code }),
      ...(message === undefined ? {} : { error_message: message }),
      ...options.fields,
    };
  }
}
