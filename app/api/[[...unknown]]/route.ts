import { unknownPath } from '#lib/api/resource.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = unknownPath;
