import type { EscrowCreate, EscrowFinish, Wallet } from 'xrpl';
import type { TestCtx } from '#tests/support/ctx.ts';
import { CLOSED_AT_MS } from '#tests/support/sale.ts';
import { CURRENCY, type ProjectBody, type Stage } from './stage.ts';

export const RIPPLE_EPOCH_SECONDS = 946_684_800;
const DAY_SECONDS = 86_400;
/** That of the empty fulfilment. */
export const CONDITION = 'A0258020E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855810100';

/** When the locks of these tests end, in the ledger's seconds and as text. */
export const UNTIL_SECONDS = CLOSED_AT_MS / 1000 - RIPPLE_EPOCH_SECONDS + 30 * DAY_SECONDS;
export const UNTIL = new Date(CLOSED_AT_MS + 30 * DAY_SECONDS * 1000).toISOString();

/** A token whose issuer allows escrows, a holder of 100,000 of it, and the team that a lock is for. */
export interface LockScene {
  issuer: Wallet;
  holder: Wallet;
  team: Wallet;
  amount(value: string): { currency: string; issuer: string; value: string };
  /** Creates an escrow of 100 tokens for the team until then, unless told otherwise, and gives the transaction's hash. */
  lock(over?: Partial<EscrowCreate>): Promise<string>;
}

export async function lockScene(stage: Stage): Promise<LockScene> {
  const issuer = await stage.issuer();
  const [holder, team] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
  const amount = (value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });
  await stage.setFlag(issuer, 'asfAllowTrustLineLocking');
  for (const account of [holder, team]) {
    await stage.desk.write([
      account,
      { TransactionType: 'TrustSet', Account: account.address, LimitAmount: amount('1000000') },
    ]);
  }
  await stage.desk.write([
    issuer,
    { TransactionType: 'Payment', Account: issuer.address, Destination: holder.address, Amount: amount('100000') },
  ]);
  return {
    issuer,
    holder,
    team,
    amount,
    async lock(over = {}) {
      const hash = await stage.desk.send(holder, {
        TransactionType: 'EscrowCreate',
        Account: holder.address,
        Destination: team.address,
        Amount: amount('100'),
        FinishAfter: UNTIL_SECONDS,
        ...over,
      });
      stage.desk.close();
      return hash;
    },
  };
}

/** A lock of 100 tokens for the team, with the escrows that are to prove it. */
export const teamLock = (
  { team }: Pick<LockScene, 'team'>,
  escrows: string[] = [],
  over: Partial<NonNullable<ProjectBody['locks']>[number]> = {},
) => ({ label: 'Team', receiver: team.address, amount: '100', until: UNTIL, escrows, ...over });

/** Ends an escrow by the transaction that created it, which must be possible by now. */
export async function endEscrow(
  stage: Stage,
  owner: Wallet,
  created: string,
  type: 'EscrowFinish' | 'EscrowCancel',
  signer: Wallet = owner,
): Promise<{ hash: string; ledgerIndex: number }> {
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: created });
  const { Sequence: OfferSequence = 0 } = result.tx_json as { Sequence?: number };
  const end = { TransactionType: type, Account: signer.address, Owner: owner.address, OfferSequence };
  const hash = await stage.desk.send(signer, end as EscrowFinish);
  stage.desk.close();
  const ended = await stage.desk.client.request({ command: 'tx', transaction: hash });
  return { hash, ledgerIndex: Number(ended.result.ledger_index) };
}

/** The ledger's own seconds now. */
export async function ledgerSeconds(stage: Stage): Promise<number> {
  const { result } = await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' });
  return result.ledger.close_time;
}

export async function passLedgerSeconds(stage: Stage, seconds: number): Promise<void> {
  while ((await ledgerSeconds(stage)) <= seconds) stage.desk.close();
}

/** A process that dies as it submits: before the ledger has the transaction, or when it has it. */
export const dying = (ctx: TestCtx, when: 'before the ledger' | 'behind it' = 'before the ledger'): TestCtx => ({
  ...ctx,
  ledger: {
    ...ctx.ledger,
    submit: async (blob) => {
      if (when === 'behind it') await ctx.ledger.submit(blob);
      throw new Error('died');
    },
  },
});
