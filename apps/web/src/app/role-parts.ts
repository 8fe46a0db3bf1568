import type { Role } from '@hansom/domain/users/roles'
import { part, partOnDemand } from '../ui/lazy-part.tsx'

/** Parts of pages for one role only; other roles load neither their code nor their texts. */
export const DriverConsole = part(
  async () => (await import('../features/driver/driver-console.tsx')).DriverConsole,
)
export const RiderBookings = part(async () => (await import('./rider-bookings.tsx')).RiderBookings)
export const AdminBookingsPage = part(
  async () => (await import('./admin-bookings-page.tsx')).AdminBookingsPage,
)
export const RefundDialog = part(
  async () => (await import('../entities/refunds/refund-dialog.tsx')).RefundDialog,
)
export const RefundLines = part(
  async () => (await import('../entities/refunds/refund-dialog.tsx')).RefundLines,
)
export const DriverCancelDialog = part(
  async () => (await import('../features/driver/cancel-trip.tsx')).CancelTrip,
)
export const ReadChatDialog = partOnDemand(
  'readChat',
  async () => (await import('../features/chats/read-chat.tsx')).ReadChatDialog,
)
export const AlertsSection = part(
  async () => (await import('../features/users/profile/alerts-section.tsx')).AlertsSection,
)
export const AdminShell = part(async () => (await import('./shells/admin-shell.tsx')).AdminShell)

/** The signed-in shell of a role; other roles have the common one. */
export const shellForRole: Partial<Record<Role, typeof AdminShell>> = {
  fleetadmin: AdminShell,
  admin: AdminShell,
}
