import { has, LSF, type PayChannel, UNTHREADED } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import { accountIndex, channelIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { type ReadView, read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { checkCredentialIds, checkCredentials, verifyDeposit } from './depositAuth.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { changeOwnerCount } from './lines.ts';
import { verifies } from './signature.ts';
import { type ApplyContext, hasFlag, type TransactionType } from './types.ts';
import { account, type TransactionView } from './view.ts';

const TF_RENEW = 0x00010000;
const TF_CLOSE = 0x00020000;

const MAX_TIME = 0xffff_ffff;
const NO_CHANNEL = '0'.repeat(64);

/** `CLM\0`: what a claim's signature covers begins with it. */
const CLAIM_PREFIX = '434C4D00';

/** Whether bytes in hex can be a public key: ed25519 with its prefix ED, or a compressed point of secp256k1. */
export const isPublicKey = (hex: string): boolean => /^(?:ED|02|03)[0-9A-F]{64}$/i.test(hex);

/** The message that authorises payment of up to so many drops out of a channel, in hex. */
export const claimHex = (channel: string, amountDrops: bigint): string =>
  CLAIM_PREFIX + channel + uintHex(amountDrops, 8);

/** Drops of an amount that must be XRP and more than nothing; undefined for any other. */
function positiveDrops(amount: TransactionFields['Amount']): bigint | undefined {
  if (typeof amount !== 'string') return undefined;
  const drops = BigInt(amount);
  return drops > 0n ? drops : undefined;
}

const hasPassed = (view: ReadView, time: number | undefined): boolean =>
  time !== undefined && view.parentCloseTime > time;

const hasExpired = (view: ReadView, channel: PayChannel): boolean =>
  hasPassed(view, channel.CancelAfter) || hasPassed(view, channel.Expiration);

/** When a close that its owner asks for now takes effect. */
const settlesAt = (view: ReadView, { SettleDelay: delay }: PayChannel): number =>
  Math.min(view.parentCloseTime + delay, MAX_TIME);

/** Removes a channel and gives what was not paid out back to its owner. */
function closeChannel(view: TransactionView, index: string, channel: PayChannel): ResultName {
  removeFromDirectory(view, channel.Account, channel.OwnerNode, index, true);
  removeFromDirectory(view, channel.Destination, channel.DestinationNode, index, true);
  const owner = view.editAccount(channel.Account);
  if (!owner) return 'tecINTERNAL';
  owner.Balance = String(BigInt(owner.Balance) + BigInt(channel.Amount) - BigInt(channel.Balance));
  changeOwnerCount(view, channel.Account, -1);
  view.erase(index);
  return 'tesSUCCESS';
}

/** PaymentChannelCreate: sets XRP aside for one receiver, who is paid by claims that the owner signs. */
export const paymentChannelCreate: TransactionType = {
  flags: 0,
  preflight({ Account: owner, Destination: destination, Amount: amount, PublicKey: publicKey = '' }) {
    if (positiveDrops(amount) === undefined) return 'temBAD_AMOUNT';
    if (owner === destination) return 'temDST_IS_SRC';
    return isPublicKey(publicKey) ? 'tesSUCCESS' : 'temMALFORMED';
  },
  preclaim({ view, fields, rules }) {
    const root = account(view, fields.Account);
    if (!root) return 'terNO_ACCOUNT';
    const spareDrops = BigInt(root.Balance) - reserveDrops(rules, root.OwnerCount + 1);
    if (spareDrops < 0n) return 'tecINSUFFICIENT_RESERVE';
    if (spareDrops < BigInt(String(fields.Amount))) return 'tecUNFUNDED';
    const receiver = account(view, fields.Destination ?? '');
    if (!receiver) return 'tecNO_DST';
    if (has(receiver.Flags, LSF.disallowIncomingPayChan)) return 'tecNO_PERMISSION';
    const needsTag = has(receiver.Flags, LSF.requireDestTag) && fields.DestinationTag === undefined;
    return needsTag ? 'tecDST_TAG_NEEDED' : 'tesSUCCESS';
  },
  apply({ view, fields, account: root }) {
    const { Destination: destination = '', CancelAfter: cancelAfter, SourceTag: sourceTag } = fields;
    const { DestinationTag: destinationTag } = fields;
    if (hasPassed(view, cancelAfter)) return 'tecEXPIRED';
    const sequence = fields.TicketSequence ?? fields.Sequence;
    const index = channelIndex(root.Account, destination, sequence);
    view.create(index, {
      LedgerEntryType: 'PayChannel',
      Account: root.Account,
      Amount: String(fields.Amount),
      Balance: '0',
      ...(cancelAfter === undefined ? {} : { CancelAfter: cancelAfter }),
      Destination: destination,
      ...(destinationTag === undefined ? {} : { DestinationTag: destinationTag }),
      Flags: 0,
      OwnerNode: addToDirectory(view, root.Account, index),
      DestinationNode: addToDirectory(view, destination, index),
      PublicKey: fields.PublicKey ?? '',
      Sequence: sequence,
      SettleDelay: fields.SettleDelay ?? 0,
      ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
      ...UNTHREADED,
    });
    root.Balance = String(BigInt(root.Balance) - BigInt(String(fields.Amount)));
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** PaymentChannelFund: the owner adds XRP, and may put the channel's end off. */
export const paymentChannelFund: TransactionType = {
  flags: 0,
  preflight({ Channel: index, Amount: amount }) {
    if (index === NO_CHANNEL) return 'temMALFORMED';
    return positiveDrops(amount) === undefined ? 'temBAD_AMOUNT' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: root }) {
    const { Channel: index = '', Expiration: expiration } = fields;
    const channel = read(view, 'PayChannel', index);
    if (!channel) return 'tecNO_ENTRY';
    if (hasExpired(view, channel)) return closeChannel(view, index, channel);
    if (channel.Account !== root.Account) return 'tecNO_PERMISSION';
    const earliest = Math.min(settlesAt(view, channel), channel.Expiration ?? MAX_TIME);
    if (expiration !== undefined && expiration < earliest) return 'tecNO_PERMISSION';
    const spareDrops = BigInt(root.Balance) - reserveDrops(rules, root.OwnerCount);
    const addedDrops = BigInt(String(fields.Amount));
    if (spareDrops < 0n) return 'tecINSUFFICIENT_RESERVE';
    if (spareDrops < addedDrops) return 'tecUNFUNDED';
    if (!account(view, channel.Destination)) return 'tecNO_DST';
    const funded = view.edit('PayChannel', index);
    if (!funded) return 'tecINTERNAL';
    if (expiration !== undefined) funded.Expiration = expiration;
    funded.Amount = String(BigInt(funded.Amount) + addedDrops);
    root.Balance = String(BigInt(root.Balance) - addedDrops);
    return 'tesSUCCESS';
  },
};

function preflightClaim(fields: TransactionFields): ResultName {
  const { Channel: index = '', Balance: balance, Amount: amount, Signature: signature, PublicKey: key } = fields;
  if (index === NO_CHANNEL) return 'temMALFORMED';
  const claimedDrops = positiveDrops(balance);
  const authorisedDrops = positiveDrops(amount);
  if (balance !== undefined && claimedDrops === undefined) return 'temBAD_AMOUNT';
  if (amount !== undefined && authorisedDrops === undefined) return 'temBAD_AMOUNT';
  if (claimedDrops !== undefined && authorisedDrops !== undefined && claimedDrops > authorisedDrops) {
    return 'temBAD_AMOUNT';
  }
  if (hasFlag(fields, TF_RENEW) && hasFlag(fields, TF_CLOSE)) return 'temMALFORMED';
  if (signature === undefined) return checkCredentialIds(fields);
  if (key === undefined || claimedDrops === undefined || !isPublicKey(key)) return 'temMALFORMED';
  const message = claimHex(index, authorisedDrops ?? claimedDrops);
  return verifies(message, signature, key) ? checkCredentialIds(fields) : 'temBAD_SIGNATURE';
}

/** Pays the receiver up to the claimed total. */
function payOut({ view, fields, account: root }: ApplyContext, channel: PayChannel): ResultName {
  const claimedDrops = BigInt(String(fields.Balance));
  const paidDrops = BigInt(channel.Balance);
  if (root.Account === channel.Destination && fields.Signature === undefined) return 'tecNO_PERMISSION';
  if (fields.Signature !== undefined && fields.PublicKey !== channel.PublicKey) return 'tecNO_PERMISSION';
  if (claimedDrops > BigInt(channel.Amount) || claimedDrops <= paidDrops) return 'tecUNFUNDED_PAYMENT';
  if (!account(view, channel.Destination)) return 'tecNO_DST';
  const allowed = verifyDeposit(view, fields, channel.Destination);
  if (!isSuccess(allowed)) return allowed;
  const receiver = view.edit('AccountRoot', accountIndex(channel.Destination));
  if (!receiver) return 'tecNO_DST';
  receiver.Balance = String(BigInt(receiver.Balance) + claimedDrops - paidDrops);
  channel.Balance = String(claimedDrops);
  return 'tesSUCCESS';
}

/** PaymentChannelClaim: pays out of a channel, asks for its end, or takes that back. */
export const paymentChannelClaim: TransactionType = {
  flags: TF_RENEW | TF_CLOSE,
  preflight: preflightClaim,
  preclaim: ({ view, fields }) => checkCredentials(view, fields),
  apply(context) {
    const { view, fields, account: root } = context;
    const { Channel: index = '' } = fields;
    const channel = view.edit('PayChannel', index);
    if (!channel) return 'tecNO_TARGET';
    if (hasExpired(view, channel)) return closeChannel(view, index, channel);
    const isOwner = root.Account === channel.Account;
    const isReceiver = root.Account === channel.Destination;
    if (!isOwner && !isReceiver) return 'tecNO_PERMISSION';
    if (fields.Balance !== undefined) {
      const paid = payOut(context, channel);
      if (!isSuccess(paid)) return paid;
    }
    if (hasFlag(fields, TF_RENEW)) {
      if (!isOwner) return 'tecNO_PERMISSION';
      delete channel.Expiration;
    }
    if (!hasFlag(fields, TF_CLOSE)) return 'tesSUCCESS';
    if (isReceiver || channel.Balance === channel.Amount) return closeChannel(view, index, channel);
    channel.Expiration = Math.min(settlesAt(view, channel), channel.Expiration ?? MAX_TIME);
    return 'tesSUCCESS';
  },
};
