import { isDispatchDue, promisedArrival } from '../dispatch/timing.ts'
import { type ErrorKey, Refusal } from '../error-keys.ts'
import { mayCollect } from '../users/eligibility.ts'
import type { Outcome } from './decision.ts'
import type { DriverFacts, Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'

/** A requested driver takes the trip and becomes busy. */
export function accept(facts: Facts, input: InputOf<'accept'>, now: number): Outcome | Refusal {
  const { booking, driver, by } = facts
  if (!driver || driver.id !== by.id) return new Refusal('not_found')
  const wrong = refusalOf(facts, driver, now)
  if (wrong) return new Refusal(wrong)
  return {
    to: 'ACCEPTED',
    changes: {
      driver: driver.id,
      driver_name: driver.name,
      driver_image: driver.image,
      driver_contact: driver.contact,
      vehicle_number: driver.vehicle_number,
      vehicle_make: driver.vehicle_make,
      vehicle_model: driver.vehicle_model,
      driverRating: driver.rating,
      fleetadmin: driver.fleetadmin,
      accepted_at: now,
      promised_arrival: promisedArrival(booking, now, input.driveSeconds),
    },
    effects: [
      { kind: 'claim_driver', driver: driver.id },
      { kind: 'remove_requests' },
      notify(booking, booking.customer, 'accepted', 'BookedCab', { driver_name: driver.name }),
    ],
  }
}

function refusalOf(facts: Facts, driver: DriverFacts, now: number): ErrorKey | null {
  const { booking, requested, settings } = facts
  if (!requested.includes(driver.id) || !isDispatchDue(booking, settings, now)) return 'not_requested'
  if (!driver.approved) return 'require_approval'
  if (driver.queue) return 'already_busy'
  if (!driver.driverActiveStatus) return 'not_online'
  const need = { ...settings, payment_mode: booking.payment_mode }
  return mayCollect(driver.walletBalance, need) ? null : 'low_wallet'
}
