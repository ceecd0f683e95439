import { Client, type Payment, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { type HttpAnswer, HttpError, type HttpRequest, serveJson } from '#sandbox/http-server.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const DROPS_PER_XRP = 1_000_000;

export type StandaloneOptions = { url: string; host: string; port: number; intervalMs: number };

/**
 * What the stand-in ledger has and a real standalone server lacks, in front of one: a faucet that pays from the genesis
 * account, JSON-RPC on a port of the sandbox, and ledgers that close by themselves. Throws when it is not standalone.
 */
export async function startStandalone({ url, host, port, intervalMs }: StandaloneOptions) {
  const client = new Client(url);
  // Broken connections show where a request fails; without a listener they would be uncaught errors.
  client.on('error', () => {});
  await client.connect();
  const command = (name: string, fields: object = {}) => client.connection.request({ ...fields, command: name });
  // Refused by every server that is not standalone, and to everybody who is no administrator.
  await command('ledger_accept');
  const genesis = Wallet.fromSeed(GENESIS_SEED);

  async function pay(destination: string, xrp: number): Promise<void> {
    const Amount = String(xrp * DROPS_PER_XRP);
    const payment: Payment = { TransactionType: 'Payment', Account: genesis.address, Destination: destination, Amount };
    const { tx_blob } = genesis.sign(await client.autofill(payment));
    const { result } = await client.submit(tx_blob);
    if (result.engine_result !== 'tesSUCCESS') throw new HttpError(500, `the payment failed: ${result.engine_result}`);
  }
  /** One after the other: each takes the next sequence of the genesis account. */
  let paying: Promise<unknown> = Promise.resolve();
  async function fund(body: Record<string, unknown>): Promise<HttpAnswer> {
    const { destination, xrpAmount = 100 } = body;
    const wallet = destination === undefined ? Wallet.generate() : undefined;
    const address = wallet?.address ?? String(destination);
    const amount = Number(xrpAmount);
    const paid = paying.then(() => pay(address, amount));
    paying = paid.catch(() => undefined);
    await paid;
    const account = { address, classicAddress: address, ...(wallet && { secret: wallet.seed }) };
    return { status: 200, json: { account, amount, ...(wallet && { seed: wallet.seed }) } };
  }

  async function call({ method, params }: Record<string, unknown>): Promise<HttpAnswer> {
    const [fields] = Array.isArray(params) ? params : [];
    const result = await command(String(method), typeof fields === 'object' && fields !== null ? fields : {}).then(
      (answer) => ({ ...(answer as { result: object }).result, status: 'success' }),
      (error: { data?: object }) => ({ ...error.data, status: 'error' }),
    );
    return { status: 200, json: { result } };
  }

  const server = await serveJson({ port, host, maxBodyBytes: MAX_BODY_BYTES }, ({ target, body }: HttpRequest) => {
    const request = JSON.parse(body.toString() || '{}') as Record<string, unknown>;
    return target.endsWith('/accounts') ? fund(request) : call(request);
  });
  // Requests that wait for a ledger tell of a close that failed.
  const close = (): void => void command('ledger_accept').catch(() => undefined);
  const timer = intervalMs > 0 ? setInterval(close, intervalMs) : undefined;
  return {
    addresses: { wsUrl: url, rpcUrl: `${server.url}/`, faucetUrl: `${server.url}/accounts` },
    close: async () => {
      clearInterval(timer);
      await server.close();
      await client.disconnect();
    },
  };
}
