import { operation, resource } from '#lib/api/route.ts';
import { listJobsContract } from '#lib/jobs/contracts.ts';
import { listJobs } from '#lib/jobs/list-jobs.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(operation(listJobsContract, (ctx) => listJobs(ctx)));
