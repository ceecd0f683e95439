/** An hour of a chart, in UTC: `21 Nov, 19:00`. */
export const hourText = (iso: string): string => `${dayText(iso)}, ${iso.slice(11, 16)} UTC`;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day of a chart, in UTC: `21 Nov`. */
export const dayText = (iso: string): string => DAY.format(new Date(iso));
