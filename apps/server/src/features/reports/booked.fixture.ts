import type { BookingStatus } from '@hansom/domain/bookings/status'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'

/** The fields that a test sets; the rest is a short cash trip. */
export interface Booked {
  status: BookingStatus
  at: string | number
  driver: string | null
  fleetadmin?: string | null
  fee?: number
  share?: number
  discount?: number
}

/** Inserts a booking directly, without the commands that lead there. */
export async function addBooked(
  { pool }: Pick<Database, 'pool'>,
  { customer, carType }: { customer: string; carType: string },
  { status, at, driver, fleetadmin = null, fee = 10, share = 100, discount = 0 }: Booked,
): Promise<string> {
  const id = uuidv7()
  const tripdate = typeof at === 'number' ? at : Date.parse(at)
  const place = { lat: -34.9, lng: -56.17, add: 'Plaza' }
  const row = {
    id,
    booking_id: id,
    version: 1,
    status,
    car_type_id: carType,
    car_type: 'Economy',
    fare_rule: {},
    cancel_slab: [],
    decimal: 2,
    convert_to_mile: false,
    currency: 'UYU',
    customer,
    customer_name: 'Test',
    customer_email: 'test@test.test',
    driver,
    fleetadmin,
    pickup: place,
    drop: place,
    route: '',
    estimate: fee + share,
    estimate_distance: 1,
    estimate_time: 1,
    tripdate,
    booking_date: tripdate,
    book_later: false,
    otp_tries: 0,
    booking_type_admin: false,
    cancelled_by: status === 'CANCELLED' ? 'rider' : null,
    cancellation_fee: 0,
    trip_cost: fee + share,
    convenience_fees: fee,
    driver_share: share,
    fare_parts: {},
    discount_amount: discount,
    customer_paid: 0,
    outstanding_collected: 0,
    payment_mode: 'cash',
    prepaid: false,
    cash_payment_amount: 0,
    card_payment_amount: 0,
    used_wallet_money: 0,
    payable_amount: 0,
    promo_applied: false,
    excluded_drivers: [],
    wave: 0,
    contested_amount: 0,
    written_off_amount: 0,
  }
  await pool.query('insert into bookings select * from jsonb_populate_record(null::bookings, $1)', [
    JSON.stringify(row),
  ])
  return id
}
