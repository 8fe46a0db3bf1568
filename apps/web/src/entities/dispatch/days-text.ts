import { type Weekday, weekdays } from '@hansom/domain/time/weekdays'
import type { Format } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'

/** Days by their usual name, such as "Monday to Friday", or as a list in the order of the week. */
export function daysText(
  days: readonly Weekday[],
  t: Translate,
  format: Format,
  style: 'long' | 'short' = 'long',
): string {
  const chosen = weekdays.filter((day) => days.includes(day))
  if (chosen.length === weekdays.length) return t('dispatchRules.days_all')
  const parts = chosen.join()
  if (parts === weekdays.slice(0, 5).join()) return t('dispatchRules.days_weekdays')
  if (parts === weekdays.slice(5).join()) return t('dispatchRules.days_weekend')
  return format.list(chosen.map((day) => format.weekday(day, style)))
}
