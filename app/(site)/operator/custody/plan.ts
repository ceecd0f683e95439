import { type Custody, custodyFaults, type SignerSet, signersOf } from '@tranche/rules/custody.ts';
import { accountAddress } from '#lib/xrpl/address.ts';

/** What the page's address says, as texts of the form's fields. */
export interface PlanValues {
  direction: 'set_up' | 'take_down';
  deposit: string;
  distributor: string;
  quorum: string;
  platform: string;
  platform_weight: string;
  witnesses: readonly WitnessValues[];
}
interface WitnessValues {
  account: string;
  name: string;
  operator: string;
  weight: string;
}

export interface CustodyPlan {
  direction: PlanValues['direction'];
  deposit: string;
  distributor: string;
  /** What an operator sets of a custody; null when accounts are given back to their own keys. */
  set: (SignerSet & Pick<Custody, 'ledgers_to_live'>) | null;
}

type SearchParams = Record<string, string | string[] | undefined>;

const MOST_WITNESSES = 31;
const LEDGERS_TO_LIVE = 20;

/** What an address says, and where it says nothing, what is known: the signer set of the account, or the configured witnesses. */
export function valuesOf(
  given: SearchParams,
  known: { set: SignerSet | null; witnesses: readonly string[]; platform: string },
): { values: PlanValues; isSent: boolean } {
  const all = (name: string): string[] => [given[name] ?? []].flat().map((text) => text.trim().slice(0, 200));
  const text = (name: string): string => all(name)[0] ?? '';
  const keys = all('witness_account').slice(0, MOST_WITNESSES);
  const isSent = text('deposit') !== '' && (text('direction') === 'take_down' || keys.length > 0);
  const [names, operators, weights] = [all('witness_name'), all('witness_operator'), all('witness_weight')];
  const row = (account: string, index: number): WitnessValues => ({
    account,
    name: names[index] ?? '',
    operator: operators[index] ?? '',
    weight: weights[index] ?? '1',
  });
  const configured = [...known.witnesses, '', '', ''].slice(0, Math.max(3, known.witnesses.length));
  const { set } = known;
  return {
    isSent,
    values: {
      direction: text('direction') === 'take_down' ? 'take_down' : 'set_up',
      deposit: text('deposit'),
      distributor: text('distributor'),
      quorum: text('quorum') || String(set?.quorum ?? 4),
      platform: text('platform') || (set?.platform.account ?? known.platform),
      platform_weight: text('platform_weight') || String(set?.platform.weight ?? 2),
      witnesses:
        keys.length > 0
          ? keys.map(row)
          : (set?.witnesses.map((witness) => ({ ...witness, weight: String(witness.weight) })) ?? configured.map(row)),
    },
  };
}

export type ReadPlan = { plan: CustodyPlan; faults: null } | { plan: null; faults: Record<string, string> };

/** The plan that the values make, or what is wrong with each of them, by the name of its field. Pure. */
export function planOf(values: PlanValues): ReadPlan {
  const faults: Record<string, string> = {};
  const address = (field: string, given: string): string => {
    const read = accountAddress.safeParse(given);
    if (!read.success) faults[field] = read.error.issues[0]?.message ?? 'is not an address';
    return given;
  };
  const whole = (field: string, given: string, most: number): number => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < 1 || value > most) faults[field] = `must be a whole number from 1 to ${most}`;
    return value;
  };
  const named = (field: string, given: string, most: number): string => {
    if (given === '' || given.length > most) faults[field] = `is needed, at most ${most} characters`;
    return given;
  };
  const { direction } = values;
  const deposit = address('deposit', values.deposit);
  const distributor = address('distributor', values.distributor);
  if (deposit === distributor) faults.distributor = 'must be another account than the deposit account';
  const set =
    direction === 'take_down'
      ? null
      : {
          quorum: whole('quorum', values.quorum, 65_535),
          platform: {
            account: address('platform', values.platform),
            weight: whole('platform_weight', values.platform_weight, 255),
          },
          witnesses: values.witnesses.map(({ account, name, operator, weight }, index) => ({
            account: address(`witness_account.${index}`, account),
            weight: whole(`witness_weight.${index}`, weight, 255),
            name: named(`witness_name.${index}`, name, 60),
            operator: named(`witness_operator.${index}`, operator, 120),
          })),
          ledgers_to_live: LEDGERS_TO_LIVE,
        };
  if (set !== null && Object.keys(faults).length === 0) {
    if (set.witnesses.length < 2) faults.set = 'Name at least two witnesses.';
    const own = signersOf(set).find((key) => key === deposit || key === distributor);
    if (own !== undefined) faults.set = `${own} is one of the two accounts: an account cannot sign for itself.`;
    const unsound = custodyFaults(set);
    if (unsound.length > 0) {
      faults.set = `This signer set ${unsound.join('; it ')}. Change its weights or its quorum.`;
    }
  }
  return Object.keys(faults).length > 0
    ? { plan: null, faults }
    : { plan: { direction, deposit, distributor, set }, faults: null };
}
