import { Command, InvalidArgumentError, Option } from 'commander';
import { startRedisRest } from './index.ts';

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('not a port');
  return port;
}

const options = new Command('sandbox-redis')
  .description("Upstash's Redis REST protocol in front of ioredis-mock, or of a real Redis")
  .addOption(
    new Option('--port <port>', '0 takes a free one').env('REDIS_REST_PORT').argParser(parsePort).default(8079),
  )
  .addOption(new Option('--host <host>').env('REDIS_REST_HOST').default('127.0.0.1'))
  .addOption(new Option('--token <token>').env('UPSTASH_REDIS_REST_TOKEN').default('sandbox'))
  .addOption(new Option('--redis-url <url>', 'a real Redis to stand in front of').env('REDIS_URL'))
  .parse()
  .opts<{ port: number; host: string; token: string; redisUrl?: string }>();

const server = await startRedisRest(options);
process.stdout.write(`redis ready at ${server.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close().then(() => process.exit(0));
  });
}
