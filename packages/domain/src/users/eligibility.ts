import type { PaymentMode } from '../bookings/status.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from './roles.ts'

/** The fields that decide whether a driver can be asked. */
export interface DriverState {
  id: string
  usertype: Role
  approved: boolean
  /** Busy with a trip. */
  queue: boolean
  driverActiveStatus: boolean
  location: LatLng | null
  /** When `location` was reported, epoch ms. */
  located_at: number | null
  /** Id of the car type: its name may have changed since a booking copied it. */
  carType: string | null
  walletBalance: Amount
}

/** A location older than this is no longer used. */
export const locationFreshMs = 120_000

/** A free driver whose location is older than this disappears from the fleet map. */
export const fleetFreshMs = 15 * 60_000

/** Most drivers on one fleet map; the most recently located ones are shown. */
export const maxFleetCars = 10_000

/** Whether a driver is on the fleet map: one who loses contact during a trip stays on it. */
export function isOnFleetMap({ queue, at }: { queue: boolean; at: number }, now: number): boolean {
  return queue || at > now - fleetFreshMs
}

/** True for a driver who can be asked: approved, free, active and with a location; of `carType` if given. */
export function isEligible(
  driver: Omit<DriverState, 'located_at' | 'walletBalance'>,
  carType?: string,
): boolean {
  return (
    driver.usertype === 'driver' &&
    driver.approved &&
    !driver.queue &&
    driver.driverActiveStatus &&
    driver.location !== null &&
    (carType === undefined || driver.carType === carType)
  )
}

/** The settings that limit drivers' debt. */
export type DebtSettings = Pick<Settings, 'negativeBalance' | 'driverDebtLimit'>

/**
 * False for a cash booking when the driver owes too much: any debt with `negativeBalance` off, otherwise more than
 * `driverDebtLimit`, where 0 is no limit.
 */
export function mayCollect(
  walletBalance: Amount,
  need: { payment_mode: PaymentMode } & DebtSettings,
): boolean {
  if (need.payment_mode !== 'cash') return true
  if (!need.negativeBalance) return walletBalance >= 0
  return need.driverDebtLimit === 0 || walletBalance >= -need.driverDebtLimit
}
