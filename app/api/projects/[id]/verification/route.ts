import { operation, resource } from '#lib/http/route.ts';
import { verificationContract } from '#lib/sale/verify/contracts.ts';
import { getVerification } from '#lib/sale/verify/get-verification.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(verificationContract, (ctx, { params }) => getVerification(ctx, params.id)),
);
