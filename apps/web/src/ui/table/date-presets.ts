/** Named ranges of a filter by days. They stay relative in the URL: a saved view of today is always today. */
export const datePresets = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const
export type DatePreset = (typeof datePresets)[number]

export function isDatePreset(value: string): value is DatePreset {
  return (datePresets as readonly string[]).includes(value)
}

const dayMs = 24 * 3600 * 1000
const text = (utc: number) => new Date(utc).toISOString().slice(0, 10)

/** The days of a preset as `from..to`, both included. `today` is a calendar day, `2026-11-30`; weeks start on Monday. */
export function presetDays(preset: DatePreset, today: string): string {
  const now = Date.parse(`${today}T00:00:00Z`)
  const [year = 0, month = 1] = today.split('-').map(Number)
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * dayMs
  const span = (from: number, to: number) => `${text(from)}..${text(to)}`
  switch (preset) {
    case 'today':
      return span(now, now)
    case 'yesterday':
      return span(now - dayMs, now - dayMs)
    case 'this_week':
      return span(monday, monday + 6 * dayMs)
    case 'last_week':
      return span(monday - 7 * dayMs, monday - dayMs)
    case 'this_month':
      return span(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0))
    case 'last_month':
      return span(Date.UTC(year, month - 2, 1), Date.UTC(year, month - 1, 0))
  }
}
