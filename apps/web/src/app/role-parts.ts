import { part } from '../ui/part.tsx'

/** Parts of pages that one role alone sees: their code and their texts go to nobody else. */
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
