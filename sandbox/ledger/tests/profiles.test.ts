import { expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import type { AmendmentProfile } from '../amendments.ts';
import { fundedWallets, startRig, submitRaw } from './support.ts';

type Features = Record<string, { enabled: boolean; name: string }>;

/** The names of the amendments that `feature` shows as enabled, and how many the ledger's own entry lists. */
async function enabledIn(profile?: AmendmentProfile): Promise<{ names: string[]; listed: number }> {
  const rig = await startRig(profile === undefined ? {} : { profile });
  try {
    const { result } = await rig.client.request({ command: 'feature' } as never);
    const { features } = result as { features: Features };
    const { result: entry } = await rig.client.request({ command: 'ledger_entry', amendments: true } as never);
    const { Amendments: ids } = (entry as { node: { Amendments: string[] } }).node;
    const names = Object.values(features).flatMap(({ enabled, name }) => (enabled ? [name] : []));
    expect(ids.every((id) => features[id]?.enabled)).toBe(true);
    return { names, listed: ids.length };
  } finally {
    await rig.stop();
  }
}

test('a ledger has the amendments of its profile, and says so', async () => {
  const recorded = await enabledIn();
  expect(recorded.listed).toBe(46);
  expect(recorded.names).toContain('AMM');
  expect(recorded.names).not.toContain('BatchV1_1');
  const mainnet = await enabledIn('mainnet');
  expect(mainnet.names).toHaveLength(mainnet.listed);
  expect(mainnet.names).toEqual(expect.arrayContaining(['BatchV1_1', 'PermissionDelegationV1_1', 'MPTokensV1']));
  for (const absent of ['AMM', 'LendingProtocol', 'SingleAssetVault']) expect(mainnet.names).not.toContain(absent);
  expect((await enabledIn('all')).listed).toBe(49);
});

test('a check of no ID is refused where fixCleanup3_3_0 says so, and before that not found', async () => {
  for (const [profile, result] of [
    ['recorded', 'tecNO_ENTRY'],
    ['mainnet', 'temMALFORMED'],
  ] as const) {
    const rig = await startRig({ profile });
    const [sender] = (await fundedWallets(rig, 1)) as [Wallet];
    const fields = { TransactionType: 'CheckCancel', CheckID: '0'.repeat(64) };
    expect(await submitRaw(rig, sender, fields)).toBe(result);
    expect(await submitRaw(rig, sender, { ...fields, TransactionType: 'CheckCash', Amount: '1' })).toBe(result);
    await rig.stop();
  }
});
