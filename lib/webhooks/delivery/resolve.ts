import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** A name server gets this long, in milliseconds, for each of its tries. */
const TRY_MS = 2_000;
const TRIES = 2;

/** The name has no address, or nobody could say. */
export class NameNotFound extends Error {
  constructor(cause: unknown) {
    super('The host name could not be resolved', { cause });
    this.name = 'NameNotFound';
  }
}

/** Gives all addresses of a name. Throws NameNotFound. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Asks name servers directly: `lookup` of node:dns occupies one of the few threads of the process until it is answered, so
 * a handful of names whose servers are silent would hold everybody's deliveries up; and it reads the hosts file, where
 * private names stand. `servers` replaces those of the machine.
 */
export function nameResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers([...servers]);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0) throw new NameNotFound(v4.status === 'rejected' ? v4.reason : undefined);
    return addresses;
  };
}
