import { z } from 'zod';
import { lookUpPayment } from '#lib/sales/investments/look-up-payment.ts';
import { transactionHash } from '#lib/xrpl/transaction-hash.ts';
import { ownSource, transactionSources } from '../links.ts';
import { defineTool } from './define.ts';

export const findPaymentTool = defineTool({
  name: 'find_payment',
  description:
    'Where a payment is, by its transaction hash: in the books (with what it bought, payouts, refunds, or why it is held), on the ledger but not read yet, sent elsewhere, failed, or not in any validated ledger.',
  input: z.strictObject({ transaction_hash: transactionHash }),
  async run(ctx, { transaction_hash }) {
    const data = await lookUpPayment(ctx, transaction_hash);
    const investment = data.state === 'recorded' ? data.investment : null;
    return {
      data: { transaction_hash, ...data },
      sources: [
        ...(investment === null
          ? []
          : [
              ownSource('The investment', `/investments/${investment.id}`),
              ownSource('The investment in the API', `/api/investments/${investment.id}`),
            ]),
        ...transactionSources(transaction_hash),
      ],
    };
  },
});
export type PaymentFound = Awaited<ReturnType<typeof findPaymentTool.run>>['data'];
