import type { BookingView } from '@hansom/contract/bookings'
import type { ReactNode } from 'react'

/** The dialog in which a booking is paid. */
export type PaymentOf = (view: BookingView, onClose: () => void) => ReactNode
