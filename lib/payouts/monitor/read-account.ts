import type { TokenDebt } from '#lib/token-debts.ts';
import { type KeyEntryFault, keyEntryFault } from '#lib/xrpl/key-check.ts';
import { canSignFor } from '#lib/xrpl/keys.ts';
import { findSigner } from '#lib/xrpl/signer.ts';
import type { AccountState, Ledger } from '#lib/xrpl/types.ts';
import type { AccountFacts } from './account-findings.ts';
import type { TokenFacts } from './token-findings.ts';

/** What the ledger shows of a paying account, and whether the configured key signs for it. */
export async function readAccountFacts(ledger: Ledger, address: string): Promise<AccountFacts> {
  const [state, tickets] = await Promise.all([ledger.account(address), ledger.tickets(address)]);
  return { state, tickets: tickets.length, keyFault: await readKeyFault(address, state) };
}

const ENTRY_FAULTS: Record<KeyEntryFault, (address: string) => string> = {
  address_invalid: (address) =>
    `${address} in SIGNING_KEYS is no account address: its checksum does not fit. Correct it and deploy.`,
  seed_unreadable: (address) =>
    `The seed in SIGNING_KEYS for ${address} cannot be read: a character is wrong or missing. Correct it and deploy.`,
  algorithm_differs: (address) =>
    `The seed in SIGNING_KEYS for ${address} makes its key under the other algorithm. Correct the algorithm and deploy.`,
};

async function readKeyFault(address: string, state: AccountState | null): Promise<AccountFacts['keyFault']> {
  if (!canSignFor(address)) {
    return {
      code: 'key_missing',
      message: `No key for ${address} stands in SIGNING_KEYS: nothing can be paid from it. Add it and deploy.`,
    };
  }
  const unfit = (message: string) => ({ code: 'key_unfit', message }) as const;
  const fault = await keyEntryFault(address);
  if (fault !== null) return unfit(ENTRY_FAULTS[fault](address));
  if (state === null) return null;
  const signer = await findSigner(state);
  if (signer === 'key_disabled') {
    return unfit(`The master key of ${address} is disabled on the ledger. Add its regular key to SIGNING_KEYS.`);
  }
  if (signer === 'key_changed') {
    return unfit(
      `The key in SIGNING_KEYS for ${address} is neither its master key nor its regular key on the ledger. If nobody of yours changed the regular key, halt the account and move its funds.`,
    );
  }
  return null;
}

/** What the ledger shows of a token at its distributor. */
export async function readTokenFacts(ledger: Ledger, debt: TokenDebt): Promise<TokenFacts> {
  const { distributor, tokenKind } = debt;
  const issuer = debt.issuer ?? '';
  if (tokenKind === 'iou') {
    const [state, line] = await Promise.all([
      ledger.account(issuer),
      distributor === issuer ? null : ledger.trustLine(distributor, issuer, debt.currency ?? ''),
    ]);
    return { kind: 'iou', issuer: state, line };
  }
  const id = debt.issuanceId ?? '';
  const [issuance, holding] = await Promise.all([
    ledger.mptIssuance(id),
    distributor === issuer ? null : ledger.mptHolding(distributor, id),
  ]);
  return { kind: 'mpt', issuance, holding };
}
