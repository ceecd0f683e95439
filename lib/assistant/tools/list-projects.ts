import { z } from 'zod';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { ownSource } from '../links.ts';
import { defineTool } from './define.ts';
import { saleFacts } from './sale-facts.ts';

const MOST_PROJECTS = 50;

export const listProjectsTool = defineTool({
  name: 'list_projects',
  description: 'The token sales of this platform, newest first: id, name, state, tier that sells now, dates, progress.',
  input: z.strictObject({}),
  async run(ctx) {
    const { projects } = await listProjects(ctx, { limit: MOST_PROJECTS, withDrafts: false });
    const shown = projects.map((project) => {
      const { state, token_name, current_tier, left_tokens } = saleFacts(project, ctx.clock.nowMs());
      const { id, name, slug, status, starts_at, ends_at, progress } = project;
      return {
        ...{ id, name, slug, status, state, token_name, starts_at, ends_at },
        current_tier:
          current_tier === null ? null : { tier: current_tier.tier, price_per_token: current_tier.price_per_token },
        left_tokens,
        progress,
      };
    });
    return {
      data: { projects: shown },
      sources: [ownSource('All sales', '/'), ownSource('Projects', '/api/projects')],
    };
  },
});
export type ListedProject = Awaited<ReturnType<typeof listProjectsTool.run>>['data']['projects'][number];
