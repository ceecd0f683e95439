/** A part of a whole as an SVG attribute takes it. */
export const percent = (part: number): string => `${Math.round(part * 1e4) / 100}%`;
