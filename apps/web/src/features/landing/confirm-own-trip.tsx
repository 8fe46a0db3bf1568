import { hasTripUnderWay } from '@hansom/domain/booking/under-way'
import { type ComponentProps, useState } from 'react'
import { useLive } from '../../lib/live.ts'
import { SecondTrip } from '../../ui/second-trip.tsx'
import ConfirmDialog from './confirm-dialog.tsx'

/** The confirmation of one's own trip. A second car at once is asked about first. */
export default function ConfirmOwnTrip(props: ComponentProps<typeof ConfirmDialog>) {
  const bookings = useLive('bookings').data ?? []
  // Decided at the start: the booking made here is under way too, and asks nothing.
  const [asks, setAsks] = useState(props.trip.tripdate === null && hasTripUnderWay(bookings))
  if (!asks) return <ConfirmDialog {...props} />
  return <SecondTrip onClose={props.onClose} onGoOn={() => setAsks(false)} />
}
