import { operation, resource } from '#lib/api/route.ts';
import { listJobsContract } from '#lib/jobs/list/contracts.ts';
import { listJobs } from '#lib/jobs/list/list-jobs.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(operation(listJobsContract, (ctx) => listJobs(ctx)));
