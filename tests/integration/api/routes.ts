import { globSync } from 'node:fs';
import path from 'node:path';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Handlers } from '#lib/api/route.ts';
import type { Contract, Method } from '#lib/base/contract.ts';
import type { Answer } from '#tests/fuzz/api/send.ts';

const APP = path.resolve(import.meta.dirname, '../../../app');

/** Parameter names differ between a contract and its folder; what they stand for does not. */
const shape = (apiPath: string) => apiPath.replaceAll(/\{\w+\}|\[\w+\]/g, '{}');
const FILES = new Map(
  globSync('api/**/route.ts', { cwd: APP }).map((file) => [
    shape(`/${path.posix.dirname(file)}`),
    path.join(APP, file),
  ]),
);

export const contractOf = (operationId: string): Contract => {
  const contract = CONTRACTS.find(({ id }) => id === operationId);
  if (contract === undefined) throw new Error(`No contract ${operationId}`);
  return contract;
};

/** Calls an operation's own route handler, as the framework would, with its path as it is asked. */
export async function callRoute(
  { path: template, alias, method }: Contract,
  { target, headers, body }: { target: string; headers: Record<string, string>; body: Buffer | null },
): Promise<Answer> {
  const form = [template, alias].find((one) => one?.startsWith('/api/')) ?? template;
  const file = FILES.get(shape(form));
  if (file === undefined) throw new Error(`No route file serves ${form}`);
  const handlers = (await import(file)) as Handlers;
  const url = new URL(target, 'http://127.0.0.1:3000');
  const positions = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(url.pathname);
  const params = Object.fromEntries(
    positions.map((name, index) => [name, decodeURIComponent(found?.[index + 1] ?? '')]),
  );
  const request = new Request(url, { method, headers, ...(body === null ? {} : { body: new Uint8Array(body) }) });
  const answer = await handlers[method satisfies Method](request, { params: Promise.resolve(params) });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}
