/** Some reasons are the platform's own and have a translation; the rest are a person's words. */
export function reasonText(reason: string, t: (key: string) => string): string {
  const key = `trip.reason_${reason.replaceAll(' ', '_')}`
  const words = t(key)
  return words === key ? reason : words
}
