import { z } from 'zod';

const projectSchema = z.object({
  id: z.string(),
  deposit_address: z.string(),
  destination_tag: z.number(),
  token: z.object({ kind: z.literal('iou'), currency: z.string(), issuer: z.string(), decimals: z.number() }),
});

/** What the crowd and the manifest need of the demo sale. */
export type DemoProject = z.output<typeof projectSchema>;

const crowdOptionsSchema = z.object({
  baseUrl: z.string(),
  ledgerUrl: z.string(),
  faucetUrl: z.string(),
  project: projectSchema,
});

/** What the crowd's process is told, as JSON in CROWD_OPTIONS. */
export type CrowdOptions = z.output<typeof crowdOptionsSchema>;

export function parseCrowdOptions(text: string | undefined): CrowdOptions {
  return crowdOptionsSchema.parse(JSON.parse(text ?? '{}'));
}

/** The parts of a project resource that are needed; throws when the resource has another shape. */
export function parseDemoProject(resource: unknown): DemoProject {
  return projectSchema.parse(resource);
}
