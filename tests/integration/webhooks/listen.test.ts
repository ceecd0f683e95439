import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@tranche/client/index.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { type ListenOptions, listen, resend, trigger } from '#lib/webhooks/listen/command.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { type Route, serveApp } from '#tests/support/serve-app.ts';
import * as eventRoute from '../../../app/api/events/[id]/route.ts';
import * as eventsRoute from '../../../app/api/events/route.ts';
import * as streamRoute from '../../../app/api/events/stream/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { dispatching } from './dispatching.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { appendInvestments, asDeveloper, newWebhook } from './stage.ts';

const ROUTES: readonly Route[] = [
  ['GET', /^\/api\/events\/stream$/, streamRoute.GET],
  ['GET', /^\/api\/events$/, eventsRoute.GET],
  ['GET', /^\/api\/events\/(?<id>evt_\w+)$/, eventRoute.GET],
  ['POST', /^\/webhooks\/test$/, testRoute.POST],
];

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let app: Awaited<ReturnType<typeof serveApp>>;
let baseUrl: string;
let settings: Record<string, string>;
let receiver: Receiver;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  app = await serveApp(ROUTES);
  baseUrl = `http://127.0.0.1:${app.port}`;
});
afterAll(() => app.close());
beforeEach(async () => {
  settings = { TRANCHE_API_KEY: (await asDeveloper(desk.stage.ctx)).apiKey };
  receiver = await startReceiver();
  closing.push(() => receiver.close());
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Reports so many investments; gives the ids of their events. */
async function report(count: number): Promise<string[]> {
  await appendInvestments(desk.stage.ctx.db, count);
  await fanOutEvents(desk.stage.ctx, Number.POSITIVE_INFINITY);
  const rows = await desk.stage.ctx.db.select({ id: events.id }).from(events).orderBy(events.listPosition);
  return rows.slice(-count).map(({ id }) => id);
}

const LONG_AGO = '2026-01-01T00:00:00.000Z';

/** What a command writes. */
function terminal() {
  const out: string[] = [];
  const err: string[] = [];
  const say = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  return { out, err, say, secret: () => /whsec_\S+/.exec(err[0] ?? '')?.[0] ?? '' };
}

/** Begins to listen, and is connected. `stop` gives the exit code. */
async function start(given: Partial<ListenOptions> = {}) {
  const screen = terminal();
  const abort = new AbortController();
  const options = { baseUrl, forwardTo: receiver.url, printJson: false, ...given };
  const ended = listen(options, settings, screen.say, abort.signal);
  closing.push(() => abort.abort());
  await expect.poll(() => screen.err.join()).toContain('Forwarding the events');
  registerSecrets(screen.secret());
  const stop = () => {
    abort.abort();
    return ended;
  };
  return { ...screen, ended, stop };
}

const idOf = ({ headers }: Received): string => headers['webhook-id'] ?? '';
const ids = () => receiver.received.map(idOf);

/** Passes bytes to the platform, and cuts each connection after some bytes of the answer, wherever that is. */
async function cuttingProxy(bytesOf: (turn: number) => number) {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server: Server = createServer((client) => {
    const platform = connect(app.port, '127.0.0.1');
    let left = bytesOf(cuts);
    for (const socket of [client, platform]) {
      sockets.add(socket);
      const other = socket === client ? platform : client;
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
    client.pipe(platform);
    platform.on('data', (bytes) => {
      client.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      cuts += 1;
      client.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts };
}

describe('listen', () => {
  test('over connections that are cut again and again forwards every event once, in order', async () => {
    // In the headers, in the first event, between events, in the middle of one.
    const proxy = await cuttingProxy(
      (turn) => [300, 1_200, 2_500, 1_900, 4_000][turn] ?? 2_000 + ((turn * 389) % 1_700),
    );
    const listening = await start({ baseUrl: proxy.url });
    const expected = await report(5);
    while (expected.length < 20) {
      expected.push(...(await report(3)));
      await expect.poll(() => ids().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(expected.length - 2);
    }
    await expect.poll(ids, { timeout: 20_000 }).toEqual(expected);
    expect(await listening.stop()).toBe(0);
    expect(proxy.cuts()).toBeGreaterThan(4);
    expect(listening.err.filter((line) => line.startsWith('Connection lost')).length).toBeGreaterThan(4);
    expect(listening.err.at(-1)).toContain(`${expected.length} taken, 0 not taken`);
  }, 60_000);

  test('sends the bytes and headers of a webhook’s delivery, signed with the secret that it prints at each start', async () => {
    const { developer } = await newWebhook(desk.stage.ctx, receiver.url);
    settings = { TRANCHE_API_KEY: developer.apiKey };
    await report(1);
    await desk.dispatch();
    const first = await start({ since: LONG_AGO });
    await expect.poll(ids).toHaveLength(2);
    const [delivered, forwarded] = receiver.received as [Received, Received];
    expect(forwarded.body).toBe(delivered.body);
    const fixed = ({ headers }: Received) => ({
      ...headers,
      'x-platform-signature': '',
      'webhook-signature': '',
      'webhook-timestamp': '',
    });
    expect(fixed(forwarded)).toEqual(fixed(delivered));
    for (const signature of ['standard', 'platform'] as const) {
      const event = await verifyWebhook(forwarded.body, forwarded.headers, first.secret(), { signature });
      expect(event.event_id).toBe(idOf(delivered));
    }
    await first.stop();
    const second = await start();
    expect(second.secret()).toBe(first.secret());
    expect(first.out.concat(first.err).join()).not.toContain(developer.apiKey);
    await second.stop();
  });

  test('signs with a secret of the environment, which it does not show', async () => {
    const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    settings.TRANCHE_WEBHOOK_SECRET = own;
    const listening = await start();
    const [id = ''] = await report(1);
    await expect.poll(ids).toEqual([id]);
    const [{ body, headers }] = receiver.received as [Received];
    expect(await verifyWebhook(body, headers, own)).toMatchObject({ event_id: id });
    await listening.stop();
    expect(listening.err.join()).not.toContain(own);
  });

  test('names what a receiver that is down did not take, and goes on; it is sent again by its id', async () => {
    const down = receiver.url;
    await receiver.close();
    closing.length = 0;
    const listening = await start({ forwardTo: down });
    const missed = await report(2);
    await expect.poll(() => listening.out.length).toBe(2);
    expect(listening.out[0]).toMatch(
      new RegExp(`^20\\S+Z {2}refused +\\d+ ms {2}${missed[0]} {2}investment.created {2}NOT TAKEN$`),
    );
    await listening.stop();
    expect(listening.err.at(-1)).toContain(`npx tranche resend --forward-to ${down} ${missed.join(' ')}`);
    receiver = await startReceiver();
    closing.push(() => receiver.close());
    const screen = terminal();
    expect(await resend({ forwardTo: receiver.url, baseUrl, ids: missed }, settings, screen.say)).toBe(0);
    expect(ids()).toEqual(missed);
    expect(screen.out[1]).toContain(' 200 ');
    const stored = await desk.stage.ctx.db.select({ body: events.body }).from(events).orderBy(events.listPosition);
    expect(receiver.received.map(({ body }) => ({ body }))).toEqual(stored);
    const gone = await resend(
      { forwardTo: receiver.url, baseUrl, ids: [`evt_${'0'.repeat(22)}`] },
      settings,
      screen.say,
    );
    expect(gone).toBe(1);
    expect(screen.err.at(-1)).toContain('There is no such event');
  });

  test('follows no redirect of a receiver', async () => {
    const elsewhere = await startReceiver();
    closing.push(() => elsewhere.close());
    receiver.answerWith((_n, response) => response.writeHead(307, { location: elsewhere.url }).end());
    const listening = await start();
    await report(1);
    await expect.poll(() => listening.out.join()).toMatch(/ 307 .*NOT TAKEN/);
    expect(listening.err.join()).toContain('redirects are not followed');
    await listening.stop();
    expect(elsewhere.received).toEqual([]);
  });

  test('begins after an event, wherever it is in the list, or at a time, with the filters of the list', async () => {
    const [first, ...others] = await report(5);
    const last = others.at(-1);
    const after = await start({ since: first ?? '' });
    await expect.poll(ids).toEqual(others);
    await after.stop();
    const nothing = await start({ since: last ?? '' });
    const [next] = await report(1);
    await expect.poll(ids).toEqual([...others, next]);
    await nothing.stop();
    const filtered = await start({ since: LONG_AGO, events: 'project.launched' });
    const all = await start({ since: LONG_AGO, events: 'project.launched,investment.created', printJson: true });
    await expect.poll(() => all.out.length).toBe(12);
    expect(JSON.parse(all.out[1] ?? '')).toMatchObject({ event_id: first });
    expect(filtered.out).toEqual([]);
    await Promise.all([filtered.stop(), all.stop()]);
  });

  test('ends with what to do when the key is not taken, and when there is none', async () => {
    for (const [key, reason] of [
      [`tr_test_${'a'.repeat(38)}`, 'Check TRANCHE_API_KEY'],
      ['', 'Set TRANCHE_API_KEY'],
    ] as const) {
      const screen = terminal();
      const options = { baseUrl, forwardTo: receiver.url, printJson: false };
      const code = await listen(options, { TRANCHE_API_KEY: key }, screen.say, new AbortController().signal);
      expect(code).toBe(1);
      expect(screen.err.at(-1)).toContain(reason);
      if (key !== '') expect(screen.err.join()).not.toContain(key);
    }
  });

  test('waits as long as Retry-After says, goes on after a stream that broke off, and forwards what comes twice once', async () => {
    const asked: { atMs: number; lastId: string | undefined }[] = [];
    const cursor = 'event: cursor\nid: Wzdd\ndata: {"cursor":"Wzdd"}\n\n';
    const failure = { detail: 'Not \u001b[31mnow.', code: 'internal_error' };
    const body = JSON.stringify({ event_type: 'investment.created', event_id: `evt_${'1'.repeat(22)}` });
    const twice = `id: Wzhd\nevent: investment.created\ndata: ${body}\n\n`.repeat(2);
    const answers = [`${cursor}event: error\ndata: ${JSON.stringify(failure)}\n\n`, cursor + twice];
    const platform = createHttpServer((request, response) => {
      asked.push({ atMs: performance.now(), lastId: request.headers['last-event-id']?.toString() });
      if (asked.length === 1) response.writeHead(503, { 'retry-after': '1' }).end('{"detail":"Busy.","code":"x"}');
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answers.shift() ?? cursor + twice);
    }).listen(0, '127.0.0.1');
    await once(platform, 'listening');
    closing.push(() => platform.close());
    const listening = await start({ baseUrl: `http://127.0.0.1:${(platform.address() as AddressInfo).port}` });
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(4);
    await listening.stop();
    const [first, second, ...others] = asked;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(second?.lastId).toBeUndefined();
    expect(others.map(({ lastId }) => lastId).slice(0, 2)).toEqual(['Wzdd', 'Wzhd']);
    expect(listening.err.join()).toContain('Connection lost: Busy.');
    expect(listening.err.join()).toContain('Connection lost: Not  [31mnow.');
    expect(receiver.received.map(({ body: one }) => one)).toEqual([body]);
  });

  test('ends with what to do where no platform answers, and says so when a connection ends before its first event', async () => {
    let answer: [type: string, body: string] = ['text/html', '<p>Log in</p>'];
    const server = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': answer[0] }).end(answer[1]);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const options = {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      forwardTo: receiver.url,
      printJson: false,
    };
    const screen = terminal();
    const abort = new AbortController();
    expect(await listen(options, settings, screen.say, abort.signal)).toBe(1);
    expect(screen.err.at(-1)).toContain('Check --base-url');
    for (const data of ['{"event_type":', '{"event_type":"a.b","event_id":"\\u001b[2J"}']) {
      answer = ['text/event-stream', `id: Wzdd\nevent: investment.created\ndata: ${data}\n\n`];
      expect(await listen(options, settings, screen.say, abort.signal)).toBe(1);
      expect(screen.err.at(-1)).toContain('is no event');
    }
    answer = ['text/event-stream', ': nothing\n\n'];
    const ended = listen(options, settings, screen.say, abort.signal);
    await expect.poll(() => screen.err.at(-1)).toContain('Connection lost: it ended before its first event');
    abort.abort();
    expect(await ended).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  test('as a command needs no setting but the key, and ends quietly on SIGINT with what it did', async () => {
    const { PATH = '', NODE_COMPILE_CACHE = '', NODE_ENV } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV, BASE_URL: baseUrl, ...settings };
    const file = path.resolve(import.meta.dirname, '../../../lib/cli/tranche.cjs');
    const child = spawn(process.execPath, [file, 'listen', '--forward-to', receiver.url, '--since', LONG_AGO], {
      cwd: '/',
      env,
    });
    closing.push(() => child.kill('SIGKILL'));
    const written = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const [id = ''] = await report(1);
    await expect.poll(ids, { timeout: 30_000 }).toEqual([id]);
    child.kill('SIGINT');
    const [out, err, [code]] = await written;
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^20\\S+Z {2}200 +\\d+ ms {2}${id} {2}investment.created\n$`));
    expect(err).toMatch(/^Signed with whsec_\S+\nForwarding .*\n1 taken, 0 not taken\nGo on from here: .*\n$/);
    expect(err).toContain(`npx tranche listen --forward-to ${receiver.url} --since ${id}\n`);
    expect(err).not.toContain(settings.TRANCHE_API_KEY);
  }, 60_000);
});

test('the quick start’s receiver takes what is forwarded, and refuses what another secret signed', async () => {
  const guide = await readFile(path.resolve(import.meta.dirname, '../../../docs/quickstart.md'), 'utf8');
  const [, program = ''] = /^```js receiver\.mjs\n(.*?)^```$/ms.exec(guide) ?? [];
  // Beneath the repository, where its package is found.
  const folder = await mkdtemp(path.join(import.meta.dirname, '.guide-'));
  closing.push(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'receiver.mjs'), program);
  const [id = ''] = await report(1);
  const probe = await start();
  await probe.stop();
  const env = { ...process.env, PORT: '0', WEBHOOK_SECRET: probe.secret() };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await expect.poll(() => output, { timeout: 10_000 }).toMatch(/port \d+\n/);
  const forwardTo = `http://localhost:${/\d+/.exec(output)?.[0]}/hook`;
  const screen = terminal();
  expect(await trigger('project.cancelled', { forwardTo }, settings, screen.say)).toBe(0);
  expect(await resend({ forwardTo, baseUrl, ids: [id, id] }, settings, screen.say)).toBe(0);
  const other = { TRANCHE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
  expect(await trigger('project.cancelled', { forwardTo }, other, screen.say)).toBe(1);
  expect(screen.out.at(-1)).toContain(' 401 ');
  await expect.poll(() => output).toMatch(/project\.cancelled evt_\w+ \(test\)\n/);
  await expect.poll(() => output.split(id)).toHaveLength(2);
});

describe('trigger', () => {
  test('sends a signed sample that is marked as a test, without asking the platform', async () => {
    const screen = terminal();
    expect(await trigger('investment.confirmed', { forwardTo: receiver.url }, settings, screen.say)).toBe(0);
    const [{ body, headers }] = receiver.received as [Received];
    expect(await verifyWebhook(body, headers, screen.secret())).toMatchObject({
      event_type: 'investment.confirmed',
      test: true,
    });
    receiver.answerWith((_n, response) => response.writeHead(500).end());
    expect(await trigger('system.alert', { forwardTo: receiver.url }, settings, screen.say)).toBe(1);
  });

  test('has the platform send it to a webhook, and says how that went', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, receiver.url);
    const screen = terminal();
    const send = () =>
      trigger(
        'investment.created',
        { baseUrl, webhook: webhook.id },
        { TRANCHE_API_KEY: developer.apiKey },
        screen.say,
      );
    expect(await send()).toBe(0);
    const [{ body, headers }] = receiver.received as [Received];
    expect(await verifyWebhook(body, headers, webhook.secret)).toMatchObject({ test: true });
    expect(screen.out[0]).toMatch(/^success {2}200 {2}evt_\S+ {2}investment.created {2}del_/);
    receiver.answerWith((_n, response) => response.writeHead(500).end());
    expect(await send()).toBe(1);
  });

  test('names the types that there are for one that there is not', async () => {
    const screen = terminal();
    expect(await trigger('investment.unheard', { forwardTo: receiver.url }, settings, screen.say)).toBe(2);
    expect(screen.err.join()).toContain('investment.confirmed, investment.failed');
    expect(await trigger('investment.confirmed', {}, settings, screen.say)).toBe(2);
    expect(receiver.received).toEqual([]);
  });
});
