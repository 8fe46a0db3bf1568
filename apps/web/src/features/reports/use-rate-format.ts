import { useMemo } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'

/** Formatters for rates, times and counts; a dash where nothing was measured. */
export function useRateFormat() {
  const { language } = useText()
  const format = useFormat()
  return useMemo(() => {
    const share = new Intl.NumberFormat(language.langLocale, { style: 'percent', maximumFractionDigits: 1 })
    const short = new Intl.NumberFormat(language.langLocale, {
      style: 'unit',
      unit: 'second',
      unitDisplay: 'short',
      maximumFractionDigits: 0,
    })
    return {
      percent: (rate: number | null) => (rate === null ? '–' : share.format(rate)),
      seconds: (time: number | undefined) =>
        time === undefined ? '–' : time < 60 ? short.format(time) : format.duration(time),
      number: (count: number) => format.number(count),
    }
  }, [language.langLocale, format])
}
