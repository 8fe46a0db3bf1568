import type { OperationFiguresView, OperationsView } from '@hansom/contract/reports'
import { useMemo } from 'react'
import { useCarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import type { SearchParams } from '../../lib/search-params.ts'

export const dimensions = ['hour', 'day', 'area', 'carType'] as const
export type Dimension = (typeof dimensions)[number]

/** One row of a breakdown; `search` lists its bookings in /bookings. */
export interface OperationGroup {
  key: string
  label: string
  search: SearchParams
  figures: OperationFiguresView
}

/** The rows of a breakdown: hours and days in order of time, areas and car types with most bookings first. */
export function useOperationGroups(view: OperationsView, by: Dimension, all: SearchParams): OperationGroup[] {
  const { language } = useText()
  const format = useFormat()
  const carTypeName = useCarTypeName()
  const locale = language.dateLocale || language.langLocale
  return useMemo(() => {
    const dayOf = new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
    // The clock of `format.clock`.
    const hourOf = new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
    })
    switch (by) {
      case 'hour':
        return view.hours.map(({ hour, ...figures }) => ({
          key: String(hour),
          label: hourOf.format(hour * 3_600_000),
          search: { ...all, hour: `${hour}..${hour}` },
          figures,
        }))
      case 'day':
        return view.days.map(({ day, ...figures }) => ({
          key: day,
          label: dayOf.format(Date.parse(`${day}T00:00:00Z`)),
          search: { ...all, tripdate: `${day}..${day}` },
          figures,
        }))
      case 'area':
        return view.areas.map(({ area, name, lat, lng, ...figures }) => ({
          key: String(area),
          label: `${name} (${format.number(lat, 3)}, ${format.number(lng, 3)})`,
          search: { ...all, area: `${area}..${area}` },
          figures,
        }))
      case 'carType':
        return view.carTypes.map(({ car_type_id, name, ...figures }) => ({
          key: car_type_id,
          label: carTypeName(name),
          search: { ...all, car_type_id },
          figures,
        }))
    }
  }, [view, by, all, locale, format, carTypeName])
}
