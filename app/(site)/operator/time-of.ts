/** A time of a form, which is in UTC, as the interface takes it. */
export const timeOf = (text: string): string => `${text}${text.length === 'yyyy-mm-ddThh:mm'.length ? ':00' : ''}Z`;
