import { QUEUE_ROUTES, type Route } from '#tests/support/serve-app.ts';
import * as action from '../../../app/api/admin/projects/[id]/[action]/route.ts';
import * as release from '../../../app/api/admin/projects/[id]/release/route.ts';
import * as allocations from '../../../app/api/projects/[id]/allocations/route.ts';
import * as exceptions from '../../../app/api/projects/[id]/exceptions/route.ts';
import * as list from '../../../app/api/projects/[id]/lists/[list_id]/route.ts';
import * as lists from '../../../app/api/projects/[id]/lists/route.ts';
import * as payments from '../../../app/api/projects/[id]/payments/route.ts';
import * as payouts from '../../../app/api/projects/[id]/payouts/route.ts';
import * as project from '../../../app/api/projects/[id]/route.ts';
import * as terms from '../../../app/api/projects/[id]/terms/route.ts';
import * as verification from '../../../app/api/projects/[id]/verification/route.ts';
import * as projects from '../../../app/api/projects/route.ts';
import * as status from '../../../app/api/system/status/route.ts';

/** What the campaign's operators, scheduler, queue, readers and verifier call. */
export const ROUTES: readonly Route[] = [
  ...QUEUE_ROUTES,
  ['GET', /^\/api\/admin\/projects\/(?<id>[^/]+)\/release$/, release.GET],
  ['POST', /^\/api\/admin\/projects\/(?<id>[^/]+)\/release$/, release.POST],
  ['POST', /^\/api\/admin\/projects\/(?<id>[^/]+)\/(?<action>[^/]+)$/, action.POST],
  ['GET', /^\/api\/system\/status$/, status.GET],
  ['GET', /^\/api\/projects$/, projects.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)$/, project.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/terms$/, terms.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/lists$/, lists.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/lists\/(?<list_id>[^/]+)$/, list.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/exceptions$/, exceptions.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/allocations$/, allocations.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/payments$/, payments.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/payouts$/, payouts.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/verification$/, verification.GET],
];
