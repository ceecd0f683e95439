import type { Chain } from '../chain.ts';
import type { PathRequest } from '../engine/paths/pathfinder.ts';
import type { JsonObject } from '../json.ts';
import type { ServerNode } from '../node.ts';

export type ApiVersion = 1 | 2;

/** The caller's end of a WebSocket; absent over HTTP, where nothing can be pushed. */
export type Subscriber = {
  readonly send: (message: JsonObject) => void;
  /** Sends what is already written; several subscribers may share the text. */
  readonly sendText: (text: string) => void;
  /** Whether something still waits to be sent. */
  readonly isBusy: boolean;
};

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
  /** Begins to send what touches an account and what did before; false when that is done already. */
  followAccount(subscriber: Subscriber, address: string, apiVersion: ApiVersion): boolean;
  unfollowAccount(subscriber: Subscriber, address: string, earlierOnly: boolean): void;
  /** Has the paths of a request looked for with every ledger, in place of what the subscriber asked before. */
  openPathRequest(subscriber: Subscriber, request: OpenPathRequest): void;
  closePathRequest(subscriber: Subscriber): void;
  /** What was found last for the subscriber's request. */
  pathStatus(subscriber: Subscriber): JsonObject | undefined;
}

export type OpenPathRequest = { readonly paths: PathRequest; status: JsonObject };

export type StreamWish = {
  readonly streams: readonly string[];
  readonly accounts: readonly string[];
  readonly accountsProposed: readonly string[];
  /** Keys of order books. */
  readonly books: readonly string[];
};

export type Handler = (context: RpcContext, request: JsonObject) => JsonObject;

const INVALID_PARAMS = 31;

/** Every error with its code and message; where an answer carries no code, there is none. */
const ERRORS = {
  actMalformed: [35, 'Account malformed.'],
  actNotFound: [19, 'Account not found.'],
  alreadyMultisig: [36, 'Already multisigned.'],
  alreadySingleSig: [37, 'Already single-signed.'],
  badCredentials: [95, 'Credentials do not exist, are not accepted, or have expired.'],
  badFeature: [40, 'Feature unknown or invalid.'],
  badIssuer: [41, 'Issuer account malformed.'],
  badKeyType: [76, 'Bad key type.'],
  badMarket: [42, 'No such market.'],
  badSecret: [43, 'Secret does not match account.'],
  badSeed: [44, 'Disallowed seed.'],
  channelAmtMalformed: [46, 'Payment channel amount is malformed.'],
  channelMalformed: [45, 'Payment channel is malformed.'],
  delegateActNotFound: [68, 'Delegate account not found.'],
  domainMalformed: [97, 'Unable to parse domain.'],
  dstActMalformed: [48, 'Destination account is malformed.'],
  dstActMissing: [49, 'Destination account not provided.'],
  dstActNotFound: [50, 'Destination account not found.'],
  dstAmtMalformed: [51, 'Destination amount/currency/issuer is malformed.'],
  dstAmtMissing: [52, 'Destination amount/currency/issuer is missing.'],
  dstIsrMalformed: [53, 'Destination issuer is malformed.'],
  entryNotFound: [98, 'Entry not found.'],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.'],
  fieldNotFoundTransaction: [undefined, undefined],
  highFee: [11, 'Current transaction fee exceeds your limit.'],
  internal: [73, 'Internal error.'],
  invalidHotWallet: [30, 'Invalid hotwallet.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  invalidParams: [INVALID_PARAMS, 'Invalid parameters.'],
  invalidTransaction: [undefined, undefined],
  issueMalformed: [93, 'Issue is malformed.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrNotFound: [21, 'ledgerNotFound'],
  lgrNotValidated: [22, 'Ledger not validated.'],
  malformedAccount: [INVALID_PARAMS, undefined],
  malformedAddress: [INVALID_PARAMS, undefined],
  malformedAuthorized: [INVALID_PARAMS, undefined],
  malformedAuthorizedCredentials: [INVALID_PARAMS, undefined],
  malformedBridgeAccount: [INVALID_PARAMS, undefined],
  malformedBroker: [INVALID_PARAMS, undefined],
  malformedCurrency: [INVALID_PARAMS, undefined],
  malformedDirRoot: [INVALID_PARAMS, undefined],
  malformedDocumentID: [INVALID_PARAMS, undefined],
  malformedIssue: [INVALID_PARAMS, undefined],
  malformedIssuingChainDoor: [INVALID_PARAMS, undefined],
  malformedLockingChainDoor: [INVALID_PARAMS, undefined],
  malformedMPTIssuanceID: [INVALID_PARAMS, undefined],
  malformedMPTokenIssuance: [INVALID_PARAMS, undefined],
  malformedOwner: [INVALID_PARAMS, undefined],
  malformedRequest: [INVALID_PARAMS, undefined],
  malformedSeq: [INVALID_PARAMS, undefined],
  malformedStream: [71, 'Stream malformed.'],
  malformedXChainOwnedClaimID: [INVALID_PARAMS, undefined],
  malformedXChainOwnedCreateAccountClaimID: [INVALID_PARAMS, undefined],
  masterDisabled: [23, 'Master key is disabled.'],
  noEvents: [7, 'Current transport does not support events.'],
  noPathRequest: [33, 'No pathfinding request in progress.'],
  noPermission: [6, "You don't have permission for this command."],
  notEnabled: [12, 'Not enabled in configuration.'],
  notImpl: [74, 'Not implemented.'],
  notSupported: [75, 'Operation not supported.'],
  notYetImplemented: [undefined, undefined],
  objectNotFound: [92, 'The requested object was not found.'],
  oracleMalformed: [94, 'Oracle request is malformed.'],
  publicMalformed: [62, 'Public key is malformed.'],
  sendMaxMalformed: [64, 'SendMax amount malformed.'],
  signingMalformed: [63, 'Signing of transaction is malformed.'],
  srcActMalformed: [65, 'Source account is malformed.'],
  srcActMissing: [66, 'Source account not provided.'],
  srcActNotFound: [67, 'Source account not found.'],
  srcCurMalformed: [69, 'Source currency is malformed.'],
  srcIsrMalformed: [70, 'Source issuer is malformed.'],
  transactionNotFound: [undefined, undefined],
  transactionSigned: [96, 'Transaction should not be signed.'],
  txnNotFound: [29, 'Transaction not found.'],
  unexpectedLedgerType: [99, 'Unexpected ledger type.'],
  unknownCmd: [32, 'Unknown method.'],
  unknownOption: [undefined, undefined],
  wrongNetwork: [4, 'Wrong network.'],
} as const satisfies Record<string, readonly [number | undefined, string | undefined]>;

export type RpcErrorName = keyof typeof ERRORS;

type RpcErrorOptions = {
  readonly message?: string;
  readonly fields?: JsonObject;
  /** Answers the name alone, as a few commands do for errors that elsewhere have a code. */
  readonly bare?: boolean;
};

/** A request that fails; `fields` stand beside the error in the answer. */
export class RpcError extends Error {
  readonly fields: JsonObject;

  constructor(name: RpcErrorName, options: RpcErrorOptions = {}) {
    const [code, defaultMessage] = options.bare ? [undefined, undefined] : ERRORS[name];
    const message = options.message ?? defaultMessage;
    super(message ?? name);
    this.fields = {
      error: name,
      ...(code === undefined ? {} : { error_code: code }),
      ...(message === undefined ? {} : { error_message: message }),
      ...options.fields,
    };
  }

  /** The same error with more beside it. */
  with(fields: JsonObject): RpcError {
    const { error, ...shown } = this.fields;
    return new RpcError(error as RpcErrorName, { bare: true, fields: { ...shown, ...fields } });
  }
}
