import { decodeAction } from '@tranche/rules/action-memo.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, SaleState } from '@tranche/rules/types.ts';
import { immediateUnitsFloor } from '@tranche/rules/vesting.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { type Books, byProject, line, toDate } from './books.ts';
import { eventsOf } from './expected-events.ts';
import { payoutLines } from './expected-payouts.ts';
import { quotesOf } from './quotes.ts';
import type { World } from './world.ts';
import type { Written } from './written-books.ts';

type Invested = Effect & { type: 'invested' };
type Refused = Effect & { type: 'refused' };
type Settled = Invested | Refused | (Effect & { type: 'held' });

/**
 * What the reducer makes of the feed as far as the database has come. Two things may wait for a further run and are taken
 * as the database has them: that time alone has ended a sale, and that a completed sale's distributions are planned.
 */
export function expectedRecords(world: World, written: Written): Books {
  const { confirmedLedger, cursorLedger } = written.position;
  const reduced = world.reduceThrough(confirmedLedger);
  const closed = endByTime(reduced.state, world.closedAtMs(confirmedLedger), written);
  const state: SaleState = {
    ...reduced.state,
    projects: new Map([...reduced.state.projects, ...closed.state.projects]),
  };
  const effects = [...reduced.effects, ...closed.effects];
  const read = world.feed.filter(({ ledgerIndex }) => ledgerIndex <= cursorLedger);
  const settledOf = new Map(
    effects.flatMap((effect): [string, Settled][] =>
      effect.type === 'invested' || effect.type === 'refused' || effect.type === 'held'
        ? [[effect.payment.hash, effect]]
        : [],
    ),
  );
  const projectOf = new Map(world.projects.map((project) => [project.id, project]));
  const planned = new Set(written.investments.filter((row) => row.payoutsPlanned).map((row) => row.txHash));
  const events = eventsOf(world, effects, read);
  return {
    payments: read.flatMap((entry) => paymentLine(world, entry, settledOf)).sort(),
    investments: investmentLines(world, read, settledOf, cursorLedger, planned).sort(),
    allocations: effects
      .filter((effect) => effect.type === 'invested')
      .flatMap(({ payment, projectId, parts }) =>
        parts.map(({ tier, drops, units }) =>
          line({ payment: payment.hash, project: projectId, tier, investor: payment.sender, drops, units }),
        ),
      )
      .sort(),
    projects: [...state.projects.values()]
      .map((project) =>
        line({
          project: project.id,
          status: project.status,
          raised: project.raisedDrops,
          launched: toDate(project.launchedAtMs),
          ended: toDate(project.endedAtMs),
          reason: project.endReason,
          list: project.listHash,
        }),
      )
      .sort(),
    tiers: [...state.projects.values()]
      .flatMap((project) =>
        project.tiers.map((tier) =>
          line({
            project: project.id,
            tier: tier.tier,
            sold: tier.soldUnits,
            value: tier.valueDrops,
            opened: toDate(tier.openedAtMs),
            completed: toDate(tier.completedAtMs),
          }),
        ),
      )
      .sort(),
    actions: actionLines(world, read, effects, confirmedLedger).sort(),
    payouts: payoutLines(world, read, effects, { state, projectOf, planned }).sort(),
    events: events.map(({ id }) => id).sort(),
    told: events
      .filter(({ created }) => !created)
      .map(({ id, projectId }) => `${projectId} ${id}`)
      .sort(byProject),
    recordedBalanceDrops: String(world.balanceAt(cursorLedger)),
  };
}

/** Sales that the database has ended already because the time of the confirmed ledger is past their end. */
function endByTime(state: SaleState, closedAtMs: number, written: Written) {
  const ended = new Set(written.projects.filter((row) => row.endedAt !== null).map((row) => row.id));
  const projects = new Map([...state.projects].filter(([, project]) => ended.has(project.id)));
  return reduceAll({ ...state, projects }, [{ kind: 'close', closedAtMs }]);
}

function paymentLine(world: World, entry: FeedEntry, settledOf: ReadonlyMap<string, Settled>): string[] {
  if (entry.kind === 'self' || (entry.kind === 'other' && entry.counterparty === null)) return [];
  const received = entry.changeDrops + entry.feeDrops;
  const own = { payment: entry.hash, type: 'Payment', project: null as string | null, received };
  if (entry.kind === 'other') {
    const held = { outcome: 'held', reason: 'not_a_payment', invested: 0n, refunded: 0n, held: received };
    return [line({ ...own, type: entry.transactionType, ...held })];
  }
  const tagged = world.projects.find(({ tag }) => tag === entry.destinationTag)?.id ?? null;
  const settled = settledOf.get(entry.hash);
  switch (settled?.type) {
    case undefined:
      return [
        line({ ...own, project: tagged, outcome: 'pending', reason: null, invested: 0n, refunded: 0n, held: 0n }),
      ];
    case 'invested': {
      const { refundedDrops: refunded, investedDrops: invested, refundReason: reason, projectId } = settled;
      const outcome = refunded > 0n ? 'partial' : 'invested';
      return [line({ ...own, project: projectId, outcome, reason, invested, refunded, held: 0n })];
    }
    case 'refused': {
      const { refundedDrops: refunded, heldDrops: held, reason } = settled;
      const outcome = refunded > 0n ? 'refunded' : 'held';
      return [line({ ...own, project: tagged, outcome, reason, invested: 0n, refunded, held })];
    }
    case 'held':
      return [
        line({
          ...own,
          project: tagged,
          outcome: 'held',
          reason: settled.reason,
          invested: 0n,
          refunded: 0n,
          held: received,
        }),
      ];
  }
}

function investmentLines(
  world: World,
  read: readonly FeedEntry[],
  settledOf: ReadonlyMap<string, Settled>,
  cursorLedger: number,
  planned: ReadonlySet<string>,
): string[] {
  const quotes = quotesOf(world, cursorLedger);
  return read.flatMap((entry) => {
    if (entry.kind !== 'payment') return [];
    const tagged = world.projects.find(({ tag }) => tag === entry.destinationTag);
    const settled = settledOf.get(entry.hash);
    const credited = settled?.type === 'invested' ? settled : null;
    const project = world.projects.find(({ id }) => id === credited?.projectId) ?? tagged;
    if (project === undefined) return [];
    const quote = quotes.get(entry.hash);
    const refused = settled?.type === 'refused' ? settled : null;
    const status = credited !== null ? 'confirmed' : refused === null ? 'pending_confirmation' : 'failed';
    const none = settled === undefined ? null : 0n;
    return [
      line({
        payment: entry.hash,
        project: project.id,
        investor: entry.sender,
        amount: entry.deliveredDrops,
        status,
        quoted_tier: quote?.tier ?? null,
        quoted_price: project.terms.tiers[(quote?.tier ?? 0) - 1]?.price ?? null,
        quoted_units: quote?.units ?? null,
        confirmed: credited?.investedDrops ?? none,
        units: credited?.totalUnits ?? none,
        at_once: credited === null ? none : immediateUnitsFloor(credited.totalUnits, project.terms.vesting),
        rounding: credited?.roundingDrops ?? none,
        reason: refused?.reason ?? null,
        paid: toDate(entry.closedAtMs),
        // Confirmed by the ledger after the one that decided.
        confirmed_at: toDate(
          credited === null ? null : world.closedAtMs((credited.assignedBy ?? credited.payment).ledgerIndex + 1),
        ),
        decided_at: toDate(credited?.decidedAtMs ?? null),
        planned: credited === null || project.terms.distribution === 'immediate' || planned.has(entry.hash),
      }),
    ];
  });
}

function actionLines(
  world: World,
  read: readonly FeedEntry[],
  effects: readonly Effect[],
  confirmedLedger: number,
): string[] {
  const outcomeOf = new Map(
    effects.flatMap((effect): [string, { status: string; detail: string | null }][] => {
      if (effect.type === 'action_without_effect') {
        return [[effect.action.hash, { status: 'ineffective', detail: effect.detail }]];
      }
      const applied = effect.type === 'launched' || effect.type === 'action_applied' || effect.type === 'cancelled';
      return applied ? [[effect.action.hash, { status: 'applied', detail: null }]] : [];
    }),
  );
  const known = new Set(world.projects.map(({ id }) => id));
  const seen = read.flatMap((entry) => {
    const action = entry.kind === 'self' ? decodeAction(entry) : null;
    if (action === null || !known.has(action.projectId)) return [];
    const outcome = outcomeOf.get(action.hash) ?? { status: 'seen', detail: null };
    return [line({ action: action.hash, project: action.projectId, kind: action.action, ...outcome })];
  });
  const lost = world.lost.map(({ hash, projectId, lastLedgerSequence }) => {
    const status = lastLedgerSequence <= confirmedLedger ? 'expired' : 'submitted';
    return line({ action: hash, project: projectId, kind: 'pause', status, detail: null });
  });
  return [...seen, ...lost];
}
