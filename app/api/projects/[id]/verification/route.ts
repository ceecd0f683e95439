import { operation, resource } from '#lib/api/route.ts';
import { verificationContract } from '#lib/sales/verification/contracts.ts';
import { getVerification } from '#lib/sales/verification/get-verification.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(verificationContract, (ctx, { params }) => getVerification(ctx, params.id)),
);
