import { z } from 'zod';
import { getProjectToken } from '#lib/sales/projects/get-token.ts';
import { accountSources, ownSource } from '../links.ts';
import { defineTool, projectInput } from './define.ts';

export const issuerPowersTool = defineTool({
  name: 'issuer_powers',
  description:
    "What the issuer of a sale's token can still do, as the ledger shows it: freeze or lock, claw back, mint more, charge transfer fees, require authorisation; and whether holders can pass the token on.",
  input: z.strictObject({ project_id: projectInput }),
  async run(ctx, { project_id }) {
    const data = await getProjectToken(ctx, project_id);
    return {
      data,
      sources: [
        ownSource('What the issuer can still do', `/api/projects/${project_id}/token`),
        ...accountSources('The issuer on the ledger', data.token.issuer),
      ],
    };
  },
});
