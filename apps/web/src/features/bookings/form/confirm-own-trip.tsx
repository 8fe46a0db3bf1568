import { type ComponentProps, lazy, useState } from 'react'
import { SecondTripDialog, useTripUnderWay } from '../../../entities/bookings/second-trip.tsx'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadingState } from '../../../ui/page-states.tsx'
import type { ParcelProps } from './confirm-delivery.tsx'
import ConfirmDialog from './confirm-dialog.tsx'

const ConfirmDelivery = lazy(() => import('./confirm-delivery.tsx'))

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'delivery'> & ParcelProps

/** Confirms the user's own booking. */
export default function ConfirmOwnBooking({ parcel, onParcel, ...props }: Props) {
  const { category } = useSettings()
  return category === 'delivery' ? (
    <ConfirmDelivery {...props} parcel={parcel} onParcel={onParcel} />
  ) : (
    <ConfirmOwnTrip {...props} />
  )
}

/** Confirms the user's own trip. Asks first if another trip is under way. */
function ConfirmOwnTrip(props: ComponentProps<typeof ConfirmDialog>) {
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
