import { unknownPath } from '#lib/api/unknown-path.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = unknownPath;
