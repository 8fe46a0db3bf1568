import type { BookingView } from '@hansom/contract/bookings'
import type { Translate } from '../../../lib/i18n.ts'

type Stop = NonNullable<BookingView['delivery']>['stops'][number]

/** What a stop is called; `isOnly` if the delivery has one drop. */
export function stopTitle({ kind, n }: Pick<Stop, 'kind' | 'n'>, isOnly: boolean, t: Translate): string {
  if (kind === 'pickup') return t('map.pickup')
  if (kind === 'return') return t('delivery.return_stop')
  return isOnly ? t('map.drop') : t('delivery.stop', { number: n })
}
