/** Bytes of an IPv6 address that name one site. */
const SITE_BYTES = 6;
/** A /48 may hold a provider's customers, a /56 each, or one customer alone: together they may do as much as so many callers. */
const CALLERS_PER_SITE = 4;

/** A name that requests are counted under, and how many times a caller's limit that name may use. */
interface CallerNetwork {
  name: string;
  share: number;
}

/**
 * What a request of this caller (as `clientIp` names it) is counted under, the narrowest first: its own name, and for IPv6
 * the /48 around it, because one customer may own all 256 networks of /56 in that.
 */
export function callerNetworks(caller: string): [CallerNetwork, ...CallerNetwork[]] {
  const own = { name: caller, share: 1 };
  if (!caller.endsWith('/56')) return [own];
  return [own, { name: `${caller.split('.', SITE_BYTES).join('.')}/48`, share: CALLERS_PER_SITE }];
}
