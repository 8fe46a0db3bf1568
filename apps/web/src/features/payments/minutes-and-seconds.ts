/** What is left of a time in ms as "14:05"; a begun second counts. */
export function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
