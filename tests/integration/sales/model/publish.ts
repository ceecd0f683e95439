import { derivedId } from '@tranche/rules/ids.ts';
import type { AllowList } from '@tranche/rules/types.ts';
import type { Db } from '#lib/base/db.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { DISTRIBUTOR, ISSUER, pageOf, START_LEDGER } from '#tests/support/sale.ts';
import { OPENING_DROPS, REFUND_MIN_DROPS, type World, type WorldProject } from './world.ts';

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Registers the world's deposit account. */
export async function registerAccount(db: Db, world: World): Promise<void> {
  await addRows(db, 'depositAccounts', {
    address: world.account,
    networkId: 0,
    registeredLedger: START_LEDGER,
    cursorLedger: START_LEDGER,
    cursorHash: pageOf([], START_LEDGER).readThroughHash,
    confirmedLedger: START_LEDGER,
    recordedBalanceDrops: OPENING_DROPS,
    reconciledLedger: START_LEDGER,
    refundMinDrops: REFUND_MIN_DROPS,
  });
}

/** Writes a draft whose launch is prepared: its terms have a hash. */
export async function publishProject(db: Db, world: World, project: WorldProject): Promise<void> {
  const { id, tag, treasury, termsHash, terms } = project;
  await db.transaction(async (tx) => {
    await addRows(tx, 'projects', {
      id,
      name: 'Sale',
      slug: id.toLowerCase(),
      tokenKind: 'iou',
      currency: 'DMO',
      issuer: ISSUER,
      decimals: terms.decimals,
      distributor: DISTRIBUTOR,
      depositAddress: world.account,
      destinationTag: tag,
      startsAt: toDate(terms.startsAtMs),
      endsAt: toDate(terms.endsAtMs),
      softCapDrops: terms.softCapDrops,
      minInvestmentDrops: terms.minInvestmentDrops,
      maxPerWalletDrops: terms.maxPerWalletDrops,
      access: terms.access,
      distribution: terms.distribution,
      vesting: terms.vesting,
      treasury,
      refundMinDrops: terms.refundMinDrops,
      termsHash,
    });
    await addRows(
      tx,
      'tiers',
      terms.tiers.map(({ price, totalUnits, access, startsAtMs }, index) => ({
        projectId: id,
        tier: index + 1,
        price,
        totalUnits,
        access,
        startsAt: toDate(startsAtMs),
      })),
    );
  });
}

/** Writes a committed version of a project's allowlist. */
export async function publishList(
  db: Db,
  project: WorldProject,
  { hash, version, list }: { hash: string; version: number; list: AllowList },
): Promise<void> {
  const id = derivedId('list', project.id, hash);
  await db.transaction(async (tx) => {
    await addRows(tx, 'lists', { id, projectId: project.id, version, entries: list.size });
    await addRows(
      tx,
      'listEntries',
      [...list].map(([walletAddress, capDrops]) => ({ listId: id, walletAddress, capDrops })),
    );
    // What is committed never changes: the entries come first.
    await changeRows(tx, 'lists', { id }, { status: 'committed', hash, committedAt: new Date() });
  });
}
