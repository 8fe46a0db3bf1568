import type { AdminCarType } from '@hansom/contract/car-types'
import type { CarTypeFields } from '@hansom/domain/car-types/check-car-type'
import type { Format } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'
import { shownFee } from './columns.tsx'

/** Where the form and the record of somebody else differ, as they are read. */
export function differencesOf(mine: CarTypeFields, theirs: AdminCarType, t: Translate, format: Format) {
  const written: [
    Exclude<keyof CarTypeFields, 'cancelSlab'> | 'slabs',
    (carType: CarTypeFields) => string,
  ][] = [
    ['name', ({ name }) => name],
    ['extra_info', ({ extra_info }) => extra_info],
    ['seats', ({ seats }) => format.number(seats)],
    ['position', ({ position }) => format.number(position + 1)],
    ['base_fare', ({ base_fare }) => format.money(base_fare)],
    ['rate_per_unit_distance', (one) => format.money(one.rate_per_unit_distance)],
    ['rate_per_hour', ({ rate_per_hour }) => format.money(rate_per_hour)],
    ['min_fare', ({ min_fare }) => format.money(min_fare)],
    ['convenience_fees', (one) => shownFee(one, format)],
    [
      'slabs',
      ({ cancelSlab }) =>
        cancelSlab
          .map(({ minsDelayed, amount }) => `${format.duration(minsDelayed * 60)} ${format.money(amount)}`)
          .join(', '),
    ],
  ]
  return written.flatMap(([name, write]) => {
    const [one, other] = [write(mine), write(theirs)]
    return one === other ? [] : [{ label: t(`carTypes.${name}`), mine: one, theirs: other }]
  })
}
