import type { Contract } from '#lib/base/contract.ts';
import { respondKept } from './kept-read.ts';
import { parseQuery } from './parts.ts';
import type { Operation } from './resource.ts';

/** Binds a public read without parameters to an answer that follows from this deployment alone: no service and no library of one is loaded. */
export const fixed = (contract: Contract, make: () => unknown): Operation => ({
  contract,
  respond: (request, context, requestId) =>
    respondKept(contract, request, context, requestId, ({ query }) => {
      parseQuery(contract, query);
      return Promise.resolve(make());
    }),
});
