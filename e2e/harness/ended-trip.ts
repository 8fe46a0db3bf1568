import { setTimeout as wait } from 'node:timers/promises'
import type { ApiClient } from '@hansom/client/rest-link'
import { isDelivery, usualCar } from './category.ts'
import { findPlace } from './city.ts'

/** The fields of a booking used by these tests. */
export interface Trip {
  id: string
  booking_id: string
  status: string
  version: number
  /** 10^-4 of the currency unit. */
  payableAmount: number
}

interface Wish {
  payment_mode: 'card' | 'wallet_card' | 'wallet' | 'cash'
  inAdvance?: boolean
}

/** Books a short trip that starts near the driver. */
export async function bookTrip(url: string, rider: ApiClient, driver: ApiClient, wish: Wish): Promise<Trip> {
  const [pickup, drop] = await Promise.all([findPlace(url, 'Ejido 1275'), findPlace(url, 'Teatro Solís')])
  const carTypes = await rider.carTypes.list()
  const carType = carTypes.find(({ name }) => name === usualCar)
  if (!carType) throw new Error(`no car type ${usualCar}`)
  const { now } = await driver.settings.clock()
  const at = { lat: pickup.lat + 0.001, lng: pickup.lng, at: Math.round(now) }
  await driver.tracking.online({ online: true })
  await driver.tracking.report({ positions: [at] })
  return rider.bookings.create({
    pickup: { ...pickup, add: 'Ejido 1275, Centro, Montevideo' },
    drop: { ...drop, add: 'Teatro Solís, Ciudad Vieja, Montevideo' },
    car_type_id: carType.id,
    bookLater: false,
    ...wish,
  })
}

/** A trip that waits for its payment by card: driven and closed, or, for a delivery, only booked. */
export async function tripToPay(url: string, rider: ApiClient, driver: ApiClient): Promise<Trip> {
  const trip = await bookTrip(url, rider, driver, { payment_mode: 'card' })
  if (isDelivery) return trip
  const { id } = trip
  // Drivers are asked after the booking request has returned.
  const isAsked = () =>
    driver.bookings.get({ id }).then(
      () => true,
      () => false,
    )
  while (!(await isAsked())) await wait(100)
  for (const command of ['accept', 'arrive', 'start', 'reach'] as const)
    await driver.bookings[command]({ id })
  await driver.bookings.close({ id })
  return rider.bookings.get({ id })
}
