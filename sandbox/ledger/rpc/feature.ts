import { amendmentId, knownAmendments, OBSOLETE_AMENDMENTS } from '../amendments.ts';
import type { JsonObject } from '../json.ts';
import { type Handler, RpcError } from './types.ts';

type Features = ReadonlyMap<string, JsonObject>;

/** What a ledger's amendments look like, by the set of those that are enabled in it. */
const shown = new WeakMap<ReadonlySet<string>, Features>();

function featuresOf(enabled: ReadonlySet<string>): Features {
  const known = shown.get(enabled);
  if (known) return known;
  const features = new Map<string, JsonObject>(
    [
      ...knownAmendments(enabled).map((name) =>
        enabled.has(name)
          ? { enabled: true, name, supported: true }
          : { enabled: false, name, supported: true, vetoed: true },
      ),
      ...OBSOLETE_AMENDMENTS.map((name) => ({ enabled: false, name, supported: true, vetoed: 'Obsolete' })),
    ].map((feature) => [amendmentId(feature.name), feature]),
  );
  shown.set(enabled, features);
  return features;
}

/** `feature`: every amendment, or the one named by its name or ID. */
export const feature: Handler = ({ chain }, { feature: wanted }) => {
  const features = featuresOf(chain.rules.amendments);
  if (wanted === undefined) return { features: Object.fromEntries(features) };
  if (typeof wanted !== 'string') throw new RpcError('invalidParams');
  const named = wanted.toUpperCase();
  const id = features.has(named) ? named : amendmentId(wanted);
  const found = features.get(id);
  if (!found) throw new RpcError('badFeature');
  return { [id]: found };
};
