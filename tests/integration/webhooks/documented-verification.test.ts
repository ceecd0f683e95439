import { type ChildProcessByStdio, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents } from '#lib/events/append.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutSlice } from '#lib/webhooks/delivery/fan-out.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { rotateSecret } from '#lib/webhooks/registry/rotate-secret.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { VERIFY_SNIPPETS } from '../../../app/(site)/developers/snippets.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { newWebhook, openStage, type Stage, WALLET } from './stage.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../../docs/webhooks.md');
const TEN_MINUTES_MS = 600_000;

type Scheme = 'platform' | 'standard';
/** A request as a receiver gets it, and the secrets that the receiver knows. */
type Presented = Pick<Received, 'body' | 'headers'> & { secrets: string[] };

let stage: Stage;
let receiver: Receiver;
let folder: string;
let webhook: Awaited<ReturnType<typeof newWebhook>>;
/** Real requests of the engine: now, ten minutes ago, in ten minutes, and now while a rotation is under way. */
let sent: { genuine: Received; old: Received; early: Received; rotating: Received };
let secret: string;
let nextSecret: string;
const stranger = newSecret((size) => new Uint8Array(size).fill(7));

/** Reports one event, whose text is not ASCII, and fans it out. */
async function appendEvent(subject: string): Promise<void> {
  const occurredAt = new Date();
  const sample = sampleData({ amountDrops: 1_000_000n, investorAccount: WALLET, now: occurredAt });
  const data = { ...sample['project.sale_ended'], project_name: `Démo ✓ 🪙 ${subject}` };
  await stage.ctx.db.transaction((tx) =>
    appendEvents(tx, [{ type: 'project.sale_ended', subject, projectId: null, occurredAt, data }]),
  );
  await fanOutSlice(stage.ctx.db, 10);
}

/** Sends for real what is due, at `offsetMs` from now by the platform's clock. */
function dispatchNow(offsetMs = 0) {
  stage.ctx.clock.set(Date.now() + offsetMs);
  return dispatchFirstAttempts(stage.ctx, stage.ctx.clock.nowMs() + 5_000);
}

async function deliver(offsetMs = 0): Promise<Received> {
  const before = receiver.received.length;
  await appendEvent(`number ${before}`);
  await dispatchNow(offsetMs);
  expect(receiver.received).toHaveLength(before + 1);
  return receiver.received[before]!;
}

/** Writes every snippet of the guide that has a file name, as it stands there. */
async function extractSnippets(): Promise<void> {
  const guide = await readFile(GUIDE, 'utf8');
  const snippets = [...guide.matchAll(/^```\w+ (\S+)(?: tab="\w+")?\n(.*?)^```$/gms)];
  expect(snippets.map(([, name]) => name)).toEqual([
    'verify.mjs',
    'verify.py',
    'verify.go',
    'verify.sh',
    'receiver.mjs',
  ]);
  await Promise.all(snippets.map(([, name, text]) => writeFile(path.join(folder, name!), text!)));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-guide-'));
  [stage, receiver] = await Promise.all([openStage(), startReceiver(), extractSnippets()]);
  webhook = await newWebhook(stage.ctx, receiver.url);
  secret = webhook.webhook.secret;
  const [genuine, old, early] = [await deliver(), await deliver(-TEN_MINUTES_MS), await deliver(TEN_MINUTES_MS)];
  nextSecret = (await rotateSecret(webhook.developer, webhook.webhook.id)).secret;
  sent = { genuine, old, early, rotating: await deliver() };
});
afterAll(async () => {
  await receiver.close();
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

const without = (name: string, headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** What is presented, and whether each signature must be accepted. */
function cases(): [name: string, presented: Presented, platform: boolean, standard: boolean][] {
  const { genuine, old, early, rotating } = sent;
  const genuineWith = (headers: Record<string, string>): Presented => ({
    body: genuine.body,
    headers: { ...genuine.headers, ...headers },
    secrets: [secret],
  });
  const laterByOne = String(Number(genuine.headers['webhook-timestamp']) + 1);
  const hex = genuine.headers['x-platform-signature']!;
  const base64 = genuine.headers['webhook-signature']!;
  return [
    ['genuine', genuineWith({}), true, true],
    ['genuine, among other secrets', { ...genuineWith({}), secrets: [stranger, secret] }, true, true],
    ['genuine, among other signatures', genuineWith({ 'webhook-signature': `v1a,xx v1,AAAA ${base64}` }), true, true],
    ['changed body', { ...genuineWith({}), body: genuine.body.replace('Démo', 'Demo') }, false, false],
    ['body with one space more', { ...genuineWith({}), body: `${genuine.body} ` }, false, false],
    ['empty body', { ...genuineWith({}), body: '' }, false, false],
    ['changed timestamp', genuineWith({ 'webhook-timestamp': laterByOne }), true, false],
    ['timestamp that is no number', genuineWith({ 'webhook-timestamp': `${laterByOne}.0` }), true, false],
    ['endless timestamp', genuineWith({ 'webhook-timestamp': '9'.repeat(5_000) }), true, false],
    ['changed id', genuineWith({ 'webhook-id': 'evt_other' }), true, false],
    ['wrong secret', { ...genuineWith({}), secrets: [stranger] }, false, false],
    ['no secret', { ...genuineWith({}), secrets: [] }, false, false],
    ['old timestamp, genuinely signed', { ...old, secrets: [secret] }, true, false],
    ['timestamp of the future, genuinely signed', { ...early, secrets: [secret] }, true, false],
    [
      'signature cut short',
      genuineWith({ 'x-platform-signature': hex.slice(0, -1), 'webhook-signature': base64.slice(0, -1) }),
      false,
      false,
    ],
    [
      'signature with more behind it',
      genuineWith({ 'x-platform-signature': `${hex}0`, 'webhook-signature': `${base64}0` }),
      false,
      false,
    ],
    [
      'signature of another version',
      genuineWith({ 'x-platform-signature': hex.toUpperCase(), 'webhook-signature': base64.replace('v1,', 'v2,') }),
      false,
      false,
    ],
    ['empty signature', genuineWith({ 'x-platform-signature': '', 'webhook-signature': '' }), false, false],
    ['signature of nothing', genuineWith({ 'x-platform-signature': ' ', 'webhook-signature': 'v1,' }), false, false],
    ...(['x-platform-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map(
      (name): [string, Presented, boolean, boolean] => [
        `without ${name}`,
        { ...genuine, headers: without(name, genuine.headers), secrets: [secret] },
        name !== 'x-platform-signature',
        name === 'x-platform-signature',
      ],
    ),
    ['during a rotation, with the old secret', { ...rotating, secrets: [secret] }, true, true],
    ['during a rotation, with the new secret', { ...rotating, secrets: [nextSecret] }, false, true],
    ['during a rotation, with both', { ...rotating, secrets: [nextSecret, secret] }, true, true],
    ['during a rotation, with another', { ...rotating, secrets: [stranger] }, false, false],
  ];
}

const OF_ALL = `(one) => [
  isFromPlatform(Buffer.from(one.body), one.headers, one.secrets),
  isStandardWebhook(Buffer.from(one.body), one.headers, one.secrets),
]`;
const NODE_DRIVER = `
  import { isFromPlatform, isStandardWebhook } from './verify.mjs';
  const given = JSON.parse(await new Response(process.stdin).text());
  process.stdout.write(JSON.stringify(given.map(${OF_ALL})));`;
const PYTHON_DRIVER = `
import json, sys
from verify import is_from_platform, is_standard_webhook
print(json.dumps([
  [verify(one["body"].encode(), one["headers"], one["secrets"]) for verify in (is_from_platform, is_standard_webhook)]
  for one in json.load(sys.stdin)
]))`;

const GO_DRIVER = `package main

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"example.org/webhooks"
)

type headers map[string]string

func (h headers) Get(name string) string { return h[strings.ToLower(name)] }

func main() {
	var given []struct {
		Body    string
		Headers headers
		Secrets []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	verdicts := [][2]bool{}
	for _, one := range given {
		body := []byte(one.Body)
		verdicts = append(verdicts, [2]bool{
			webhooks.IsFromPlatform(body, one.Headers, one.Secrets),
			webhooks.IsStandardWebhook(body, one.Headers, one.Secrets, 5*time.Minute),
		})
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
`;

/** Runs a program in the snippets' folder that reads all cases and prints what each signature came to. */
function judge(command: string, args: string[]): [boolean, boolean][] {
  const input = JSON.stringify(cases().map(([, presented]) => presented));
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, input, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function inShell(scheme: Scheme, { headers, secrets }: Presented, body: string, env = process.env) {
  const given =
    scheme === 'platform'
      ? [headers['x-platform-signature']]
      : [headers['webhook-signature'], headers['webhook-id'], headers['webhook-timestamp']];
  const runs = secrets.map((known) =>
    promisify(execFile)('/bin/sh', ['verify.sh', scheme, body, ...given.map((one) => one ?? '')], {
      cwd: folder,
      env: { ...env, SECRET: known },
    }).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(runs)).includes(true);
}

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const expected = () => cases().map(([name, , platform, standard]) => [name, platform, standard]);
const named = (verdicts: [boolean, boolean][]) => cases().map(([name], i) => [name, ...verdicts[i]!]);

describe('the guide’s verification, on what the engine sent, accepts what is genuine and nothing else', () => {
  test('in Node', () => {
    expect(named(judge(process.execPath, ['--input-type=module', '-e', NODE_DRIVER]))).toEqual(expected());
  });

  test.skipIf(!has('python3', '--version'))('in Python', () => {
    expect(named(judge('python3', ['-B', '-c', PYTHON_DRIVER]))).toEqual(expected());
  });

  test.skipIf(!has('go', 'version'))('in Go', async () => {
    await mkdir(path.join(folder, 'judge'));
    await writeFile(path.join(folder, 'go.mod'), 'module example.org/webhooks\n\ngo 1.21\n');
    await writeFile(path.join(folder, 'judge/main.go'), GO_DRIVER);
    expect(named(judge('go', ['run', './judge']))).toEqual(expected());
  });

  describe.skipIf(!has('openssl', 'version'))('in the shell', () => {
    test('with openssl', async () => {
      const verdicts = await Promise.all(
        cases().map(async ([, presented], i): Promise<[boolean, boolean]> => {
          const body = `body-${i}.json`;
          await writeFile(path.join(folder, body), presented.body);
          return [await inShell('platform', presented, body), await inShell('standard', presented, body)];
        }),
      );
      expect(named(verdicts)).toEqual(expected());
    });

    test.each([
      ['fails', 'exit 1'],
      ['prints nothing', 'exit 0'],
      [
        'hashes nothing under a given key',
        `case "$*" in *-macopt*) exit 0 ;; esac; PATH=\${PATH#*:} exec openssl "$@"`,
      ],
      ['cannot hash', `[ "$1" != dgst ] || exit 1; PATH=\${PATH#*:} exec openssl "$@"`],
    ])('and refuses everything, an empty signature included, when openssl %s', async (_, script) => {
      await writeFile(path.join(folder, 'openssl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      await writeFile(path.join(folder, 'json'), sent.genuine.body);
      const broken = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const { headers } = sent.genuine;
      const verdicts = await Promise.all(
        [
          {},
          { 'x-platform-signature': '', 'webhook-signature': '' },
          { 'x-platform-signature': ' ', 'webhook-signature': 'v1,' },
        ].flatMap((given) => {
          const presented = { body: sent.genuine.body, headers: { ...headers, ...given }, secrets: [secret] };
          return [inShell('platform', presented, 'json', broken), inShell('standard', presented, 'json', broken)];
        }),
      );
      expect(verdicts).not.toContain(true);
    });

    test('and refuses a body that is not there', async () => {
      const genuine = { ...sent.genuine, secrets: [secret] };
      expect(await inShell('platform', genuine, 'nothing.json')).toBe(false);
      expect(await inShell('standard', genuine, 'nothing.json')).toBe(false);
    });
  });

  test('by the standardwebhooks package as it is published, also during a rotation with either secret', () => {
    // It takes one secret.
    const withOne = cases().filter(([, { secrets }]) => secrets.length === 1);
    expect(new Set(withOne.map(([, , , standard]) => standard))).toEqual(new Set([true, false]));
    for (const [name, presented, , standard] of withOne) {
      const verify = () => new Webhook(presented.secrets[0]!).verify(presented.body, presented.headers);
      if (standard) expect(verify, name).not.toThrow();
      else expect(verify, name).toThrow();
    }
  });
});

const PAGE_FILES: Record<string, string> = { TypeScript: 'verify.ts', Python: 'verify.py', Go: 'verify.go' };
const PAGE_NODE_DRIVER = `
  import { isGenuine } from './verify.ts';
  const given = JSON.parse(await new Response(process.stdin).text());
  process.stdout.write(JSON.stringify(given.map((one) => isGenuine(Buffer.from(one.body), one.headers, one.secrets))));`;
const PAGE_PYTHON_DRIVER = `
import json, sys
from verify import is_genuine
print(json.dumps([is_genuine(one["body"].encode(), one["headers"], one["secrets"]) for one in json.load(sys.stdin)]))`;
const PAGE_GO_DRIVER = `package main

import (
	"encoding/json"
	"net/http"
	"os"

	"example.org/webhooks"
)

func main() {
	var given []struct {
		Body    string
		Headers map[string]string
		Secrets []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, one := range given {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, webhooks.IsGenuine([]byte(one.Body), header, one.Secrets))
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
`;

describe('the developers’ page’s verification, on what the engine sent, accepts what is genuine and nothing else', () => {
  let page: string;
  beforeAll(async () => {
    page = path.join(folder, 'page');
    await mkdir(path.join(page, 'judge'), { recursive: true });
    await Promise.all(VERIFY_SNIPPETS.map(({ tab, text }) => writeFile(path.join(page, PAGE_FILES[tab]!), text)));
  });

  function verdicts(command: string, args: string[]): [string, boolean][] {
    const input = JSON.stringify(cases().map(([, presented]) => presented));
    const { stdout, stderr } = spawnSync(command, args, { cwd: page, input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const judged = JSON.parse(stdout) as boolean[];
    return cases().map(([name], i) => [name, judged[i]!]);
  }
  const standard = (): [string, boolean][] => cases().map(([name, , , isGenuine]) => [name, isGenuine]);

  test('in TypeScript', () => {
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module'];
    expect(verdicts(process.execPath, [...flags, '-e', PAGE_NODE_DRIVER])).toEqual(standard());
  });

  test.skipIf(!has('python3', '--version'))('in Python', () => {
    expect(verdicts('python3', ['-B', '-c', PAGE_PYTHON_DRIVER])).toEqual(standard());
  });

  test.skipIf(!has('go', 'version'))('in Go', async () => {
    await writeFile(path.join(page, 'go.mod'), 'module example.org/webhooks\n\ngo 1.21\n');
    await writeFile(path.join(page, 'judge/main.go'), PAGE_GO_DRIVER);
    expect(verdicts('go', ['run', './judge'])).toEqual(standard());
  });
});

describe('the guide’s receiver', () => {
  let child: ChildProcessByStdio<null, Readable, null>;
  let lines: Interface;
  const printed: string[] = [];
  let url: string;

  beforeAll(async () => {
    child = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRETS: `${nextSecret} ${secret}`, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    lines = createInterface(child.stdout);
    const [listening] = await once(lines, 'line');
    lines.on('line', (line) => printed.push(line));
    url = `http://127.0.0.1:${/\d+$/.exec(listening)?.[0]}/hook`;
  });
  afterAll(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });

  const post = async ({ body, headers }: Pick<Received, 'body' | 'headers'>) =>
    (
      await fetch(url, {
        method: 'POST',
        body,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(x-platform|webhook)-/.test(name))),
      })
    ).status;

  test('takes each event once, and answers 401 to what is not genuine', async () => {
    await updateWebhook(webhook.developer, webhook.webhook.id, { url });
    await appendEvent('to the guide’s receiver');
    const { success } = await dispatchNow();
    expect(success).toBe(1);
    const { genuine, old, rotating } = sent;
    expect(await post(genuine)).toBe(200);
    expect(await post(genuine)).toBe(200);
    expect(await post({ ...genuine, body: genuine.body.replace('Démo', 'Demo') })).toBe(401);
    expect(await post({ ...genuine, headers: without('webhook-signature', genuine.headers) })).toBe(401);
    expect(await post(old)).toBe(401);
    expect(await post(rotating)).toBe(200);
    expect(printed).toEqual([
      expect.stringMatching(/^project\.sale_ended evt_/),
      `project.sale_ended ${genuine.headers['webhook-id']}`,
      `project.sale_ended ${rotating.headers['webhook-id']}`,
    ]);
  });

  test('outlives whoever sends too much or hangs up in the middle', async () => {
    expect(await post({ ...sent.genuine, body: 'x'.repeat(1_100_000) })).toBe(413);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /hook HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf');
    await once(socket, 'ready');
    socket.destroy();
    await once(socket, 'close');
    // Whoever falls over that does so while it takes these.
    for (let n = 0; n < 10; n++) expect(await post({ ...sent.genuine, body: '' })).toBe(401);
    expect(child.exitCode).toBeNull();
  });
});
