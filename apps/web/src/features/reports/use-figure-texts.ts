import type { OperationFiguresView } from '@hansom/contract/reports'
import { type FigureName, type Outcome, ratesOf } from '@hansom/domain/reports/operations'
import { useMemo } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'

/** A figure, and a smaller one below it. */
export interface FigureText {
  figure: string
  note: string
}

/** Writes the operator's figures; a dash where nothing was counted. */
export function useFigureTexts(): (view: OperationFiguresView) => Record<FigureName, FigureText> {
  const { t, language } = useText()
  const format = useFormat()
  return useMemo(() => {
    const share = new Intl.NumberFormat(language.langLocale, { style: 'percent', maximumFractionDigits: 1 })
    const unit = { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 0 } as const
    const short = new Intl.NumberFormat(language.langLocale, unit)
    const percent = (rate: number | null) => (rate === null ? '–' : share.format(rate))
    const seconds = (time: number) => (time < 60 ? short.format(time) : format.duration(time))
    const time = (of: OperationFiguresView['acceptS']): FigureText =>
      of === null
        ? { figure: '–', note: '' }
        : { figure: seconds(of.median), note: t('reports.op_p90', { time: seconds(of.p90) }) }
    return (view) => {
      const outcomes: Record<Outcome, number> = view.outcomes
      const rates = ratesOf({ ...view, outcomes })
      const { completed, no_driver } = outcomes
      return {
        bookings: { figure: format.number(view.bookings), note: '' },
        completion: { figure: percent(rates.completed), note: format.number(completed) },
        acceptance: {
          figure: percent(rates.acceptedBookings),
          note: t('reports.op_requests_accepted', {
            accepted: format.number(view.acceptances),
            requests: format.number(view.offers),
          }),
        },
        accept: time(view.acceptS),
        pickup: time(view.pickupS),
        cancelled: {
          figure: percent(rates.cancelled),
          note: format.number(view.bookings - completed - no_driver),
        },
        no_driver: { figure: percent(rates.noDriver), note: format.number(no_driver) },
      }
    }
  }, [t, language.langLocale, format])
}
