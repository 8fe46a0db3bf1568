import type { PromoView } from '@hansom/contract/promos'
import type { PromoFields } from '@hansom/domain/promos/check-promo'
import type { Format } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'
import { shownDiscount } from './columns.tsx'

/** Where the form and the record of somebody else differ, as they are read. */
export function differencesOf(mine: PromoFields, theirs: PromoView, t: Translate, format: Format) {
  const written: [keyof PromoFields, (promo: PromoFields) => string][] = [
    ['promo_name', ({ promo_name }) => promo_name],
    ['promo_description', ({ promo_description }) => promo_description],
    ['promo_discount_value', (promo) => shownDiscount(promo, format)],
    ['max_promo_discount_value', (promo) => format.money(promo.max_promo_discount_value)],
    ['min_order', ({ min_order }) => format.money(min_order)],
    ['promo_validity', ({ promo_validity }) => format.date(promo_validity)],
    ['promo_usage_limit', ({ promo_usage_limit }) => format.number(promo_usage_limit)],
  ]
  return written.flatMap(([name, write]) => {
    const [one, other] = [write(mine), write(theirs)]
    return one === other ? [] : [{ label: t(`promos.${name}`), mine: one, theirs: other }]
  })
}
