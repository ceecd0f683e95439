import { operation, resource } from '#lib/api/route.ts';
import { listWitnessesContract } from '#lib/ops/status/witnesses/contracts.ts';
import { listWitnesses } from '#lib/ops/status/witnesses/list-witnesses.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listWitnessesContract, (ctx) => listWitnesses(ctx)),
);
