import { globSync } from 'node:fs';
import path from 'node:path';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Handlers } from '#lib/api/route.ts';
import type { Contract } from '#lib/base/contract.ts';
import { fillPath } from '#tests/support/http.ts';
import { registerSecretsIn } from '#tests/support/secrets.ts';

const API_FOLDER = path.resolve(import.meta.dirname, '../../../app/api');

/** Parameter names differ between the two path forms; what they stand for does not. */
const shape = (apiPath: string) => apiPath.replaceAll(/\{\w+\}|\[\w+\]/g, '{}');
const FILES = new Map(
  globSync('**/route.ts', { cwd: API_FOLDER }).map((file) => [
    shape(path.posix.join('/api', path.dirname(file))),
    path.join(API_FOLDER, file),
  ]),
);

/** The contract with this operation id. */
export function contractOf(id: string): Contract {
  const contract = CONTRACTS.find((one) => one.id === id);
  if (contract === undefined) throw new Error(`No contract ${id}`);
  return contract;
}

export interface Answered {
  status: number;
  requestId: string;
  headers: Headers;
  // The tests' assertions say what it must be.
  body: Record<string, unknown>;
}

/** Calls an operation by its id through its own route file, as the framework would. */
export async function ask(
  id: string,
  {
    token,
    params = {},
    body,
    query = '',
    headers = {},
  }: {
    token?: string;
    params?: Record<string, string>;
    body?: unknown;
    query?: string;
    headers?: Record<string, string>;
  },
): Promise<Answered> {
  const { method, path: template, alias } = contractOf(id);
  const form = [template, alias].find((one) => one?.startsWith('/api/')) ?? template;
  const file = FILES.get(shape(form));
  if (file === undefined) throw new Error(`No route file serves ${form}`);
  const route = (await import(file)) as Handlers;
  const request = new Request(`http://127.0.0.1:3000${fillPath(template, params)}${query}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await route[method](request, { params: Promise.resolve(params) });
  const text = await answer.text();
  registerSecretsIn(text);
  return {
    status: answer.status,
    requestId: answer.headers.get('x-request-id') ?? '',
    headers: answer.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}
