import { ENABLED_AMENDMENTS, OBSOLETE_AMENDMENTS } from '../amendments.ts';
import { sha512Half } from '../hashing.ts';
import type { JsonObject } from '../json.ts';
import { type Handler, RpcError } from './types.ts';

const amendmentId = (name: string): string => sha512Half(Buffer.from(name));

const FEATURES = new Map<string, JsonObject>(
  [
    ...ENABLED_AMENDMENTS.map((name) => ({ enabled: true, name, supported: true })),
    ...OBSOLETE_AMENDMENTS.map((name) => ({ enabled: false, name, supported: true, vetoed: 'Obsolete' })),
  ].map((shown) => [amendmentId(shown.name), shown]),
);

/** `feature`: every amendment, or the one named by its name or ID. */
export const feature: Handler = (_context, { feature: wanted }) => {
  if (wanted === undefined) return { features: Object.fromEntries(FEATURES) };
  if (typeof wanted !== 'string') throw new RpcError('invalidParams');
  const named = wanted.toUpperCase();
  const id = FEATURES.has(named) ? named : amendmentId(wanted);
  const shown = FEATURES.get(id);
  if (!shown) throw new RpcError('badFeature');
  return { [id]: shown };
};
