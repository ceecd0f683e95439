import { sha512Half } from './hashing.ts';

/** The amendments that are on from genesis, as on a standalone server of the release the sandbox answers as. */
const RELEASE_AMENDMENTS: readonly string[] = [
  'AMM',
  'AMMClawback',
  'Clawback',
  'Credentials',
  'DID',
  'DeepFreeze',
  'DynamicNFT',
  'LendingProtocol',
  'MPTokensV1',
  'NFTokenMintOffer',
  'PermissionedDEX',
  'PermissionedDomains',
  'PriceOracle',
  'SingleAssetVault',
  'TokenEscrow',
  'XChainBridge',
  'XRPFees',
  'fixAMMClawbackRounding',
  'fixAMMOverflowOffer',
  'fixAMMv1_1',
  'fixAMMv1_2',
  'fixAMMv1_3',
  'fixCleanup3_1_3',
  'fixCleanup3_2_0',
  'fixDirectoryLimit',
  'fixDisallowIncomingV1',
  'fixEmptyDID',
  'fixEnforceNFTokenTrustline',
  'fixEnforceNFTokenTrustlineV2',
  'fixFillOrKill',
  'fixFrozenLPTokenTransfer',
  'fixIncludeKeyletFields',
  'fixInnerObjTemplate',
  'fixInnerObjTemplate2',
  'fixInvalidTxFlags',
  'fixMPTDeliveredAmount',
  'fixNFTokenPageLinks',
  'fixNFTokenReserve',
  'fixPayChanCancelAfter',
  'fixPreviousTxnID',
  'fixPriceOracleOrder',
  'fixReducedOffersV2',
  'fixRemoveNFTokenAutoTrustLine',
  'fixTokenEscrowV1',
  'fixUniversalNumber',
  'fixXChainRewardRounding',
];

/** Amendments whose rules are part of every ledger by now; the release lists them as vetoed. */
export const OBSOLETE_AMENDMENTS: readonly string[] = [
  'CheckCashMakesTrustLine',
  'Checks',
  'CryptoConditions',
  'CryptoConditionsSuite',
  'DeletableAccounts',
  'DepositAuth',
  'DepositPreauth',
  'DisallowIncoming',
  'EnforceInvariants',
  'Escrow',
  'ExpandedSignerList',
  'FeeEscalation',
  'Flow',
  'FlowCross',
  'FlowSortStrands',
  'HardenedValidations',
  'ImmediateOfferKilled',
  'MultiSign',
  'MultiSignReserve',
  'NegativeUNL',
  'NonFungibleTokensV1_1',
  'PayChan',
  'RequireFullyCanonicalSig',
  'SortedDirectories',
  'TickSize',
  'TicketBatch',
  'TrustSetAuth',
  'fix1201',
  'fix1368',
  'fix1373',
  'fix1512',
  'fix1513',
  'fix1515',
  'fix1523',
  'fix1528',
  'fix1543',
  'fix1571',
  'fix1578',
  'fix1623',
  'fix1781',
  'fixAmendmentMajorityCalc',
  'fixCheckThreading',
  'fixMasterKeyAsRegularKey',
  'fixNFTokenRemint',
  'fixNonFungibleTokensV1_2',
  'fixPayChanRecipientOwnerDir',
  'fixQualityUpperBound',
  'fixReducedOffersV1',
  'fixRmSmallIncreasedQOffers',
  'fixSTAmountCanonicalize',
  'fixTakerDryOfferRemoval',
  'fixTrustLinesToSelf',
];

/** Amendments of release 3.3.0 that the sandbox has, as far as they concern the transactions that it has. */
const LATER_AMENDMENTS: readonly string[] = ['BatchV1_1', 'PermissionDelegationV1_1', 'fixCleanup3_3_0'];

/** What is not enabled on the main network. */
const NOT_ON_MAINNET = new Set(['LendingProtocol', 'SingleAssetVault', 'XChainBridge', 'fixXChainRewardRounding']);

/** What is enabled on the main network, but whose transactions the sandbox does not have. */
const NOT_IN_SANDBOX = new Set([
  'AMM',
  'AMMClawback',
  'DynamicNFT',
  'NFTokenMintOffer',
  'fixAMMClawbackRounding',
  'fixAMMOverflowOffer',
  'fixAMMv1_1',
  'fixAMMv1_2',
  'fixAMMv1_3',
  'fixEnforceNFTokenTrustline',
  'fixEnforceNFTokenTrustlineV2',
  'fixFrozenLPTokenTransfer',
  'fixNFTokenReserve',
  'fixRemoveNFTokenAutoTrustLine',
]);

/**
 * Which amendments a ledger begins with. `recorded`: those of the server whose answers were recorded, whether the sandbox
 * has their transactions or not. `mainnet`: those of the main network at the end of 2026, without those whose transactions
 * the sandbox does not have. `all`: both together.
 */
export type AmendmentProfile = 'recorded' | 'mainnet' | 'all';
export const AMENDMENT_PROFILES: readonly AmendmentProfile[] = ['recorded', 'mainnet', 'all'];

/** The hash that names an amendment on the ledger. */
export const amendmentId = (name: string): string => sha512Half(Buffer.from(name));

/** The names of the amendments with these hashes; undefined when one of them is none the sandbox knows. */
export function amendmentsOfIds(ids: readonly string[]): ReadonlySet<string> | undefined {
  const names = new Map([...RELEASE_AMENDMENTS, ...LATER_AMENDMENTS].map((name) => [amendmentId(name), name]));
  const found = ids.flatMap((id) => names.get(id) ?? []);
  return found.length === ids.length ? new Set(found) : undefined;
}

/** The names of the amendments that are enabled in a profile. */
export function enabledAmendments(profile: AmendmentProfile): ReadonlySet<string> {
  if (profile === 'recorded') return new Set(RELEASE_AMENDMENTS);
  const all = [...RELEASE_AMENDMENTS, ...LATER_AMENDMENTS];
  return new Set(
    profile === 'all' ? all : all.filter((name) => !NOT_ON_MAINNET.has(name) && !NOT_IN_SANDBOX.has(name)),
  );
}

/** Amendments that a release can enable, in the order of their names; the later ones only where they are enabled. */
export function knownAmendments(enabled: ReadonlySet<string>): readonly string[] {
  return [...RELEASE_AMENDMENTS, ...LATER_AMENDMENTS.filter((name) => enabled.has(name))];
}

const BY_PREFIX: readonly (readonly [RegExp, string])[] = [
  [/^AMMClawback$/, 'AMMClawback'],
  [/^AMM/, 'AMM'],
  [/^Batch$/, 'BatchV1_1'],
  [/^Clawback$/, 'Clawback'],
  [/^Credential/, 'Credentials'],
  [/^DID/, 'DID'],
  [/^DelegateSet$/, 'PermissionDelegationV1_1'],
  [/^LedgerStateFix$/, 'fixNFTokenPageLinks'],
  [/^Loan/, 'LendingProtocol'],
  [/^MPToken/, 'MPTokensV1'],
  [/^NFTokenModify$/, 'DynamicNFT'],
  [/^Oracle/, 'PriceOracle'],
  [/^PermissionedDomain/, 'PermissionedDomains'],
  [/^Vault/, 'SingleAssetVault'],
  [/^XChain/, 'XChainBridge'],
];
const amendments = new Map<string, string | undefined>();

/** The amendment that brought a transaction type; undefined for types that need none. */
export function amendmentOf(transactionType: string): string | undefined {
  if (!amendments.has(transactionType)) {
    amendments.set(transactionType, BY_PREFIX.find(([pattern]) => pattern.test(transactionType))?.[1]);
  }
  return amendments.get(transactionType);
}

/** Whether the amendment that brought a transaction type, if any did, is enabled. */
export function isTypeEnabled(transactionType: string, enabled: ReadonlySet<string>): boolean {
  const amendment = amendmentOf(transactionType);
  return amendment === undefined || enabled.has(amendment);
}
