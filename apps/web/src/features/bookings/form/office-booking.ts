import type { Caller } from '@hansom/contract/users'
import { isOpen, type PaymentMode } from '@hansom/domain/bookings/status'
import type { CashPlace } from '@hansom/domain/deliveries/delivery'
import { isolated } from '../../../lib/format.ts'

/** The rider of a booking by the office: a known user, or a caller without an account. */
export type OfficeRider = { customer: string } | { guest: { name: string; mobile: string } }

/** The parts of a booking by the office that a rider's own booking does not have. */
export interface OfficeBooking {
  rider: OfficeRider
  name: string
  /** As typed, or as stored; null for a rider without a number. */
  mobile: string | null
  /** The rider's earlier debt, 10^-4 of the currency unit. */
  outstanding: number
  options: OfficeOptions
}

export interface OfficeOptions {
  payment_mode: PaymentMode
  /** Where a courier collects the cash of a delivery. */
  cash_at: CashPlace
  passengers: number | null
  cars: number
  /** When the way back starts, as local time of the city; empty for none. */
  returnAt: string
  note: string
}

export const noOptions: OfficeOptions = {
  payment_mode: 'cash',
  cash_at: 'pickup',
  passengers: null,
  cars: 1,
  returnAt: '',
  note: '',
}

/** The rider and the number, as one isolated text. */
export function callerText({ name, mobile }: Pick<OfficeBooking, 'name' | 'mobile'>): string {
  return [name, mobile].flatMap((part) => (part ? [isolated(part)] : [])).join(' · ')
}

export type CallerTrip = Caller['trips'][number]

/** The caller's open trip, so that it is not booked twice; null if there is none. */
export function openTripOf({ trips }: Caller): CallerTrip | null {
  return trips.find(({ status }) => isOpen(status)) ?? null
}
