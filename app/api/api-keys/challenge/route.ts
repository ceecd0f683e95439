import { createChallengeContract } from '#lib/access/contracts.ts';
import { issueChallenge } from '#lib/access/issue-challenge.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(createChallengeContract, (ctx, { body, caller }) => issueChallenge(ctx, body, caller)),
);
