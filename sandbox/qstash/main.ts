import { Command, InvalidArgumentError, Option } from 'commander';
import { startQStash } from './index.ts';

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('not a port');
  return port;
}

const options = new Command('sandbox-qstash')
  .description('QStash for development: the REST paths, signed callbacks, and a clock that can be advanced')
  .addOption(new Option('--port <port>', '0 takes a free one').env('QSTASH_PORT').argParser(parsePort).default(8080))
  .addOption(new Option('--host <host>').env('QSTASH_HOST').default('127.0.0.1'))
  .addOption(new Option('--token <token>').env('QSTASH_TOKEN').default('sandbox'))
  .addOption(new Option('--current-signing-key <key>').env('QSTASH_CURRENT_SIGNING_KEY').default('sig_current'))
  .addOption(new Option('--next-signing-key <key>').env('QSTASH_NEXT_SIGNING_KEY').default('sig_next'))
  .parse()
  .opts<{ port: number; host: string; token: string; currentSigningKey: string; nextSigningKey: string }>();

const server = await startQStash(options);
process.stdout.write(`qstash ready at ${server.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close().then(() => process.exit(0));
  });
}
