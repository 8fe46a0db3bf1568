import type { BookingView } from '@hansom/contract/bookings'
import type { ReactNode } from 'react'

type DialogOf = (view: BookingView, onClose: () => void) => ReactNode

/** Dialogs of a trip's page that belong to other parts of the product. */
export interface TripDialogs {
  /** In which the booking is paid. */
  payment: DialogOf
  /** In which the office gives money back. */
  refund: DialogOf
  /** In which the driver gives the trip back. */
  driverCancel: DialogOf
}
