/** A date with its weekday and time, such as “Thu, 26 Nov 2026, 18:20”: pages and mails write it the same. */
export const fullDateTimeStyle = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions

/** A date without a time, such as “26 Nov 2026”. */
export const dateStyle = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
} as const satisfies Intl.DateTimeFormatOptions
