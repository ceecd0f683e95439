import { Command, InvalidArgumentError } from 'commander';
import { startLedger } from './index.ts';

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return value;
}

type Flags = {
  port: number;
  host: string;
  ledgerInterval: number;
  networkId: number;
  baseFee: number;
  reserveBase: number;
  reserveInc: number;
};

const flags = new Command('sandbox-ledger')
  .description('A stand-in for an XRP Ledger server, for development and tests')
  .option('--port <n>', 'port of WebSocket, JSON-RPC and faucet; 0 takes any free one', wholeNumber, 6006)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--ledger-interval <ms>', 'time between closes; 0 closes only on ledger_accept', wholeNumber, 1000)
  .option('--network-id <n>', 'network ID', wholeNumber, 0)
  .option('--base-fee <drops>', 'cost of a transaction', wholeNumber, 10)
  .option('--reserve-base <drops>', 'reserve of an account', wholeNumber, 1_000_000)
  .option('--reserve-inc <drops>', 'reserve of each owned object', wholeNumber, 200_000)
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
});
process.stdout.write(
  `sandbox ledger ready\n  ws      ${ledger.wsUrl}\n  rpc     ${ledger.rpcUrl}\n  faucet  ${ledger.faucetUrl}\n`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void ledger.close();
  });
}
