import { part } from '../ui/part.tsx'

/** Parts of pages for one role only; other roles load neither their code nor their texts. */
export const DriverConsole = part(
  async () => (await import('../features/driver/driver-console.tsx')).DriverConsole,
)
export const OfficeBookingsPage = part(
  async () => (await import('./office-bookings-page.tsx')).OfficeBookingsPage,
)
export const RefundDialog = part(
  async () => (await import('../entities/refunds/refund-dialog.tsx')).RefundDialog,
)
export const DriverCancelDialog = part(
  async () => (await import('../features/driver/cancel-trip.tsx')).CancelTrip,
)
