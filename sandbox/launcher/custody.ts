import type { SignerSet } from '@tranche/rules/custody.ts';
import { Wallet } from 'xrpl';
import { carryOut } from '#lib/custody/carry-out.ts';
import { openCustodyLedger } from '#lib/custody/ledger.ts';
import { setUpSteps } from '#lib/custody/steps.ts';
import type { SandboxLedger } from '../crowd/ledger.ts';
import { SandboxFailure } from './failure.ts';
import type { Secrets } from './secrets.ts';

const POLL_MS = 30;
const LEDGERS_TO_LIVE = 20;

/** The platform and any two witnesses: neither the platform with one, nor all witnesses alone. */
export function signerSetOf({ platformSigner, witnesses }: Secrets): SignerSet & { ledgers_to_live: number } {
  return {
    quorum: witnesses.length + 1,
    platform: { account: platformSigner.address, weight: witnesses.length - 1 },
    witnesses: witnesses.map(({ address, name }) => ({
      account: address,
      weight: 1,
      name,
      operator: 'The sandbox on this machine',
    })),
    ledgers_to_live: LEDGERS_TO_LIVE,
  };
}

/** Brings deposit account and distributor under the witnesses, by the steps of `tranche custody setup`. */
export async function bringUnderCustody(wsUrl: string, connection: SandboxLedger, secrets: Secrets): Promise<void> {
  const { deposit, distributor, platformSigner, witnesses } = secrets;
  const set = signerSetOf(secrets);
  const ledger = await openCustodyLedger({ urls: [wsUrl], pollMs: POLL_MS, beforePoll: () => connection.accept() });
  const said: string[] = [];
  try {
    const unfinished = await carryOut({
      ledger,
      accounts: [deposit.address, distributor.address],
      stepsOf: (facts) => setUpSteps(set, facts),
      keys: [deposit, distributor, platformSigner, ...witnesses].map(({ seed }) => Wallet.fromSeed(seed)),
      confirm: async () => true,
      keep: async (name) => name,
      kept: async () => null,
      looks: 0,
      say: { out: () => {}, err: (line) => void said.push(line) },
    });
    if (unfinished !== null) throw new SandboxFailure(`The accounts came not under custody:\n${said.join('\n')}`);
  } finally {
    await ledger.close();
  }
}
