import { type ComponentProps, useState } from 'react'
import { SecondTripDialog, useTripUnderWay } from '../../../entities/bookings/second-trip.tsx'
import { useText } from '../../../lib/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadingState } from '../../../ui/page-states.tsx'
import ConfirmDialog from './confirm-dialog.tsx'

/** Confirms the user's own trip. Asks first if another trip is under way. */
export default function ConfirmOwnTrip(props: ComponentProps<typeof ConfirmDialog>) {
  const { t } = useText()
  const underWay = useTripUnderWay()
  const [asks, setAsks] = useState(props.trip.tripdate === null ? undefined : false)
  // Decided once, when the data arrives: the booking made here would also count as under way.
  if (asks === undefined && underWay !== undefined) setAsks(underWay)
  if (asks === undefined)
    return (
      <Dialog open onClose={props.onClose} title={t('booking.confirm_title')}>
        <LoadingState rows={4} height="24px" />
      </Dialog>
    )
  if (!asks) return <ConfirmDialog {...props} />
  return <SecondTripDialog onClose={props.onClose} onContinue={() => setAsks(false)} />
}
