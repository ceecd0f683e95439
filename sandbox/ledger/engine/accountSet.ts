import { type AccountRoot, has, LSF, withFlag, withoutFlag } from '../entries.ts';
import { signerListIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { ownsNothing } from './directory.ts';
import { isPublicKey } from './signature.ts';
import { hasFlag, type TransactionType } from './types.ts';
import { account } from './view.ts';

/** SetFlag and ClearFlag numbers (asf…) of the flags that are a bit of the account root. */
const FLAG_BITS: Readonly<Record<number, number>> = {
  1: LSF.requireDestTag,
  2: LSF.requireAuth,
  3: LSF.disallowXrp,
  4: LSF.disableMaster,
  6: LSF.noFreeze,
  7: LSF.globalFreeze,
  8: LSF.defaultRipple,
  9: LSF.depositAuth,
  12: LSF.disallowIncomingNftOffer,
  13: LSF.disallowIncomingCheck,
  14: LSF.disallowIncomingPayChan,
  15: LSF.disallowIncomingTrustline,
  16: LSF.allowTrustLineClawback,
  17: LSF.allowTrustLineLocking,
};
const ASF = {
  requireAuth: 2,
  disableMaster: 4,
  accountTxnId: 5,
  noFreeze: 6,
  nftMinter: 10,
  allowClawback: 16,
} as const;
/** Once set these stay set. */
const IRREVERSIBLE = new Set<number>([ASF.noFreeze, ASF.allowClawback]);
/** The older spelling of three flags: [set by tf flag, cleared by tf flag, asf number]. */
const LEGACY_FLAGS = [
  [0x00010000, 0x00020000, 1],
  [0x00040000, 0x00080000, 2],
  [0x00100000, 0x00200000, 3],
] as const;
const LEGACY_MASK = 0x003f0000;
const PARITY_RATE = 1_000_000_000;
/** A tick size of 16 digits is that of every amount, and so none. */
const MIN_TICK_SIZE = 3;
const MAX_TICK_SIZE = 16;
const MAX_DOMAIN_BYTES = 256;
const ZEROS = /^0+$/;

type Wish = { readonly set: ReadonlySet<number>; readonly clear: ReadonlySet<number> };

function wishes(fields: TransactionFields): Wish {
  const set = new Set(fields.SetFlag ? [fields.SetFlag] : []);
  const clear = new Set(fields.ClearFlag ? [fields.ClearFlag] : []);
  for (const [setBit, clearBit, asf] of LEGACY_FLAGS) {
    if (hasFlag(fields, setBit)) set.add(asf);
    if (hasFlag(fields, clearBit)) clear.add(asf);
  }
  return { set, clear };
}

function preflight(fields: TransactionFields): ResultName {
  const { set, clear } = wishes(fields);
  for (const asf of set) if (clear.has(asf)) return 'temINVALID_FLAG';
  const rate = fields.TransferRate;
  if (rate && (rate < PARITY_RATE || rate > 2 * PARITY_RATE)) return 'temBAD_TRANSFER_RATE';
  const tickSize = fields.TickSize;
  if (tickSize && (tickSize < MIN_TICK_SIZE || tickSize > MAX_TICK_SIZE)) return 'temBAD_TICK_SIZE';
  if (fields.MessageKey && !isPublicKey(fields.MessageKey)) return 'telBAD_PUBLIC_KEY';
  if ((fields.Domain?.length ?? 0) / 2 > MAX_DOMAIN_BYTES) return 'telBAD_DOMAIN';
  const namesMinter = fields.NFTokenMinter !== undefined;
  if ((set.has(ASF.nftMinter) && !namesMinter) || (clear.has(ASF.nftMinter) && namesMinter)) return 'temMALFORMED';
  return 'tesSUCCESS';
}

function preclaim(view: ReadView, fields: TransactionFields): ResultName {
  const root = account(view, fields.Account);
  if (!root) return 'terNO_ACCOUNT';
  const { set } = wishes(fields);
  if (set.has(ASF.requireAuth) && !has(root.Flags, LSF.requireAuth) && !ownsNothing(view, root.Account)) {
    return 'tecOWNERS';
  }
  if (set.has(ASF.allowClawback)) {
    if (has(root.Flags, LSF.noFreeze)) return 'tecNO_PERMISSION';
    if (!ownsNothing(view, root.Account)) return 'tecOWNERS';
  }
  if (set.has(ASF.noFreeze) && has(root.Flags, LSF.allowTrustLineClawback)) return 'tecNO_PERMISSION';
  return 'tesSUCCESS';
}

/** These are hashes: one of nothing but zeros takes the field away. */
const HASHES = new Set<string>(['EmailHash', 'WalletLocator']);

type TextField = 'Domain' | 'EmailHash' | 'MessageKey' | 'WalletLocator';

function setOrClear(root: AccountRoot, name: TextField, value: string | undefined): void {
  if (value === undefined) return;
  if (value === '' || (HASHES.has(name) && ZEROS.test(value))) delete root[name];
  else root[name] = value;
}

function applyFields(root: AccountRoot, fields: TransactionFields, { set, clear }: Wish): void {
  setOrClear(root, 'Domain', fields.Domain);
  setOrClear(root, 'EmailHash', fields.EmailHash);
  setOrClear(root, 'MessageKey', fields.MessageKey);
  setOrClear(root, 'WalletLocator', fields.WalletLocator);
  if (fields.TransferRate !== undefined) {
    if (fields.TransferRate === 0 || fields.TransferRate === PARITY_RATE) delete root.TransferRate;
    else root.TransferRate = fields.TransferRate;
  }
  if (fields.TickSize !== undefined) {
    if (fields.TickSize === 0 || fields.TickSize === MAX_TICK_SIZE) delete root.TickSize;
    else root.TickSize = fields.TickSize;
  }
  if (set.has(ASF.nftMinter) && fields.NFTokenMinter) root.NFTokenMinter = fields.NFTokenMinter;
  if (clear.has(ASF.nftMinter)) delete root.NFTokenMinter;
  if (set.has(ASF.accountTxnId)) root.AccountTxnID ??= '0'.repeat(64);
  if (clear.has(ASF.accountTxnId)) delete root.AccountTxnID;
}

/** AccountSet: flags and descriptive fields of the sender's own account. */
export const accountSet: TransactionType = {
  flags: LEGACY_MASK,
  preflight,
  preclaim: ({ view, fields }) => preclaim(view, fields),
  apply({ view, fields, account: root, signedByMaster }) {
    const wish = wishes(fields);
    if (wish.set.has(ASF.disableMaster) && !has(root.Flags, LSF.disableMaster)) {
      if (!signedByMaster) return 'tecNEED_MASTER_KEY';
      if (!root.RegularKey && !view.get(signerListIndex(root.Account))) return 'tecNO_ALTERNATIVE_KEY';
    }
    if (wish.set.has(ASF.noFreeze) && !signedByMaster && !has(root.Flags, LSF.disableMaster)) {
      return 'tecNEED_MASTER_KEY';
    }
    for (const asf of wish.set) root.Flags = withFlag(root.Flags, FLAG_BITS[asf] ?? 0);
    const hasNoFreeze = has(root.Flags, LSF.noFreeze);
    for (const asf of wish.clear) {
      const bit = FLAG_BITS[asf] ?? 0;
      // An account that gave up freezing may still freeze everything, but then for good.
      const fixed = IRREVERSIBLE.has(asf) || (bit === LSF.globalFreeze && hasNoFreeze);
      if (!fixed) root.Flags = withoutFlag(root.Flags, bit);
    }
    applyFields(root, fields, wish);
    return 'tesSUCCESS';
  },
};
