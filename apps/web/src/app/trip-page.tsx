import { lazy, Suspense } from 'react'
import type { TripDialogs } from '../features/bookings/trip/trip-dialogs.ts'
import { TripScreen } from '../features/bookings/trip/trip-screen.tsx'
import { chatPanel } from './chat-panel.tsx'
import { DriverCancelDialog, ReadChatDialog, RefundDialog, RefundLines } from './role-parts.ts'

const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.tsx'))

const dialogs: TripDialogs = {
  payment: (view, onClose) => (
    <Suspense fallback={null}>
      <PaymentDialog view={view} onClose={onClose} />
    </Suspense>
  ),
  refund: ({ id, booking_id }, onClose) => (
    <Suspense fallback={null}>
      <RefundDialog of={{ booking: id }} code={booking_id} onClose={onClose} />
    </Suspense>
  ),
  refundLines: (refunds) => (
    <Suspense fallback={null}>
      <RefundLines refunds={refunds} />
    </Suspense>
  ),
  chat: chatPanel,
  readChat: ({ id, booking_id }, onClose) => (
    <Suspense fallback={null}>
      <ReadChatDialog booking={id} code={booking_id} onClose={onClose} />
    </Suspense>
  ),
  driverCancel: (view, onClose) => (
    <Suspense fallback={null}>
      <DriverCancelDialog booking={view} open onClose={onClose} />
    </Suspense>
  ),
}

/** The live trip, with dialogs from other features. */
export function TripPage() {
  return <TripScreen dialogs={dialogs} />
}
