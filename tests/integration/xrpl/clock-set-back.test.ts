import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { openRelay, type Relay } from '#tests/faults/relay.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from './desk.ts';

const SKEW_MS = 600_000;
/** Longer than a server that failed is left alone. */
const RESTED_MS = 20_000;

let desk: LedgerDesk;
let second: SandboxLedger;
let relay: Relay;

beforeAll(async () => {
  desk = await openDesk();
  desk.close();
  second = await startLedger({ peerOf: desk.ledger, networkId: NETWORK_ID });
  relay = await openRelay(second.port);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await relay?.close();
  await second?.close();
  await desk?.end();
});

test('a server that failed while the clock was ahead is asked again soon after the clock was set back', async () => {
  const port = openLedger({ urls: [desk.ledger.wsUrl, relay.wsUrl], networkId: NETWORK_ID });
  const [realDate, realStopwatch] = [Date.now, performance.now.bind(performance)];
  try {
    const { validatedIndex } = await port.serverState();
    expect(await port.headEverywhere(validatedIndex)).toHaveLength(2);
    vi.spyOn(Date, 'now').mockImplementation(() => realDate() + SKEW_MS);
    relay.setAway(true);
    expect(await port.headEverywhere(validatedIndex)).toHaveLength(1);
    relay.setAway(false);
    vi.mocked(Date.now).mockImplementation(() => realDate());
    expect(await port.headEverywhere(validatedIndex)).toHaveLength(1);
    vi.spyOn(performance, 'now').mockImplementation(() => realStopwatch() + RESTED_MS);
    expect(await port.headEverywhere(validatedIndex)).toHaveLength(2);
  } finally {
    await port.close();
  }
});
