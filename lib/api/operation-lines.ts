import { CONTRACTS } from './contracts.ts';

/**
 * The operations of the API for the assistant's search, a line each: id, method, path, credential and summary. They stand in
 * a file, because loading every contract takes longer than an answer may. A test compares the two.
 */
export const operationLines = (): string[] =>
  CONTRACTS.map(({ id, method, path, summary, access }) => {
    const credential = access
      .map((way) =>
        way.kind === 'public' ? 'no credential' : way.kind === 'api_key' ? `API key (${way.scope})` : way.kind,
      )
      .join(' or ');
    return [id, method, path, credential, summary].join(' | ');
  });
