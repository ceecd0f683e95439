import { spawn } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Command } from 'commander';
import {
  deriveAddress,
  deriveKeypair,
  generateSeed,
  sign as signSecp256k1,
  verify as verifySecp256k1,
} from 'ripple-keypairs';
import { Client } from 'xrpl';
import { enabledAmendments } from 'xrpl-sandbox/amendments.ts';
import { encodeObject } from 'xrpl-sandbox/binary/encode.ts';
import { writePayments } from 'xrpl-sandbox/bulk.ts';
import { Chain } from 'xrpl-sandbox/chain.ts';
import { account } from 'xrpl-sandbox/engine/view.ts';
import { GENESIS_ADDRESS } from 'xrpl-sandbox/genesis.ts';
import { transactionHash } from 'xrpl-sandbox/hashing.ts';
import type { JsonObject } from 'xrpl-sandbox/json.ts';
import { MARKER_LIFE_MS } from 'xrpl-sandbox/markers.ts';
import { ServerNode } from 'xrpl-sandbox/node.ts';
import { answerMessage } from 'xrpl-sandbox/rpc/dispatch.ts';
import { serve } from 'xrpl-sandbox/server.ts';
import { Streams } from 'xrpl-sandbox/streams.ts';
import type { Transaction, TransactionFields } from 'xrpl-sandbox/transaction.ts';
import { type Figure, reportMetrics } from '../figures.ts';
import { spawnLedger } from '../spawn-ledger.ts';

const { full } = new Command('npx tranche bench sandbox-ledger')
  .description('Measures the sandbox ledger against limits of the machine it runs on')
  .option('--full', 'a million transactions for the memory figure instead of a hundred thousand', false)
  .parse()
  .opts<{ full: boolean }>();

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en-US');

/** How many times a second something can be done, measured for about that long. */
function perSecond(work: () => void, forMs = 1000): number {
  for (let i = 0; i < 20; i++) work();
  const start = performance.now();
  let done = 0;
  for (; performance.now() - start < forMs; done++) work();
  return (done / (performance.now() - start)) * 1000;
}

const figures: Figure[] = [];

function newChain(historyLedgers: number): Chain {
  return new Chain({
    rules: {
      networkId: 0,
      baseFeeDrops: 10n,
      reserveBaseDrops: 1_000_000n,
      reserveIncDrops: 200_000n,
      amendments: enabledAmendments('recorded'),
    },
    fees: { expectedLedgerSize: 1_000_000, growthPercent: 20 },
    historyLedgers,
  });
}

type Signer = { address: string; publicKey: string; sign: (messageHex: string) => string };

function ed25519Signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex').toUpperCase();
  const key: KeyObject = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return {
    publicKey: `ED${raw}`,
    address: deriveAddress(`ED${raw}`),
    sign: (message) => sign(null, Buffer.from(message, 'hex'), key).toString('hex').toUpperCase(),
  };
}

function secp256k1Signer(): Signer {
  const keys = deriveKeypair(generateSeed({ algorithm: 'ecdsa-secp256k1' }));
  return {
    publicKey: keys.publicKey,
    address: deriveAddress(keys.publicKey),
    sign: (message) => signSecp256k1(message, keys.privateKey),
  };
}

function signedPayment(signer: Signer, sequence: number, destination: string): string {
  const fields: JsonObject = {
    TransactionType: 'Payment',
    Account: signer.address,
    Amount: '1',
    Destination: destination,
    Fee: '10',
    Sequence: sequence,
    SigningPubKey: signer.publicKey,
  };
  return encodeObject({ ...fields, TxnSignature: signer.sign(`53545800${encodeObject(fields)}`) });
}

function unsigned(fields: TransactionFields): Transaction {
  const blob = encodeObject(fields);
  return { blob, hash: transactionHash(blob), fields };
}

const PRETENDED = { SigningPubKey: `ED${'0'.repeat(64)}`, TxnSignature: '0'.repeat(128) };

/** Payments a second from the text of a `submit` request to the validated ledger, signatures verified. */
function submitRate(signer: Signer, count: number): number {
  const chain = newChain(10);
  const node = new ServerNode(chain, { markerLifeMs: MARKER_LIFE_MS });
  const context = { chain, node, port: 0, streams: new Streams(node), subscriber: undefined };
  writePayments(chain, { count: 1, destination: signer.address, amountDrops: 1_000_000_000n });
  const first = account(chain.open, signer.address)?.Sequence ?? 0;
  const requests = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ command: 'submit', tx_blob: signedPayment(signer, first + i, GENESIS_ADDRESS) }),
  );
  const start = performance.now();
  let validated = 0;
  requests.forEach((text, i) => {
    answerMessage(context, text);
    if ((i + 1) % 1000 === 0 || i + 1 === count) validated += chain.close().transactions.length;
  });
  const elapsedMs = performance.now() - start;
  if (validated !== count) throw new Error(`${validated} of ${count} payments were validated`);
  return (count / elapsedMs) * 1000;
}

function signatureFigures(): number {
  const signer = ed25519Signer();
  const message = Buffer.from('a message as long as the usual payment is, which is near two hundred bytes'.repeat(3));
  const signature = Buffer.from(signer.sign(message.toString('hex')), 'hex');
  const key = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(signer.publicKey.slice(2), 'hex'),
  ]);
  const bare = perSecond(() => verify(null, message, { key, format: 'der', type: 'spki' }, signature));
  const paid = submitRate(signer, 5000);
  say(
    `ed25519 payments applied, one core:    ${rate(paid)}/s; bare verifications ${rate(bare)}/s; ratio ${(paid / bare).toFixed(2)}`,
  );

  figures.push(
    { what: 'signed ed25519 payments applied on one core', value: paid, unit: 'a second' },
    { what: 'signed ed25519 payments applied', value: paid / bare, unit: 'times', comparedWith: 'bare verifications' },
  );

  const slow = secp256k1Signer();
  const hex = message.toString('hex');
  const slowSignature = slow.sign(hex);
  const slowBare = perSecond(() => verifySecp256k1(hex, slowSignature, slow.publicKey));
  const slowPaid = submitRate(slow, 500);
  say(
    `secp256k1 payments applied, one core:  ${rate(slowPaid)}/s; bare verifications ${rate(slowBare)}/s; ratio ${(slowPaid / slowBare).toFixed(2)}`,
  );
  figures.push({
    what: 'signed secp256k1 payments applied',
    value: slowPaid / slowBare,
    unit: 'times',
    comparedWith: 'bare verifications',
  });
  return bare;
}

/** An issuer with that many trust lines, each from an account of its own. */
function issuerWithLines(chain: Chain, count: number): string {
  const issuer = ed25519Signer().address;
  writePayments(chain, { count: 1, destination: issuer, amountDrops: 1_000_000_000n });
  const holders = Array.from({ length: count }, (_, i) => {
    const publicKey = `ED${i.toString(16).toUpperCase().padStart(64, '0')}`;
    return { publicKey, address: deriveAddress(publicKey) };
  });
  let sequence = account(chain.open, GENESIS_ADDRESS)?.Sequence ?? 0;
  const fund = holders.map(({ address }) => {
    const fields = { TransactionType: 'Payment', Account: GENESIS_ADDRESS, Amount: '10000000', Destination: address };
    const key = '0330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD020';
    return unsigned({ ...PRETENDED, ...fields, SigningPubKey: key, Fee: '10', Sequence: sequence++ });
  });
  const from = chain.close(fund).header.ledgerIndex;
  const trust = holders.map(({ address, publicKey }) =>
    unsigned({
      ...PRETENDED,
      TransactionType: 'TrustSet',
      Account: address,
      Fee: '10',
      LimitAmount: { currency: 'USD', issuer, value: '1000' },
      Sequence: from,
      SigningPubKey: publicKey,
    }),
  );
  chain.close(trust);
  return issuer;
}

async function pagingFigure(): Promise<void> {
  const count = 100_000;
  const chain = newChain(2);
  const issuer = issuerWithLines(chain, count);
  const server = await serve(new ServerNode(chain, { markerLifeMs: MARKER_LIFE_MS }), { host: '127.0.0.1', port: 0 });
  const client = new Client(`ws://127.0.0.1:${server.port}`);
  await client.connect();
  const { ledger_index: index } = (await client.request({ command: 'ledger_closed' })).result;
  const lines: object[] = [];
  const start = performance.now();
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_lines',
      account: issuer,
      ledger_index: index,
      limit: 400,
      ...(marker === undefined ? {} : { marker }),
    });
    lines.push(...result.lines);
    marker = result.marker;
  } while (marker !== undefined);
  const elapsedS = (performance.now() - start) / 1000;
  await client.disconnect();
  await server.close();
  if (lines.length !== count) throw new Error(`${lines.length} of ${count} lines came`);
  const bareStart = performance.now();
  JSON.parse(JSON.stringify(lines));
  const bareS = (performance.now() - bareStart) / 1000;
  say(
    `issuer with ${rate(count)} lines, paged whole: ${elapsedS.toFixed(1)} s; bare JSON of the lines ${bareS.toFixed(1)} s; ratio ${(elapsedS / bareS).toFixed(1)}`,
  );
  const what = `paging an issuer with ${rate(count)} lines`;
  figures.push({ what, value: elapsedS / bareS, unit: 'times', comparedWith: 'JSON of the lines and back' });
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Heap after a collection, in MB. */
function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

function memoryMetric(bareVerifications: number): void {
  const count = full ? 1_000_000 : 100_000;
  const chain = newChain(20);
  const destination = ed25519Signer().address;
  const step = count / 10;
  const heaps: number[] = [];
  let elapsedMs = 0;
  for (let i = 0; i < 10; i++) {
    const start = performance.now();
    writePayments(chain, { count: step, destination, amountDrops: 1000n, perLedger: 500, senders: 50 });
    elapsedMs += performance.now() - start;
    heaps.push(heapMb());
  }
  const written = (count / elapsedMs) * 1000;
  say(
    `ready-made validated payments written: ${rate(written)}/s; bare verifications ${rate(bareVerifications)}/s; ratio ${(written / bareVerifications).toFixed(1)}`,
  );
  // The first tenth fills what the history may hold; from there on nothing may grow.
  const [first = 0, last = 0] = [heaps[1], heaps.at(-1)];
  say(
    `heap over ${rate(count)} payments, 20 ledgers held: ${heaps.map((mb) => mb.toFixed(0)).join(' ')} MB; last to second ${(last / first).toFixed(2)}`,
  );
  figures.push({
    what: `heap over ${rate(count)} payments`,
    value: last / first,
    unit: 'times',
    comparedWith: 'after its second tenth',
  });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** From the start of the process to the ledger being ready, beside a process that does nothing. */
async function startFigure(): Promise<void> {
  const readyMs: number[] = [];
  const bareMs: number[] = [];
  for (let n = 0; n < 5; n++) {
    const start = performance.now();
    const { child } = await spawnLedger();
    readyMs.push(performance.now() - start);
    child.kill();
    await once(child, 'exit');
    const bareStart = performance.now();
    await once(spawn(process.execPath, ['--eval', '0']), 'exit');
    bareMs.push(performance.now() - bareStart);
  }
  const [ready, bare] = [median(readyMs), median(bareMs)];
  say(
    `ready after ${ready.toFixed(0)} ms; bare Node.js ends after ${bare.toFixed(0)} ms; ratio ${(ready / bare).toFixed(1)}`,
  );
  figures.push(
    { what: 'ready after the start of the process', value: ready, unit: 'ms', target: { atMost: 1000 } },
    { what: 'ready after the start of the process', value: ready / bare, unit: 'times', comparedWith: 'bare Node.js' },
  );
}

const bareVerifications = signatureFigures();
memoryMetric(bareVerifications);
await pagingFigure();
await startFigure();
reportMetrics('sandbox-ledger', figures);
