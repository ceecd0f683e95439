import {
  custodyFaults,
  custodySchema,
  fewestWitnesses,
  type SignerSet,
  signersOf,
  witnessesThatMayBeAway,
} from '@tranche/rules/custody.ts';
import type { z } from 'zod';

/** custody.json: who signs. What belongs to one deposit account may be in it and is not looked at. */
export const signerSetFile = custodySchema.unwrap().partial({ from_ledger: true, refund_min_xrp: true });
export type SignerSetFile = z.output<typeof signerSetFile>;

/** A signer list as the ledger keeps it, by the address of each key. */
export interface SignerList {
  quorum: number;
  weights: Record<string, number>;
}

/** The list that the paying accounts are to have. Pure. */
export const listOf = ({ quorum, platform, witnesses }: SignerSet): SignerList => ({
  quorum,
  weights: Object.fromEntries([platform, ...witnesses].map(({ account, weight }) => [account, weight])),
});

export function sameList(one: SignerList | null, other: SignerList): boolean {
  const keys = Object.keys(other.weights);
  return (
    one !== null &&
    one.quorum === other.quorum &&
    Object.keys(one.weights).length === keys.length &&
    keys.every((key) => one.weights[key] === other.weights[key])
  );
}

/** Parses a signer set and checks its arithmetic. Throws what is wrong with it, in words that the author of the file understands. */
export function parseSignerSet(text: string, paying: readonly string[] = []): SignerSetFile {
  const parsed = signerSetFile.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`The signer set is not as it should be: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  requireSound(parsed.data, paying);
  return parsed.data;
}

/** Throws when a set does not keep what custody promises, or names an account that it is to guard. */
export function requireSound(set: SignerSet, paying: readonly string[]): void {
  const faults = custodyFaults(set);
  if (faults.length > 0) throw new Error(`The signer set ${faults.join('; it ')}. Change its weights or its quorum`);
  const own = signersOf(set).find((key) => paying.includes(key));
  if (own !== undefined) throw new Error(`${own} is a paying account: an account cannot sign for itself by its list`);
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 'es'}`;

/** Who together can do what, in plain words. Pure. */
export function describeSignerSet(set: SignerSet): string[] {
  const { quorum, platform, witnesses } = set;
  const fewest = fewestWitnesses(set);
  return [
    `quorum ${quorum}`,
    `  ${platform.account}  weight ${platform.weight}  the platform`,
    ...witnesses.map(
      ({ account, weight, name, operator }) => `  ${account}  weight ${weight}  witness ${name}, run by ${operator}`,
    ),
    `The platform and ${count(fewest, 'witness')} together can do anything, replacing this list included.`,
    `The platform with fewer witnesses can do nothing. The witnesses without the platform can do nothing.`,
    `${count(witnessesThatMayBeAway(set), 'witness')} may be away, whichever it is. When more are gone for good, or the platform's key is, the money stands still for good.`,
  ];
}
