import { createRequire } from 'node:module';
import { sha512Half } from '../hashing.ts';
import type { JsonObject } from '../json.ts';
import { hashIn, invalidField } from './fields.ts';
import type { Handler } from './types.ts';

// The codec package exports its table only in a form of its own; the file is the one that servers publish.
const definitions: JsonObject = createRequire(import.meta.url)('ripple-binary-codec/dist/enums/definitions.json');
const { hash: _published, ...tables } = definitions;
const hash = sha512Half(Buffer.from(JSON.stringify(tables)));

/** `server_definitions`: the tables that serializing needs, or only their hash when the caller has them already. */
export const serverDefinitions: Handler = (_context, request) => {
  const known = hashIn(request.hash);
  if ('hash' in request && known === undefined) throw invalidField('hash');
  return known === hash ? { hash } : { ...tables, hash };
};
