/** Ledger entries as the server shows them in JSON, without `index`, which is their key. */

export type IssuedAmount = { readonly currency: string; readonly issuer: string; readonly value: string };
export type MptAmount = { readonly mpt_issuance_id: string; readonly value: string };
/** Drops as a string, an issued currency or an MPT. */
export type Amount = string | IssuedAmount | MptAmount;

type Threaded = { PreviousTxnID: string; PreviousTxnLgrSeq: number };

export type AccountRoot = Threaded & {
  LedgerEntryType: 'AccountRoot';
  Account: string;
  Balance: string;
  Flags: number;
  OwnerCount: number;
  Sequence: number;
  AccountTxnID?: string;
  Domain?: string;
  EmailHash?: string;
  MessageKey?: string;
  MintedNFTokens?: number;
  NFTokenMinter?: string;
  RegularKey?: string;
  TickSize?: number;
  TicketCount?: number;
  TransferRate?: number;
  WalletLocator?: string;
};

export type RippleState = Threaded & {
  LedgerEntryType: 'RippleState';
  Balance: IssuedAmount;
  Flags: number;
  HighLimit: IssuedAmount;
  HighNode: string;
  HighQualityIn?: number;
  HighQualityOut?: number;
  LowLimit: IssuedAmount;
  LowNode: string;
  LowQualityIn?: number;
  LowQualityOut?: number;
};

export type Ticket = Threaded & {
  LedgerEntryType: 'Ticket';
  Account: string;
  Flags: number;
  OwnerNode: string;
  TicketSequence: number;
};

export type DirectoryNode = Threaded & {
  LedgerEntryType: 'DirectoryNode';
  Flags: number;
  IndexNext?: string;
  IndexPrevious?: string;
  Indexes: readonly string[];
  /** Of an account's directory; a book's has the fields below instead. */
  Owner?: string;
  RootIndex: string;
  ExchangeRate?: string;
  TakerGetsCurrency?: string;
  TakerGetsIssuer?: string;
  TakerPaysCurrency?: string;
  TakerPaysIssuer?: string;
  DomainID?: string;
};

/** Where an offer stands a second time: a hybrid one is in the open book as well as in its domain's. */
export type BookPlace = { readonly Book: { readonly BookDirectory: string; readonly BookNode: string } };

export type Offer = Threaded & {
  LedgerEntryType: 'Offer';
  Account: string;
  AdditionalBooks?: readonly BookPlace[];
  BookDirectory: string;
  BookNode: string;
  DomainID?: string;
  Expiration?: number;
  Flags: number;
  OwnerNode: string;
  Sequence: number;
  TakerGets: Amount;
  TakerPays: Amount;
};

export type SignerEntry = { SignerEntry: { Account: string; SignerWeight: number; WalletLocator?: string } };
export type SignerList = Threaded & {
  LedgerEntryType: 'SignerList';
  Flags: number;
  Owner: string;
  OwnerNode: string;
  SignerEntries: readonly SignerEntry[];
  SignerListID: number;
  SignerQuorum: number;
};

/** A kind of credential, by who issues it and what it is called there (hex). */
export type CredentialKind = { readonly Issuer: string; readonly CredentialType: string };
export type CredentialItem = { readonly Credential: CredentialKind };

export type Credential = Threaded & {
  LedgerEntryType: 'Credential';
  CredentialType: string;
  Expiration?: number;
  Flags: number;
  Issuer: string;
  IssuerNode: string;
  Subject: string;
  /** Absent when the subject is the issuer. */
  SubjectNode?: string;
  URI?: string;
};

/** A decentralized identifier. */
export type Did = Threaded & {
  LedgerEntryType: 'DID';
  Account: string;
  DIDDocument?: string;
  Data?: string;
  Flags: number;
  OwnerNode: string;
  URI?: string;
};

/** What an oracle says of a pair: AssetPrice (hex) · 10^-Scale; a pair without a price was not in the last update. */
export type PriceData = {
  readonly BaseAsset: string;
  readonly QuoteAsset: string;
  readonly AssetPrice?: string;
  readonly Scale?: number;
};
export type PriceDataItem = { readonly PriceData: PriceData };

/** A price oracle. LastUpdateTime counts from 1970. */
export type Oracle = Threaded & {
  LedgerEntryType: 'Oracle';
  AssetClass: string;
  Flags: number;
  LastUpdateTime: number;
  OracleDocumentID: number;
  Owner: string;
  OwnerNode: string;
  PriceDataSeries: readonly PriceDataItem[];
  Provider: string;
  URI?: string;
};

export type PermissionedDomain = Threaded & {
  LedgerEntryType: 'PermissionedDomain';
  AcceptedCredentials: readonly CredentialItem[];
  Flags: number;
  Owner: string;
  OwnerNode: string;
  Sequence: number;
};

export type DepositPreauth = Threaded & {
  LedgerEntryType: 'DepositPreauth';
  Account: string;
  /** Either one account, or everybody with all of these credentials. */
  Authorize?: string;
  AuthorizeCredentials?: readonly CredentialItem[];
  Flags: number;
  OwnerNode: string;
};

export type MPTokenIssuance = Threaded & {
  LedgerEntryType: 'MPTokenIssuance';
  AssetScale?: number;
  DomainID?: string;
  Flags: number;
  Issuer: string;
  LockedAmount?: string;
  MPTokenMetadata?: string;
  MaximumAmount?: string;
  OutstandingAmount: string;
  OwnerNode: string;
  Sequence: number;
  TransferFee?: number;
};

export type MPToken = Threaded & {
  LedgerEntryType: 'MPToken';
  Account: string;
  Flags: number;
  /** What stands in escrow of the holder's; MPTAmount does not count it. */
  LockedAmount?: string;
  MPTAmount?: string;
  MPTokenIssuanceID: string;
  OwnerNode: string;
};

export type Check = Threaded & {
  LedgerEntryType: 'Check';
  Account: string;
  Destination: string;
  DestinationNode: string;
  DestinationTag?: number;
  Expiration?: number;
  Flags: number;
  InvoiceID?: string;
  OwnerNode: string;
  SendMax: Amount;
  Sequence: number;
  SourceTag?: number;
};

export type Escrow = Threaded & {
  LedgerEntryType: 'Escrow';
  Account: string;
  Amount: Amount;
  CancelAfter?: number;
  Condition?: string;
  Destination: string;
  /** Absent when the owner escrows for itself. */
  DestinationNode?: string;
  DestinationTag?: number;
  FinishAfter?: number;
  Flags: number;
  /** Page of the issuer's directory, of issued currency only. */
  IssuerNode?: string;
  OwnerNode: string;
  Sequence: number;
  SourceTag?: number;
  /** What a transfer of the tokens cost at creation, in billionths. */
  TransferRate?: number;
};

export type PayChannel = Threaded & {
  LedgerEntryType: 'PayChannel';
  Account: string;
  /** All XRP ever put into the channel, in drops. */
  Amount: string;
  /** How much of it was paid out. */
  Balance: string;
  CancelAfter?: number;
  Destination: string;
  DestinationNode: string;
  DestinationTag?: number;
  Expiration?: number;
  Flags: number;
  OwnerNode: string;
  PublicKey: string;
  Sequence: number;
  SettleDelay: number;
  SourceTag?: number;
};

export type FeeSettings = {
  LedgerEntryType: 'FeeSettings';
  BaseFeeDrops: string;
  Flags: number;
  ReserveBaseDrops: string;
  ReserveIncrementDrops: string;
};

export type Amendments = { LedgerEntryType: 'Amendments'; Amendments: readonly string[]; Flags: number };

/** Hashes of earlier ledgers: the last 256, or every 256th. */
export type LedgerHashes = {
  LedgerEntryType: 'LedgerHashes';
  Flags: number;
  Hashes: readonly string[];
  LastLedgerSequence: number;
};

/** What an account lets another do in its name. */
export type PermissionItem = { readonly Permission: { readonly PermissionValue: string } };
export type Delegate = Threaded & {
  LedgerEntryType: 'Delegate';
  Account: string;
  Authorize: string;
  /** The page of the delegate's directory that it stands in. */
  DestinationNode?: string;
  Flags: number;
  OwnerNode: string;
  Permissions: readonly PermissionItem[];
};

export type Entry =
  | Delegate
  | Amendments
  | LedgerHashes
  | Offer
  | AccountRoot
  | RippleState
  | Ticket
  | DirectoryNode
  | SignerList
  | Credential
  | DepositPreauth
  | PermissionedDomain
  | Did
  | Oracle
  | MPTokenIssuance
  | MPToken
  | Check
  | PayChannel
  | Escrow
  | FeeSettings;
export type EntryType = Entry['LedgerEntryType'];
export type EntryOf<T extends EntryType> = Extract<Entry, { LedgerEntryType: T }>;

export const ZERO_HASH = '0'.repeat(64);
/** The start of every entry's thread: no transaction touched it yet. */
export const UNTHREADED: Threaded = { PreviousTxnID: ZERO_HASH, PreviousTxnLgrSeq: 0 };
/** The issuer shown in the balance of a trust line, which has none. */
export const NO_ISSUER = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
/** The address of account ID zero, which stands for no account at all. */
export const ZERO_ADDRESS = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

/** AccountRoot flags (lsf…). */
export const LSF = {
  passwordSpent: 0x00010000,
  requireDestTag: 0x00020000,
  requireAuth: 0x00040000,
  disallowXrp: 0x00080000,
  disableMaster: 0x00100000,
  noFreeze: 0x00200000,
  globalFreeze: 0x00400000,
  defaultRipple: 0x00800000,
  depositAuth: 0x01000000,
  disallowIncomingNftOffer: 0x04000000,
  disallowIncomingCheck: 0x08000000,
  disallowIncomingPayChan: 0x10000000,
  disallowIncomingTrustline: 0x20000000,
  allowTrustLineLocking: 0x40000000,
  allowTrustLineClawback: 0x80000000,
} as const;

/** RippleState flags of one side; `low` and `high` name the two accounts of the line. */
export const LINE = {
  low: { reserve: 0x00010000, auth: 0x00040000, noRipple: 0x00100000, freeze: 0x00400000, deepFreeze: 0x02000000 },
  high: { reserve: 0x00020000, auth: 0x00080000, noRipple: 0x00200000, freeze: 0x00800000, deepFreeze: 0x04000000 },
} as const;

/** Offer flags. */
export const OFFER = { passive: 0x00010000, sell: 0x00020000, hybrid: 0x00040000 } as const;

/** MPTokenIssuance and MPToken flags. */
export const MPT = {
  locked: 0x01,
  canLock: 0x02,
  requireAuth: 0x04,
  canEscrow: 0x08,
  canTrade: 0x10,
  canTransfer: 0x20,
  canClawback: 0x40,
  authorized: 0x02,
} as const;

/** Credential flag: the subject accepted it. */
export const CREDENTIAL_ACCEPTED = 0x00010000;

export function has(flags: number, flag: number): boolean {
  return (flags & flag) !== 0;
}
/** Sets a flag; stays unsigned where the top bit is used. */
export function withFlag(flags: number, flag: number): number {
  return (flags | flag) >>> 0;
}
export function withoutFlag(flags: number, flag: number): number {
  return (flags & ~flag) >>> 0;
}
export function isIssued(amount: Amount): amount is IssuedAmount {
  return typeof amount === 'object' && 'currency' in amount;
}
export function isMpt(amount: Amount): amount is MptAmount {
  return typeof amount === 'object' && 'mpt_issuance_id' in amount;
}
