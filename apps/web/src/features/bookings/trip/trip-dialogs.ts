import type { BookingView } from '@hansom/contract/bookings'
import type { ReactNode } from 'react'

type DialogOf = (view: BookingView, onClose: () => void) => ReactNode

/** Dialogs of the trip page that belong to other features. */
export interface TripDialogs {
  /** Pays the booking. */
  payment: DialogOf
  /** Refunds the booking. */
  refund: DialogOf
  /** Lets the driver give the trip back. */
  driverCancel: DialogOf
}
