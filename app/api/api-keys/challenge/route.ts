import { createChallengeContract } from '#lib/accounts/api-keys/contracts.ts';
import { issueChallenge } from '#lib/accounts/api-keys/issue-challenge.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(createChallengeContract, (ctx, { body, caller }) => issueChallenge(ctx, body, caller)),
);
