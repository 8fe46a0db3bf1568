import { dispatchAt, isDispatchDue } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { mayCollect } from '../users/eligibility.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'

/**
 * An admin asks one driver of the booking's car type. The request does not expire. A Book Later trip assigned early
 * reaches its driver when it is due, so the driver does not have to be free now.
 */
export function assignDriver(
  { booking, settings, driver, requested }: Facts,
  input: InputOf<'assign_driver'>,
  now: number,
): Outcome | Refusal {
  if (settings.autoDispatch) return new Refusal('auto_dispatch_on')
  if (!driver || driver.id !== input.driver || driver.usertype !== 'driver' || !driver.approved) {
    return new Refusal('not_found')
  }
  if (driver.carType !== booking.car_type_id) return new Refusal('select_proper')
  const need = { ...settings, payment_mode: booking.payment_mode }
  if (!mayCollect(driver.walletBalance, need)) return new Refusal('low_wallet')
  const due = isDispatchDue(booking, settings, now)
  if (due && driver.queue) return new Refusal('already_busy')
  if (due && !driver.driverActiveStatus) return new Refusal('not_online')
  if (requested.includes(driver.id)) return {}
  return {
    effects: [
      { kind: 'ask_drivers', drivers: [driver.id], wave: booking.wave, expires_at: null },
      due
        ? notify(booking, driver.id, 'new_booking', 'DriverTrips')
        : { kind: 'schedule', job: 'tell_assigned', at: dispatchAt(booking, settings, now) },
    ],
  }
}
