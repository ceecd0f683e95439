import { createHash } from 'node:crypto';
import { sign } from 'ripple-keypairs';
import { claimHex } from '../../engine/paymentChannel.ts';
import { type Amount, type CredentialItem, type EntryOf, isIssued, LSF } from '../../entries.ts';
import { RIPPLE_EPOCH_OFFSET } from '../../history.ts';
import { accountIdHex, addressOfId, credentialIndex, issuanceId, ticketIndex } from '../../keylets.ts';
import type { Draft, World } from './world.ts';

/** A transaction of the sender, or of another account where only that one can do it. */
type Said = Omit<Draft, 'Account'> & { readonly Account?: string };
type Generator = (world: World, sender: string) => Said | undefined;

const CREDENTIAL_TYPES = ['AB01', 'AB02', 'AB03'] as const;
const LIMITS = ['0', '0', '10', '1000', '1e12'] as const;
/** Freezing comes less often than its end, or nothing would move for long. */
const LINE_FLAGS = [
  0, 0, 0, 0, 0x10000, 0x10000, 0x20000, 0x40000, 0x100000, 0x200000, 0x500000, 0xa00000, 0xa00000,
] as const;
/** Flags of AccountSet that a run can live with for long; the irreversible ones come with the setup. */
const ACCOUNT_FLAGS = [1, 2, 3, 7, 8, 9, 12, 13, 14, 15] as const;
const ISSUANCE_FLAGS = [0, 0x20, 0x22, 0x2a, 0x7a, 0x7e, 0x24, 0x68] as const;

const maybe = <K extends string, V>(world: World, chance: number, name: K, value: V): Partial<Record<K, V>> =>
  world.draw.chance(chance) ? ({ [name]: value } as Record<K, V>) : {};

/** PREIMAGE-SHA-256 of one of a few preimages, so that a fulfillment can be found again. */
function cryptoCondition(preimage: string): { Condition: string; Fulfillment: string } {
  const bytes = Buffer.from(preimage);
  const size = bytes.length.toString(16).padStart(2, '0');
  const inner = (bytes.length + 2).toString(16).padStart(2, '0');
  const print = createHash('sha256').update(bytes).digest('hex');
  return {
    Condition: `A0258020${print}8101${size}`.toUpperCase(),
    Fulfillment: `A0${inner}80${size}${bytes.toString('hex')}`.toUpperCase(),
  };
}
const CONDITIONS = ['', 'sesame', 'a longer preimage than the others'].map(cryptoCondition);

function credentials(world: World): readonly CredentialItem[] {
  const count = world.draw.between(1, 3);
  return Array.from({ length: count }, () => ({
    Credential: { Issuer: world.someone(), CredentialType: world.oneOf(...CREDENTIAL_TYPES) },
  }));
}

function ownCredentials(world: World, sender: string): { CredentialIDs?: readonly string[] } {
  if (!world.draw.chance(0.08)) return {};
  const owned = world.owned(sender, 'Credential').map(({ index }) => index);
  return { CredentialIDs: owned.length > 0 ? owned.slice(0, world.draw.between(1, 3)) : [world.hash()] };
}

const larger = (amount: Amount): Amount =>
  typeof amount === 'string' ? String(BigInt(amount) * 2n) : isIssued(amount) ? { ...amount, value: '1e10' } : amount;

function payment(world: World, sender: string): Said {
  const Destination = world.someoneElse(sender);
  const amount = world.amount(sender);
  const isXrp = typeof amount === 'string';
  const sends = !isXrp && world.draw.chance(0.3);
  const partial = !isXrp && world.draw.chance(0.3);
  const crosses = world.draw.chance(0.15);
  const sendMax = crosses ? (isXrp ? world.held(sender) : String(10_000_000)) : larger(amount);
  return {
    TransactionType: 'Payment',
    Destination,
    // Enough to found an account, where the destination is not there.
    Amount: isXrp && !world.root(Destination) ? String(world.draw.between(900_000, 40_000_000)) : amount,
    ...maybe(world, 0.5, 'DestinationTag', 7),
    ...(sends || crosses ? { SendMax: sendMax } : {}),
    ...(partial ? { Flags: 0x00020000 } : {}),
    ...(partial ? maybe(world, 0.2, 'DeliverMin', typeof amount === 'object' ? { ...amount, value: '1' } : '1') : {}),
    ...ownCredentials(world, sender),
  };
}

function trustSet(world: World, sender: string): Said {
  const known = world.draw.chance(0.4) ? world.held(sender) : world.issued();
  const isOwn = known.issuer === sender;
  return {
    TransactionType: 'TrustSet',
    LimitAmount: { ...known, issuer: isOwn ? world.someoneElse(sender) : known.issuer, value: world.oneOf(...LIMITS) },
    Flags: world.oneOf(...LINE_FLAGS),
    ...maybe(world, 0.08, 'QualityIn', world.oneOf(0, 1_000_000_000, 990_000_000)),
    ...maybe(world, 0.08, 'QualityOut', world.oneOf(0, 1_000_000_000, 1_010_000_000)),
  };
}

function accountSet(world: World): Said {
  const flag = world.oneOf(...ACCOUNT_FLAGS);
  return {
    TransactionType: 'AccountSet',
    ...(world.draw.chance(0.25) ? { SetFlag: flag } : maybe(world, 0.8, 'ClearFlag', flag)),
    ...maybe(world, 0.1, 'TransferRate', world.oneOf(0, 1_000_000_000, 1_002_000_000, 1_500_000_000)),
    ...maybe(world, 0.05, 'TickSize', world.oneOf(0, 3, 5, 15)),
    ...maybe(world, 0.05, 'Domain', 'AB'),
  };
}

function offer(world: World, sender: string): Said {
  const gets = world.draw.chance(0.6) ? world.drops() : world.held(sender);
  const pays = typeof gets === 'string' || world.draw.chance(0.3) ? world.held(sender) : world.drops();
  const replaced = world.draw.chance(0.1) ? world.pick(world.owned(sender, 'Offer'))?.entry.Sequence : undefined;
  return {
    TransactionType: 'OfferCreate',
    TakerGets: gets,
    TakerPays: pays,
    ...maybe(world, 0.35, 'Flags', world.oneOf(0x10000, 0x20000, 0x40000, 0x80000, 0xa0000)),
    ...maybe(world, 0.15, 'Expiration', Math.max(1, world.soon())),
    ...(replaced === undefined ? {} : { OfferSequence: replaced }),
  };
}

function escrowCreate(world: World, sender: string): Said {
  const finishAfter = world.draw.chance(0.8) ? { FinishAfter: world.soon() } : {};
  return {
    TransactionType: 'EscrowCreate',
    Destination: world.draw.chance(0.1) ? sender : world.someoneElse(sender),
    Amount: world.amount(sender),
    ...maybe(world, 0.5, 'DestinationTag', 7),
    ...finishAfter,
    ...maybe(world, 0.6, 'CancelAfter', world.soon() + 40),
    ...maybe(world, 0.3, 'Condition', world.pick(CONDITIONS)?.Condition ?? ''),
  };
}

function escrowFinish(world: World, sender: string): Said | undefined {
  const escrow = world.any('Escrow')?.entry;
  if (!escrow) return undefined;
  const fulfilled = world.draw.chance(0.9) ? CONDITIONS.find(({ Condition }) => Condition === escrow.Condition) : {};
  return {
    TransactionType: 'EscrowFinish',
    Owner: escrow.Account,
    OfferSequence: escrow.Sequence,
    ...fulfilled,
    ...ownCredentials(world, sender),
  };
}

function escrowCancel(world: World): Said | undefined {
  const escrow = world.any('Escrow')?.entry;
  return escrow && { TransactionType: 'EscrowCancel', Owner: escrow.Account, OfferSequence: escrow.Sequence };
}

function checkCash(world: World, sender: string): Said | undefined {
  const check = world.pick(world.owned(sender, 'Check')) ?? world.any('Check');
  if (!check) return undefined;
  const Account = world.draw.chance(0.9) ? check.entry.Destination : sender;
  const { SendMax: most } = check.entry;
  const part: Amount =
    typeof most === 'string' ? world.drops() : isIssued(most) ? { ...most, value: world.value() } : most;
  const amount = world.draw.chance(0.3) ? most : part;
  const how = world.draw.chance(0.5) ? { Amount: amount } : { DeliverMin: amount };
  return { TransactionType: 'CheckCash', Account, CheckID: check.index, ...how };
}

/** A claim that the channel's owner signed, mostly; the owner pays without one. */
function claimOn(world: World, sender: string, index: string, channel: EntryOf<'PayChannel'>): Partial<Draft> {
  const total = BigInt(channel.Balance) + BigInt(world.drops());
  if (sender === channel.Account && world.draw.chance(0.8)) return { Balance: String(total) };
  const signer = world.draw.chance(0.9) ? world.actor(channel.Account) : world.actor(sender);
  if (!signer) return {};
  return {
    Balance: String(total),
    Amount: String(total),
    PublicKey: signer.publicKey,
    Signature: sign(claimHex(index, total), signer.privateKey),
  };
}

function channelClaim(world: World, sender: string): Said | undefined {
  const channel = world.pick(world.owned(sender, 'PayChannel')) ?? world.any('PayChannel');
  if (!channel) return undefined;
  return {
    TransactionType: 'PaymentChannelClaim',
    Channel: channel.index,
    ...(world.draw.chance(0.7) ? claimOn(world, sender, channel.index, channel.entry) : {}),
    ...maybe(world, 0.4, 'Flags', world.oneOf(0x10000, 0x20000, 0x20000)),
    ...ownCredentials(world, sender),
  };
}

function channelFund(world: World, sender: string): Said | undefined {
  const channel = world.pick(world.owned(sender, 'PayChannel')) ?? world.any('PayChannel');
  if (!channel) return undefined;
  return {
    TransactionType: 'PaymentChannelFund',
    Account: world.draw.chance(0.9) ? channel.entry.Account : sender,
    Channel: channel.index,
    Amount: world.drops(),
    ...maybe(world, 0.3, 'Expiration', world.soon()),
  };
}

function depositPreauth(world: World, sender: string): Said {
  const prefix = world.draw.chance(0.6) ? 'Authorize' : 'Unauthorize';
  const whom = world.draw.chance(0.5)
    ? { [prefix]: world.someoneElse(sender) }
    : { [`${prefix}Credentials`]: credentials(world) };
  return { TransactionType: 'DepositPreauth', ...whom };
}

function signerList(world: World, sender: string): Said {
  if (world.draw.chance(0.3)) return { TransactionType: 'SignerListSet', SignerQuorum: 0 };
  const others = [...new Set([world.someoneElse(sender), world.someoneElse(sender), world.someoneElse(sender)])];
  return {
    TransactionType: 'SignerListSet',
    SignerQuorum: world.draw.between(1, 3),
    SignerEntries: others.map((Account) => ({ SignerEntry: { Account, SignerWeight: world.draw.between(1, 2) } })),
  };
}

function clawback(world: World, sender: string): Said {
  const token = world.draw.chance(0.4) ? world.any('MPToken')?.entry : undefined;
  if (token) {
    const Amount = { mpt_issuance_id: token.MPTokenIssuanceID, value: world.oneOf('1', '50') };
    const Account = addressOfId(token.MPTokenIssuanceID.slice(8));
    return { TransactionType: 'Clawback', Account, Amount, Holder: token.Account };
  }
  const Account = world.draw.chance(0.8) ? (world.issuers.at(-1)?.address ?? sender) : sender;
  return { TransactionType: 'Clawback', Account, Amount: world.held(Account) };
}

function issuanceCreate(world: World): Said {
  const Flags = world.oneOf(...ISSUANCE_FLAGS);
  return {
    TransactionType: 'MPTokenIssuanceCreate',
    Flags,
    ...maybe(world, 0.4, 'MaximumAmount', world.oneOf('1', '5000', '9223372036854775807')),
    ...((Flags & 0x20) !== 0 ? maybe(world, 0.4, 'TransferFee', world.oneOf(1, 1000, 50_000)) : {}),
  };
}

function issuanceIdOf(world: World, sender: string): string {
  const own = world.pick(world.owned(sender, 'MPTokenIssuance'))?.entry ?? world.any('MPTokenIssuance')?.entry;
  return own ? issuanceId(own.Sequence, own.Issuer) : world.hash().slice(0, 48);
}

function mptAuthorize(world: World, sender: string): Said {
  const asIssuer = world.draw.chance(0.4) && world.owned(sender, 'MPTokenIssuance').length > 0;
  const token = world.pick(world.owned(sender, 'MPToken'))?.entry;
  const ends = world.draw.chance(0.25);
  const id = ends && token && !asIssuer ? token.MPTokenIssuanceID : undefined;
  const other = world.any('MPTokenIssuance')?.entry;
  const anybodys = other ? issuanceId(other.Sequence, other.Issuer) : world.hash().slice(0, 48);
  return {
    TransactionType: 'MPTokenAuthorize',
    MPTokenIssuanceID: id ?? (asIssuer ? issuanceIdOf(world, sender) : anybodys),
    ...(asIssuer ? { Holder: world.someoneElse(sender) } : {}),
    ...(ends ? { Flags: 1 } : {}),
  };
}

function credentialDelete(world: World, sender: string): Said {
  const credential = (world.pick(world.owned(sender, 'Credential')) ?? world.any('Credential'))?.entry;
  return {
    TransactionType: 'CredentialDelete',
    Subject: credential?.Subject ?? sender,
    Issuer: credential?.Issuer ?? world.someoneElse(sender),
    CredentialType: credential?.CredentialType ?? 'AB01',
  };
}

function credentialAccept(world: World, sender: string): Said {
  const credential = world.pick(world.owned(sender, 'Credential'))?.entry;
  const kind = credential ?? { Issuer: world.someoneElse(sender), CredentialType: world.oneOf(...CREDENTIAL_TYPES) };
  return { TransactionType: 'CredentialAccept', Issuer: kind.Issuer, CredentialType: kind.CredentialType };
}

function domainSet(world: World, sender: string): Said {
  const own = world.draw.chance(0.4) ? world.pick(world.owned(sender, 'PermissionedDomain'))?.index : undefined;
  return {
    TransactionType: 'PermissionedDomainSet',
    AcceptedCredentials: credentials(world),
    ...(own === undefined ? {} : { DomainID: own }),
  };
}

const QUOTES = ['USD', 'EUR', 'GBP', 'JPY', 'CAD', 'AUD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'] as const;
const ORACLE_NATURE = { Provider: 'AB01', AssetClass: 'AB02' };

/** Prices of a few pairs; those without a price are taken away. */
function oracleSet(world: World, sender: string): Said {
  const own = world.draw.chance(0.7) ? world.pick(world.owned(sender, 'Oracle'))?.entry : undefined;
  const removes = own ? 0.25 : 0.02;
  const count = world.draw.between(1, 8);
  const from = world.draw.between(0, QUOTES.length - count);
  return {
    TransactionType: 'OracleSet',
    OracleDocumentID: own?.OracleDocumentID ?? world.draw.between(1, 3),
    LastUpdateTime: world.soon() + RIPPLE_EPOCH_OFFSET,
    ...(own && world.draw.chance(0.8) ? {} : ORACLE_NATURE),
    ...maybe(world, 0.2, 'URI', 'AB'),
    PriceDataSeries: QUOTES.slice(from, from + count).map((QuoteAsset) => ({
      PriceData: {
        BaseAsset: 'XRP',
        QuoteAsset,
        ...(world.draw.chance(removes) ? {} : { AssetPrice: world.draw.between(0, 999_999).toString(16), Scale: 3 }),
      },
    })),
  };
}

/** Keys that can act for an account while its master key is off, so that no account is lost. */
function regularKey(world: World, sender: string): Said {
  const keeps = (world.root(sender)?.Flags ?? 0) & LSF.disableMaster;
  if (!keeps && world.draw.chance(0.4)) return { TransactionType: 'SetRegularKey' };
  return { TransactionType: 'SetRegularKey', RegularKey: world.someoneElse(sender) };
}

const DELEGATED = ['Payment', 'TrustSet', 'CheckCreate', 'OfferCreate', 'EscrowCreate', 'TrustlineFreeze'] as const;

function delegateSet(world: World, sender: string): Said | undefined {
  if (!world.amendments.has('PermissionDelegationV1_1')) return undefined;
  const granted = DELEGATED.filter(() => world.draw.chance(0.4));
  return {
    TransactionType: 'DelegateSet',
    Authorize: world.someoneElse(sender),
    Permissions: granted.map((PermissionValue) => ({ Permission: { PermissionValue } })),
  };
}

const TF_INNER_BATCH = 0x40000000;
const BATCH_MODES = [0x10000, 0x20000, 0x40000, 0x80000] as const;

/** A few transactions of the sender, and now and then of others, in one. */
function batch(world: World, sender: string): Said | undefined {
  if (!world.amendments.has('BatchV1_1')) return undefined;
  const next = new Map([[sender, (world.root(sender)?.Sequence ?? 0) + 1]]);
  const inner = Array.from({ length: world.draw.between(2, 4) }, () => {
    const account = world.draw.chance(0.7) ? sender : world.someone();
    const said = payment(world, account);
    const Sequence = next.get(account) ?? world.root(account)?.Sequence ?? 0;
    next.set(account, Sequence + 1);
    const Flags = (TF_INNER_BATCH | (said.Flags ?? 0)) >>> 0;
    return { RawTransaction: { ...said, Account: account, Sequence, Fee: '0', SigningPubKey: '', Flags } };
  });
  next.delete(sender);
  const signers = [...next.keys()]
    .sort((a, b) => (accountIdHex(a) < accountIdHex(b) ? -1 : 1))
    .map((Account) => ({
      BatchSigner: { Account, SigningPubKey: world.actor(Account)?.publicKey ?? '', TxnSignature: 'AB' },
    }));
  return {
    TransactionType: 'Batch',
    Flags: world.oneOf(...BATCH_MODES),
    RawTransactions: inner,
    ...(signers.length > 0 ? { BatchSigners: signers } : {}),
  };
}

/** How often each type comes, and what it says. */
const GENERATORS: readonly (readonly [weight: number, generate: Generator])[] = [
  [30, payment],
  [16, trustSet],
  [5, accountSet],
  [12, offer],
  [
    3,
    (world, sender) => {
      const own = world.pick(world.owned(sender, 'Offer'))?.entry.Sequence;
      return { TransactionType: 'OfferCancel', OfferSequence: own ?? world.draw.between(1, 9) };
    },
  ],
  [3, delegateSet],
  [4, batch],
  [7, escrowCreate],
  [7, escrowFinish],
  [5, escrowCancel],
  [
    6,
    (world, sender) => ({
      TransactionType: 'CheckCreate',
      Destination: world.someoneElse(sender),
      SendMax: world.draw.chance(0.5) ? world.drops() : world.held(sender),
      ...maybe(world, 0.5, 'DestinationTag', 7),
      ...maybe(world, 0.3, 'Expiration', world.soon()),
    }),
  ],
  [7, checkCash],
  [
    3,
    (world, sender) => {
      const check = world.pick(world.owned(sender, 'Check')) ?? world.any('Check');
      return check && { TransactionType: 'CheckCancel', CheckID: check.index };
    },
  ],
  [
    5,
    (world, sender) => ({
      TransactionType: 'PaymentChannelCreate',
      Destination: world.someoneElse(sender),
      Amount: world.drops(),
      SettleDelay: world.draw.between(0, 60),
      PublicKey: world.actor(sender)?.publicKey ?? '',
      ...maybe(world, 0.5, 'DestinationTag', 7),
      ...maybe(world, 0.3, 'CancelAfter', world.soon()),
    }),
  ],
  [4, channelFund],
  [9, channelClaim],
  [4, depositPreauth],
  [2, signerList],
  [2, regularKey],
  [3, (world) => ({ TransactionType: 'TicketCreate', TicketCount: world.draw.between(1, world.oneOf(2, 4, 40)) })],
  [4, clawback],
  [3, issuanceCreate],
  [
    3,
    (world, sender) => {
      const id = issuanceIdOf(world, sender);
      const Account = world.draw.chance(0.8) ? addressOfId(id.slice(8)) : sender;
      return {
        TransactionType: 'MPTokenIssuanceSet',
        ...(world.root(Account) ? { Account } : {}),
        MPTokenIssuanceID: id,
        Flags: world.oneOf(0, 1, 2, 2),
        ...maybe(world, 0.6, 'Holder', world.someoneElse(sender)),
      };
    },
  ],
  [
    1,
    (world, sender) => ({
      TransactionType: 'MPTokenIssuanceDestroy',
      MPTokenIssuanceID: issuanceIdOf(world, sender),
    }),
  ],
  [6, mptAuthorize],
  [
    4,
    (world, sender) => ({
      TransactionType: 'CredentialCreate',
      Subject: world.draw.chance(0.1) ? sender : world.someoneElse(sender),
      CredentialType: world.oneOf(...CREDENTIAL_TYPES),
      ...maybe(world, 0.3, 'Expiration', world.soon() + 20),
    }),
  ],
  [4, credentialAccept],
  [2, credentialDelete],
  [2, domainSet],
  [
    1,
    (world, sender) => {
      const own = world.pick(world.owned(sender, 'PermissionedDomain')) ?? world.any('PermissionedDomain');
      return own && { TransactionType: 'PermissionedDomainDelete', DomainID: own.index };
    },
  ],
  [2, oracleSet],
  [
    1,
    (world, sender) => {
      const own = world.pick(world.owned(sender, 'Oracle'))?.entry ?? world.any('Oracle')?.entry;
      return own && { TransactionType: 'OracleDelete', OracleDocumentID: own.OracleDocumentID };
    },
  ],
  [
    2,
    (world, sender) => {
      const passing = world.pick(world.actors.slice(world.fundedAtFirst.length))?.address ?? sender;
      const Account = world.root(passing) && world.draw.chance(0.8) ? passing : sender;
      return {
        TransactionType: 'AccountDelete',
        Account,
        Destination: world.someoneElse(Account),
        ...maybe(world, 0.7, 'DestinationTag', 7),
        ...ownCredentials(world, Account),
      };
    },
  ],
];
const TOTAL_WEIGHT = GENERATORS.reduce((sum, [weight]) => sum + weight, 0);

function chosen(world: World): Generator {
  let at = world.draw.fraction() * TOTAL_WEIGHT;
  for (const [weight, generate] of GENERATORS) {
    at -= weight;
    if (at < 0) return generate;
  }
  return payment;
}

const ODD_AMOUNTS: readonly Amount[] = ['0', '100000000000000000', '1', '99999999999999999'];

/** Something that a sender gets wrong, or tries. */
function spoilt(world: World, draft: Draft): Draft {
  switch (world.draw.between(0, 7)) {
    case 0:
      return { ...draft, Flags: 2 ** world.draw.between(0, 30) };
    case 1:
      return draft.Destination === undefined ? draft : { ...draft, Destination: draft.Account };
    case 2:
      return draft.Amount === undefined ? draft : { ...draft, Amount: world.pick(ODD_AMOUNTS) ?? '0' };
    case 3:
      return draft.Amount === undefined ? draft : { ...draft, Amount: world.issued('0') };
    case 4:
      return draft.CheckID === undefined ? draft : { ...draft, CheckID: world.hash() };
    case 5:
      return draft.Channel === undefined ? draft : { ...draft, Channel: world.hash() };
    case 6: {
      const kind = { Issuer: world.someone(), CredentialType: 'AB01' };
      return draft.CredentialIDs ? { ...draft, CredentialIDs: [credentialIndex(draft.Account, kind)] } : draft;
    }
    default:
      return draft.SendMax === undefined ? draft : { ...draft, SendMax: world.pick(ODD_AMOUNTS) ?? '0' };
  }
}

/** The next transaction of a run, of any type. */
export function generate(world: World): Draft {
  for (;;) {
    const Account = world.someone();
    const said = chosen(world)(world, Account);
    if (!said) continue;
    const draft: Draft = { Account, ...said };
    return world.draw.chance(0.06) ? spoilt(world, draft) : draft;
  }
}

/** A ticket of the account that a transaction uses instead of a sequence; now and then, where it has any. */
export function ticketFor(world: World, address: string): number | undefined {
  if (!world.draw.chance(0.25)) return undefined;
  const ticket = world.pick(world.owned(address, 'Ticket'))?.entry.TicketSequence;
  return ticket !== undefined && world.view.get(ticketIndex(address, ticket)) ? ticket : undefined;
}

/** What comes first in every run: accounts with money of all kinds, on lines with and without rippling. */
export function setup(world: World): Draft[] {
  const { genesis, fundedAtFirst, issuers } = world;
  const funding = fundedAtFirst.map(
    ({ address }, i): Draft => ({
      TransactionType: 'Payment',
      Account: genesis.address,
      Destination: address,
      Amount: String(i % 3 === 2 ? 4_000_000 : 2_000_000_000),
    }),
  );
  const flags = issuers.flatMap(({ address }, i): Draft[] => [
    { TransactionType: 'AccountSet', Account: address, SetFlag: i === 2 ? 16 : 8 },
    { TransactionType: 'AccountSet', Account: address, SetFlag: i === 2 ? 8 : 17 },
  ]);
  const lines = fundedAtFirst
    .filter((actor) => !issuers.includes(actor))
    .flatMap(({ address }) =>
      issuers.flatMap((issuer): Draft[] => {
        const usd = { currency: 'USD', issuer: issuer.address };
        return [
          { TransactionType: 'TrustSet', Account: address, LimitAmount: { ...usd, value: '100000' } },
          {
            TransactionType: 'Payment',
            Account: issuer.address,
            Destination: address,
            Amount: { ...usd, value: '1000' },
          },
        ];
      }),
    );
  return [...funding, ...flags, ...lines];
}
