import { expect, it } from 'vitest';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { openRelay } from '#tests/faults/relay.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { openStage } from './stage.ts';

it('a server that leaves between two questions is not said to disagree', async () => {
  const stage = await openStage();
  const peer = await startLedger({ peerOf: stage.desk.ledger });
  const relay = await openRelay(peer.port);
  const sale = await stage.launched();
  const urls = [stage.desk.ledger.wsUrl, relay.wsUrl];
  stage.set({ XRPL_URLS: urls.join(',') });
  const ledger = openLedger({ urls, networkId: NETWORK_ID });
  try {
    await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(2);
    const leaving = {
      ...ledger,
      headEverywhere: (index: number) => {
        relay.setAway(true);
        return ledger.headEverywhere(index);
      },
    };
    await advanceAccount(
      { ...stage.ctx, ledger: leaving },
      {
        account: sale.deposit.address,
        server: await ledger.serverState(),
        deadlineMs: Number.POSITIVE_INFINITY,
        stillMine: async () => true,
      },
    );
    expect(await rowsOf(stage.ctx.db, 'events', { type: 'system.alert' })).toEqual([]);
  } finally {
    await ledger.close();
    await relay.close();
    await peer.close();
    await stage.end();
  }
});
