import { NO_ISSUER, ZERO_ADDRESS } from '../../entries.ts';
import { isObject, type Json } from '../../json.ts';
import type { ResultName } from '../../results.ts';
import type { NetworkRules } from '../../rules.ts';
import type { ReadView } from '../../state.ts';
import { makeBookStep } from './bookStep.ts';
import { makeDirectStep } from './directStep.ts';
import type { Quality } from './quality.ts';
import { type Asset, isXrp, XRP } from './quantity.ts';
import type { Crossing, Step, StepOrResult, Strand, StrandContext } from './step.ts';
import { makeXrpStep } from './xrpStep.ts';

/** One element of a path, as in `Paths`: an account, or what is bought next. */
export type PathElement = { readonly account?: string; readonly currency?: string; readonly issuer?: string };
export type Path = readonly PathElement[];

/** What is asked of the ledger: who pays whom in what, and over which ways. */
export type Route = {
  readonly source: string;
  readonly destination: string;
  readonly deliver: Asset;
  /** What the source pays in. */
  readonly spend: Asset;
  readonly paths: readonly Path[];
  /** Whether the way without a path is one of them. */
  readonly defaultPath: boolean;
  readonly limitQuality: Quality | undefined;
  readonly ownerPaysFee: boolean;
  readonly crossing: Crossing;
  readonly domain: string | undefined;
};

/** `Paths` of a transaction as the codec gives it. */
export function pathsOf(paths: Json | undefined): readonly Path[] {
  if (!Array.isArray(paths)) return [];
  return paths.map((path: Json) =>
    Array.isArray(path) ? path.filter(isObject).map((element): PathElement => element as PathElement) : [],
  );
}

function isWellFormed({ account, currency, issuer }: PathElement): boolean {
  if (account === undefined && currency === undefined && issuer === undefined) return false;
  if (account !== undefined && (currency !== undefined || issuer !== undefined)) return false;
  if ([account, issuer].some((address) => address === ZERO_ADDRESS || address === NO_ISSUER)) return false;
  return !(currency === XRP.currency && issuer !== undefined);
}

const isConsistent = (asset: Asset): boolean => isXrp(asset) === (asset.issuer === '') && asset.issuer !== NO_ISSUER;

/** A path with what goes without saying: the source, the issuers of what is sent and delivered, the destination. */
function completePath({ source, destination, deliver, spend, crossing }: Route, path: Path): PathElement[] {
  const first: PathElement = { account: source, currency: spend.currency, issuer: isXrp(spend) ? '' : source };
  const elements: PathElement[] = [first];
  if (spend.issuer !== source && path[0]?.account !== spend.issuer) elements.push({ account: spend.issuer });
  elements.push(...path);
  const lastAsset = elements.findLast(({ currency }) => currency !== undefined) ?? first;
  const changesAsset =
    lastAsset.currency !== deliver.currency || (crossing !== 'no' && (lastAsset.issuer ?? '') !== deliver.issuer);
  if (changesAsset) elements.push({ currency: deliver.currency, issuer: deliver.issuer });
  if (elements.at(-1)?.account !== deliver.issuer && destination !== deliver.issuer) {
    elements.push({ account: deliver.issuer });
  }
  if (elements.at(-1)?.account !== destination) elements.push({ account: destination });
  return elements;
}

function makeStep(context: StrandContext, from: PathElement, to: PathElement, current: Asset): StepOrResult {
  if (context.isFirst && from.account !== undefined && from.currency === XRP.currency) {
    return makeXrpStep(context, from.account);
  }
  if (to.account !== undefined) {
    if (context.isLast && from.account === '') return makeXrpStep(context, to.account);
    return from.account === undefined
      ? { result: 'temBAD_PATH' }
      : makeDirectStep(context, from.account, to.account, current.currency);
  }
  const currency = to.currency ?? current.currency;
  const out = currency === XRP.currency ? XRP : { currency, issuer: to.issuer ?? current.issuer };
  if (isXrp(current) && isXrp(out)) return { result: 'temBAD_PATH' };
  const { domain } = context;
  return makeBookStep(context, { in: current, out, ...(domain === undefined ? {} : { domain }) });
}

/** The steps of one path, or why it cannot be taken. */
function toStrand(
  view: ReadView,
  rules: NetworkRules,
  route: Route,
  path: Path,
): { strand: Strand } | { result: ResultName } {
  const { source, destination, deliver, spend } = route;
  if (!isConsistent(deliver) || !isConsistent(spend) || !path.every(isWellFormed)) return { result: 'temBAD_PATH' };
  const elements = completePath(route, path);
  if (elements.length < 2) return { result: 'temBAD_PATH' };
  const steps: Step[] = [];
  const [seenSources, seenDestinations, seenBookOuts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const context = (isLast: boolean): StrandContext => ({
    view,
    rules,
    source,
    destination,
    deliver,
    limitQuality: route.limitQuality,
    ownerPaysFee: route.ownerPaysFee,
    crossing: route.crossing,
    isDefaultPath: path.length === 0,
    domain: route.domain,
    isFirst: steps.length === 0,
    isLast,
    previous: steps.at(-1),
    seenSources,
    seenDestinations,
    seenBookOuts,
  });
  const lastPair = elements.length - 2;
  let current: Asset = isXrp(spend) ? XRP : { currency: spend.currency, issuer: source };
  for (const [i, to] of elements.slice(1).entries()) {
    const from = elements[i] ?? {};
    const issuer = from.account ?? from.issuer ?? current.issuer;
    const currency = from.currency ?? current.currency;
    current = currency === XRP.currency ? XRP : { currency, issuer };
    let made: StepOrResult | undefined;
    if (from.account === undefined && to.account !== undefined) {
      // The step of a book ends with the currency's issuer; money may have to go on from there.
      if (current.issuer === to.account || to.account === '') continue;
      if (isXrp(current)) made = i === lastPair ? makeXrpStep(context(false), to.account) : { result: 'temBAD_PATH' };
      else made = makeDirectStep(context(false), current.issuer, to.account, current.currency);
    } else made = makeStep(context(i === lastPair), from, to, current);
    if ('result' in made) return made;
    steps.push(made.step);
  }
  return { strand: steps };
}

const strandKey = (strand: Strand): string => strand.map(({ key }) => key).join(' ');
const isMalformed = (result: ResultName): boolean => result.startsWith('tem');

/** Every different way that can be taken, or why there is none. */
export function toStrands(
  view: ReadView,
  rules: NetworkRules,
  route: Route,
): { strands: readonly Strand[] } | { result: ResultName } {
  const { paths } = route;
  if (!route.defaultPath && paths.length === 0) return { result: 'temRIPPLE_EMPTY' };
  const strands = new Map<string, Strand>();
  let lastFailure: ResultName = 'tesSUCCESS';
  const ways: readonly Path[] = route.defaultPath ? [[], ...paths] : paths;
  for (const [i, path] of ways.entries()) {
    const made = toStrand(view, rules, route, path);
    if ('strand' in made) {
      const key = strandKey(made.strand);
      if (!strands.has(key)) strands.set(key, made.strand);
      continue;
    }
    const isDefault = route.defaultPath && i === 0;
    if (isMalformed(made.result) || (isDefault && paths.length === 0)) return made;
    if (!isDefault) lastFailure = made.result;
  }
  return strands.size === 0 ? { result: lastFailure } : { strands: [...strands.values()] };
}
