import type { BookingView } from '@hansom/contract/bookings'
import { Link } from '@tanstack/react-router'
import { emptyDraft, storeDraft } from '../../../entities/bookings/booking-draft.ts'
import { useText } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'

/** Leads to the booking form, with the places and the car of this trip filled in. */
export function BookAgain({ view, isNext }: { view: BookingView; isNext: boolean }) {
  const { t } = useText()
  const { pickup, drop, car_type_id } = view
  return (
    <Link
      to="/"
      className={buttonClass({ variant: isNext ? 'primary' : 'secondary', wide: true })}
      onClick={() => storeDraft({ ...emptyDraft, pickup, drop, carTypeId: car_type_id })}
    >
      {t('trip.book_again')}
    </Link>
  )
}
