import type { BookingView } from '@hansom/contract/bookings'
import type { Disputed } from '@hansom/contract/refunds'
import type { ReactNode } from 'react'
import type { ChatPanel } from '../../../entities/chats/chat-button.tsx'

type DialogOf = (view: BookingView, onClose: () => void) => ReactNode

/** Dialogs of the trip page that belong to other features. */
export interface TripDialogs {
  /** Pays the booking. */
  payment: DialogOf
  /** Refunds the booking. */
  refund: DialogOf
  /** Lists the refunds of the booking, for admins. */
  refundLines: (refunds: Disputed['refunds']) => ReactNode
  /** Lets the driver give the trip back. */
  driverCancel: DialogOf
  /** The conversation of rider and driver. */
  chat: ChatPanel
  /** Shows an admin what rider and driver wrote. */
  readChat: DialogOf
}
