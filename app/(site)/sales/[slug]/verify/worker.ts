import { formatDrops, formatUnits } from '@tranche/rules/amounts.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { openLedger } from '@tranche/verifier/ledger-client.ts';
import { reportOf } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import type { VerifyMessage, VerifyRequest } from './messages.ts';

const say = (message: VerifyMessage): void => globalThis.postMessage(message);

/** One verification, beside the page: the same that `tranche verify` runs. */
async function verify({ baseUrl, projectId, servers }: VerifyRequest): Promise<void> {
  const source = httpSource(baseUrl);
  const [account, { custody }] = await Promise.all([source.depositAccount(projectId), source.project(projectId)]);
  const ledger = openLedger({ urls: servers, networkId: account.network_id });
  try {
    const { progress, inputs } = await verifySale({
      source,
      ledger,
      projectId,
      asOf: null,
      progress: null,
      pageDone: async ({ deposit, through, findings: { counts, differencesTotal } }) => {
        say({
          kind: 'progress',
          fromLedger: custody?.from_ledger ?? account.registered_ledger,
          ledger: deposit.afterLedger,
          throughLedger: through,
          payments: counts.payments,
          payoutsFound: counts.payouts_validated,
          differences: differencesTotal,
        });
        return true;
      },
    });
    const { tiers, decimals, raisedDrops } = progress.sale.projects.get(inputs.target.terms.destination_tag) ?? {
      tiers: [],
      decimals: 0,
      raisedDrops: 0n,
    };
    say({
      kind: 'result',
      report: reportOf(progress, inputs),
      raisedXrp: formatDrops(raisedDrops),
      soldTokens: formatUnits(
        tiers.reduce((sum, { soldUnits }) => sum + soldUnits, 0n),
        decimals,
      ),
    });
  } finally {
    ledger.close();
  }
}

globalThis.onmessage = ({ data }: MessageEvent<VerifyRequest>) => {
  verify(data).catch((error: unknown) =>
    say({ kind: 'fault', text: error instanceof Error ? error.message : String(error) }),
  );
};
