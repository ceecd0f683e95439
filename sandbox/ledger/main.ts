#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { startLedger } from './index.ts';

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return value;
}

function positiveNumber(text: string): number {
  if (wholeNumber(text) === 0) throw new InvalidArgumentError('must be 1 or more');
  return Number(text);
}

type Flags = {
  port: number;
  host: string;
  ledgerInterval: number;
  networkId: number;
  baseFee: number;
  reserveBase: number;
  reserveInc: number;
  history: number;
  expectedLedgerSize: number;
  ledgerGrowth: number;
};

const flags = new Command('xrpl-sandbox')
  .description('A stand-in for an XRP Ledger server, for development and tests')
  .option('--port <n>', 'port of WebSocket, JSON-RPC and faucet; 0 takes any free one', wholeNumber, 6006)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--ledger-interval <ms>', 'time between closes; 0 closes only on ledger_accept', wholeNumber, 1000)
  .option('--network-id <n>', 'network ID', wholeNumber, 0)
  .option('--base-fee <drops>', 'cost of a transaction', wholeNumber, 10)
  .option('--reserve-base <drops>', 'reserve of an account', wholeNumber, 1_000_000)
  .option('--reserve-inc <drops>', 'reserve of each owned object', wholeNumber, 200_000)
  .option('--history <ledgers>', 'how many ledgers to hold; 0 holds all', wholeNumber, 0)
  .option('--expected-ledger-size <n>', 'transactions a ledger takes before fees escalate', positiveNumber, 1000)
  .option('--ledger-growth <percent>', 'how much a busy ledger raises that number', wholeNumber, 20)
  .parse()
  .opts<Flags>();

const ledger = await startLedger({
  port: flags.port,
  host: flags.host,
  intervalMs: flags.ledgerInterval,
  networkId: flags.networkId,
  baseFeeDrops: flags.baseFee,
  reserveBaseDrops: flags.reserveBase,
  reserveIncDrops: flags.reserveInc,
  historyLedgers: flags.history,
  expectedLedgerSize: flags.expectedLedgerSize,
  ledgerGrowthPercent: flags.ledgerGrowth,
});
process.stdout.write(
  `sandbox ledger ready\n  ws      ${ledger.wsUrl}\n  rpc     ${ledger.rpcUrl}\n  faucet  ${ledger.faucetUrl}\n`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void ledger.close();
  });
}
