import { derivedId } from '@tranche/rules/ids.ts';
import { actionTransaction } from '@tranche/rules/transactions.ts';
import type { VerificationReport } from '@tranche/verifier/report.ts';
import { eq, sql } from 'drizzle-orm';
import type { EscrowCreate, Wallet } from 'xrpl';
import { projects } from '#drizzle/schema/sale.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import type { Stage } from '#tests/integration/sales/stage.ts';
import {
  tokenAmount,
  UNSOLD_UNTIL_SECONDS,
  type UnsoldParties,
  type UnsoldSale,
  unsoldDraft,
} from '#tests/integration/sales/unsold-sale.ts';
import { quiet, verifyAltered } from './altered.ts';
import { tamper } from './scene.ts';

/** Of 6,000 tokens these sales sell 500. */
export const UNSOLD = '5500';

/** Signs and sends one action as the deposit account's own key does. */
async function actBySelf(
  stage: Stage,
  sale: UnsoldSale,
  move: 'launch' | 'end' | 'cancel',
  rest: { terms_hash?: string },
) {
  const { result } = await stage.desk.client.request({
    command: 'account_info',
    account: sale.deposit.address,
    ledger_index: 'current',
  });
  const transaction = actionTransaction(
    sale.deposit.address,
    { v: 1, project: sale.project.id, move, ...rest },
    {
      sequence: result.account_data.Sequence,
      feeDrops: 20n,
      lastLedgerSequence: Number(result.ledger_current_index) + 20,
    },
  );
  await stage.desk.send(sale.deposit, transaction);
  await stage.settle(sale.deposit);
}

/** A sale that promises to lock what it does not sell, has sold some of it, and goes on. */
export async function sellingSale(stage: Stage, parties?: UnsoldParties): Promise<UnsoldSale> {
  const sale = await unsoldDraft(stage, {}, parties);
  await launch(stage, sale);
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  await stage.pay(investor, sale, 50);
  // Here the distributor pays.
  await quiet(stage, { ...sale, issuer: sale.distributor });
  return sale;
}

/** Launches a draft, whatever the checklist says of it. */
export async function launch(stage: Stage, sale: UnsoldSale): Promise<void> {
  const { canonical, sha256 } = await getTerms(stage.ctx, sale.project.id);
  await stage.database.db
    .update(projects)
    .set({ terms: canonical, termsHash: sha256 })
    .where(eq(projects.id, sale.project.id));
  await actBySelf(stage, sale, 'launch', { terms_hash: sha256 });
}

/** The same, ended. */
export async function endedSale(stage: Stage, parties?: UnsoldParties): Promise<UnsoldSale> {
  const sale = await sellingSale(stage, parties);
  await endSale(stage, sale);
  return sale;
}

export const endSale = (stage: Stage, sale: UnsoldSale): Promise<void> => actBySelf(stage, sale, 'end', {});

export const cancelSale = (stage: Stage, sale: UnsoldSale): Promise<void> => actBySelf(stage, sale, 'cancel', {});

/** Another holder of as many tokens. */
export async function unsoldHolder(stage: Stage, sale: UnsoldSale): Promise<Wallet> {
  const [holder] = (await holders(stage, sale, 1)) as [Wallet];
  const { issuer } = sale;
  await stage.desk.write([
    issuer,
    {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: holder.address,
      Amount: tokenAmount(issuer, UNSOLD),
    },
  ]);
  return holder;
}

/** The distributor puts tokens in escrow to itself, until the sale's time unless told otherwise; in a ledger that is closed. */
export async function putInEscrow(
  stage: Stage,
  { distributor, issuer }: UnsoldParties,
  over: Partial<EscrowCreate> = {},
  signer: Wallet = distributor,
): Promise<{ hash: string; ledgerIndex: number }> {
  const hash = await stage.desk.send(signer, {
    TransactionType: 'EscrowCreate',
    Account: signer.address,
    Destination: distributor.address,
    Amount: tokenAmount(issuer, UNSOLD),
    FinishAfter: UNSOLD_UNTIL_SECONDS,
    ...over,
  });
  stage.desk.close();
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  return { hash, ledgerIndex: Number(result.ledger_index) };
}

interface LockRow {
  part: number;
  units: bigint;
  paid: { hash: string; ledgerIndex: number } | null;
}

const lockId = ({ project }: UnsoldSale, part = 1): string => derivedId('pay', 'lock', project.id, String(part));

export const removeLock = (stage: Stage, sale: UnsoldSale) =>
  tamper(stage, sql`delete from payouts where id = ${lockId(sale)}`);

/** The lock of an ended sale as the books are to have it: owed, or paid by that transaction. */
export async function writeLock(stage: Stage, sale: UnsoldSale, over: Partial<LockRow> = {}): Promise<string> {
  const { part, units, paid }: LockRow = { part: 1, units: 5_500_000_000n, paid: null, ...over };
  const id = lockId(sale, part);
  const { address } = sale.distributor;
  await tamper(stage, sql`delete from payouts where id = ${id}`);
  await tamper(
    stage,
    sql`
      insert into payouts (id, kind, project_id, part, account, destination, amount, locked_until, status, due_at, tx_hash, ledger_index)
      select ${id}, 'lock', p.id, ${part}, ${address}, ${address}, ${units}, p.unsold_until,
        ${paid === null ? 'held' : 'validated'}, p.ended_at, ${paid?.hash ?? null}, ${paid?.ledgerIndex ?? null}
      from projects p where p.id = ${sale.project.id}`,
  );
  return id;
}

/** Confirms what the ledger holds by now, and verifies the sale. */
export async function verified(
  stage: Stage,
  sale: UnsoldSale,
  over: Parameters<typeof verifyAltered>[3] = {},
): Promise<VerificationReport> {
  await stage.settle(sale.deposit);
  return verifyAltered(stage, sale, () => ({}), over);
}
