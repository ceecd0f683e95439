import * as access from '#lib/accounts/api-keys/contracts.ts';
import * as holders from '#lib/accounts/holders/contracts.ts';
import * as members from '#lib/accounts/members/contracts.ts';
import * as identity from '#lib/accounts/platform-ids/contracts.ts';
import * as assistant from '#lib/assistant/contracts.ts';
import type { Contract } from '#lib/base/contract.ts';
import * as jobs from '#lib/jobs/contracts.ts';
import * as audit from '#lib/ops/status/audit/contracts.ts';
import * as system from '#lib/ops/status/contracts.ts';
import * as maintenance from '#lib/ops/status/maintenance/contracts.ts';
import * as witnesses from '#lib/ops/status/witnesses/contracts.ts';
import * as issue from '#lib/payouts/issue/contracts.ts';
import * as monitor from '#lib/payouts/monitor/contracts.ts';
import * as payouts from '#lib/payouts/operate/contracts.ts';
import * as release from '#lib/payouts/release/contracts.ts';
import * as tokenSetup from '#lib/payouts/token-setup/contracts.ts';
import * as accounts from '#lib/sales/accounts/contracts.ts';
import * as actions from '#lib/sales/actions/contracts.ts';
import * as allocations from '#lib/sales/allocations/contracts.ts';
import * as approvals from '#lib/sales/approvals/contracts.ts';
import * as sale from '#lib/sales/contracts.ts';
import * as exceptions from '#lib/sales/exceptions/contracts.ts';
import * as feed from '#lib/sales/feed/contracts.ts';
import * as held from '#lib/sales/held/contracts.ts';
import * as investments from '#lib/sales/investments/contracts.ts';
import * as lists from '#lib/sales/lists/contracts.ts';
import * as projects from '#lib/sales/projects/contracts.ts';
import * as published from '#lib/sales/published/contracts.ts';
import * as verify from '#lib/sales/verification/contracts.ts';
import * as webhooks from '#lib/webhooks/contracts.ts';
import * as events from '#lib/webhooks/events/contracts.ts';
import * as log from '#lib/webhooks/log/contracts.ts';
import * as portal from '#lib/webhooks/portal/contracts.ts';
import * as replay from '#lib/webhooks/replay/contracts.ts';
import { getOpenapiContract } from './openapi-deployment.ts';

/** Tells a contract from the schemas that stand beside it in a contracts file. */
const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'access' in value && 'responses' in value;

function collect(capabilities: readonly Record<string, unknown>[]): readonly Contract[] {
  const contracts = capabilities.flatMap((capability) => Object.values(capability).filter(isContract));
  const seen = new Set<string>();
  for (const { id, method, path } of contracts) {
    for (const name of [id, `${method} ${path}`]) {
      if (seen.has(name)) throw new Error(`Two contracts claim ${name}`);
      seen.add(name);
    }
  }
  return contracts.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

/** Every contract of the platform, by path. A new capability adds its contracts file here. */
export const CONTRACTS = collect([
  access,
  accounts,
  actions,
  allocations,
  approvals,
  assistant,
  audit,
  events,
  exceptions,
  feed,
  held,
  holders,
  identity,
  investments,
  issue,
  jobs,
  lists,
  log,
  maintenance,
  members,
  monitor,
  { getOpenapiContract },
  payouts,
  portal,
  projects,
  published,
  release,
  replay,
  sale,
  system,
  tokenSetup,
  verify,
  webhooks,
  witnesses,
]);

/**
 * The operations of the API for the assistant's search, a line each: id, method, path, credential and summary. They stand in
 * a file, because loading every contract takes longer than an answer may. A test compares the two.
 */
export const operationLines = (): string[] =>
  CONTRACTS.map(({ id, method, path, summary, access }) => {
    const credential = access
      // Who has a session of the portal asks by its page.
      .filter(({ kind }) => kind !== 'portal')
      .map((way) =>
        way.kind === 'public' ? 'no credential' : way.kind === 'api_key' ? `API key (${way.scope})` : way.kind,
      )
      .join(' or ');
    return [id, method, path, credential, summary].join(' | ');
  });
