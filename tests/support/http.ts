import { expect, inject } from 'vitest';
import type { Problem } from '#lib/api/problem.ts';
import type { Access, Contract } from '#lib/base/contract.ts';
import { registerSecretsIn } from './secrets.ts';
import { giveProject, signInMember } from './sign-in-member.ts';

/** A well-formed value for every path parameter there is. Nothing in the database has these ids. */
const SAMPLE_PARAMS: Readonly<Record<string, string>> = {
  wallet_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  webhook_id: 'wh_0000000000000000000000',
  replay_id: 'rpl_0000000000000000000000',
  delivery_id: 'del_0000000000000000000000',
  action: 'retry',
  transaction_hash: 'A'.repeat(64),
  address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  list_id: 'list_0000000000000000000000',
  decision: 'approve',
  approval_id: 'apr_0000000000000000000000',
  session_id: 'ses_0000000000000000000000',
  member_id: 'mem_0000000000000000000000',
  invitation_id: 'invite_0000000000000000000000',
};
const SAMPLE_ID_BY_COLLECTION: Readonly<Record<string, string>> = {
  projects: 'proj_0000000000000000000000',
  investments: 'inv_0000000000000000000000',
  webhooks: 'wh_0000000000000000000000',
  payouts: 'pay_0000000000000000000000',
  events: 'evt_0000000000000000000000',
  'portal-links': 'ptl_0000000000000000000000',
  approvals: 'apr_0000000000000000000000',
};

/** A path template with every parameter filled in: `overrides` first, else a well-formed sample. */
export function fillPath(template: string, overrides: Record<string, string> = {}): string {
  return template.replaceAll(
    /([^/{}]+)\/\{(\w+)\}|\{(\w+)\}/g,
    (_, before?: string, after?: string, alone?: string) => {
      const name = after ?? alone ?? '';
      const value =
        overrides[name] ??
        (name === 'id' && template.startsWith('/api/owner/projects/') ? member?.projectId : undefined) ??
        (name === 'action' && template.includes('/projects/') ? 'pause' : SAMPLE_PARAMS[name]) ??
        SAMPLE_ID_BY_COLLECTION[before ?? ''];
      if (value === undefined) throw new Error(`tests/support/http.ts knows no sample for {${name}} in ${template}`);
      const text = encodeURIComponent(value);
      return before === undefined ? text : `${before}/${text}`;
    },
  );
}

/** Who signed in for this file, with a draft of the tenant. */
let member: { token: string; projectId: string } | undefined;

/** Signs a member in, whose credential and draft the calls of this file then take. */
export async function prepareMember(): Promise<void> {
  const { manifest } = inject('sandbox');
  const { accounts, admin_token: token } = manifest;
  if (accounts === null) throw new Error('The sandbox made no accounts');
  const signedIn = await signInMember(manifest);
  const made = await call('/api/admin/projects', {
    token,
    json: {
      name: 'A member’s draft',
      token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address },
      distributor: accounts.distributor.address,
      deposit_address: accounts.deposit.address,
      tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
    },
  });
  expect(made.status).toBe(201);
  const projectId = (made.json as { id: string }).id;
  await giveProject(manifest, projectId, signedIn.tenantId);
  member = { token: signedIn.token, projectId };
}

export interface CallOptions {
  method?: string;
  token?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  text?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** What gives away the inside of a server: stack frames, source files, folders of this machine. */
const INSIDES = /\n\s+at |node_modules|file:\/\/|\.(?:ts|tsx|js|mjs|cjs)\b[:)]|\/(?:home|root|srv|tmp|work|usr|var)\//;

/** The whole body; of a stream of events, which ends much later, the first of them. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

/** One request to the running app, redirects not followed. Every answer must name its request, every error be a clean problem. */
export async function call(path: string, options: CallOptions = {}): Promise<Answer> {
  const { base_url } = inject('sandbox').manifest;
  const body = options.text ?? (options.json === undefined ? null : JSON.stringify(options.json));
  const response = await fetch(new URL(path, base_url), {
    method: options.method ?? (body === null ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(options.token == null ? {} : { authorization: `Bearer ${options.token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body,
  });
  const text = await textOf(response);
  registerSecretsIn(text);
  const isJson = /^application\/(problem\+)?json(;|$)/.test(response.headers.get('content-type') ?? '');
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  };
  expect(answer.headers.get('x-request-id'), `${path} names its request`).toMatch(/^req_/);
  if (answer.status >= 400) {
    expect(text, `${path} shows nothing of the inside`).not.toMatch(INSIDES);
  }
  return answer;
}

/** Checks that an answer is this problem, well-formed, and returns it. */
export function expectProblem(answer: Answer, status: number, code: string): Problem {
  expect({ status: answer.status, body: answer.json }).toMatchObject({ status, body: { status, code } });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = answer.json as Problem;
  expect(problem).toMatchObject({ type: expect.any(String), title: expect.any(String), detail: expect.any(String) });
  expect(problem.request_id).toBe(answer.headers.get('x-request-id'));
  return problem;
}

/** A new API key for a wallet that nobody uses elsewhere. */
export async function createApiKey(walletAddress = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'): Promise<string> {
  const answer = await call('/api/api-keys/create', { json: { wallet_address: walletAddress } });
  expect(answer.status).toBe(201);
  return (answer.json as { api_key: string }).api_key;
}

/** A credential that the contract takes: null where none is needed, undefined where a test can have none (QStash signs, a link opens the portal; a session needs `prepareMember`). */
export function credentialFor(contract: Contract, apiKey: string): string | null | undefined {
  const { cron_secret, admin_token } = inject('sandbox').manifest;
  const byKind: Record<Access['kind'], string | null | undefined> = {
    public: null,
    api_key: apiKey,
    scheduler: cron_secret,
    administrator: admin_token,
    queue: undefined,
    portal: undefined,
    member: member?.token,
  };
  return byKind[contract.access[0].kind];
}
