import { writeFileSync } from 'node:fs';
import { CONTRACTS } from './contracts.ts';

/** What the assistant's search knows of an operation of the API. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  access: string;
}

/**
 * The operations of the API for the assistant's search. They stand in a file, because loading every contract takes longer than an answer
 * may. A test compares the two.
 */
export const operations = (): Operation[] =>
  CONTRACTS.map(({ id, method, path, summary, access }) => ({
    id,
    method,
    path,
    summary,
    access: access
      .map((way) =>
        way.kind === 'public' ? 'no credential' : way.kind === 'api_key' ? `API key (${way.scope})` : way.kind,
      )
      .join(' or '),
  }));

if (import.meta.main) {
  writeFileSync(
    new URL('../assistant/search/operations.json', import.meta.url),
    `${JSON.stringify(operations(), null, 2)}\n`,
  );
}
