import type { Booking } from '@hansom/domain/bookings/booking'
import type { Amount } from '@hansom/domain/money/amount'
import { refundConfirmed, refundRequested } from '@hansom/domain/wallet/refund-entries'
import { adminCredit, topUp, withdrawProcessed, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import type { refundsTable } from '../refunds/table.ts'
import type { UserRow } from '../users/table.ts'
import type { withdrawsTable } from '../withdraws/table.ts'
import { minuteMs, nameOf, type PastCity, type Simulation } from './past-city.ts'
import type { DemoPrices } from './prices.ts'

export type PastWithdraw = typeof withdrawsTable.$inferInsert
export type PastRefund = typeof refundsTable.$inferInsert

const hourMs = 60 * minuteMs
const weekMs = 7 * 24 * hourMs
/** The longest time an admin takes to pay out. */
const longestWaitMs = 40 * hourMs
const bank = { bankName: 'Banco República', bankCode: 'BROUUYMM' }

/** Wallet movements and refunds of the past, without trip payments. */
export class PastMoney {
  readonly withdraws: PastWithdraw[] = []
  readonly refunds: PastRefund[] = []
  private readonly city: PastCity
  private readonly pesos: DemoPrices

  constructor(city: PastCity) {
    this.city = city
    this.pesos = city.world.pesos
  }

  /** Gives a rider initial credit (`given`), and tops up by card in `share` of the weeks when the balance is low. */
  *topUpWallet(rider: UserRow, given: Amount, share: number): Simulation {
    const { city } = this
    if (given > 0) city.record([adminCredit(rider.id, rider.id, given)], city.world.admin)
    while (share > 0) {
      yield city.now + Math.round((0.4 + city.chance()) * weekMs)
      if (city.balanceOf(rider.id) > this.pesos(400) || city.chance() > share) continue
      const amount = this.pesos((4 + Math.floor(city.chance() * 9)) * 250)
      city.record([topUp(rider.id, city.pay(rider, amount, null))], rider.id)
    }
  }

  /** A driver withdraws the wallet balance once a week; an admin pays it out within about a day. */
  *withdrawEarnings(driver: UserRow, account: string): Simulation {
    const { city } = this
    const { code } = city.world.settings
    for (;;) {
      yield city.now + weekMs + Math.round((city.chance() - 0.5) * 20 * hourMs)
      const amount =
        Math.floor(city.balanceOf(driver.id) / this.pesos(100)) * this.pesos(100) - this.pesos(500)
      if (amount < this.pesos(500)) continue
      // The demo driver has no pending withdrawal, so that a visitor starts with only their own.
      if (driver === city.world.drivers[0] && city.now > city.world.now - longestWaitMs) continue
      const id = city.newId()
      const asked: PastWithdraw = {
        id,
        uid: driver.id,
        name: nameOf(driver),
        amount,
        date: city.now,
        ...bank,
        bankAccount: account,
        currency: code,
        processed: false,
        procesDate: null,
      }
      this.withdraws.push(asked)
      city.record([withdrawRequested(id, driver.id, amount)], driver.id)
      yield city.now + Math.round((3 + city.chance() * 30) * hourMs)
      asked.processed = true
      asked.procesDate = city.now
      city.record([withdrawProcessed(id, amount)], city.world.admin)
    }
  }

  /** Refunds part of a trip's price after a complaint. */
  refund(booking: Booking): void {
    const { city } = this
    const booked = booking.id
    const wished: Amount = this.pesos((2 + Math.floor(city.chance() * 5)) * 20)
    const payment = city.payments.find((one) => one.booking?.id === booked)
    const paid = payment?.amount ?? Math.max(booking.usedWalletMoney, booking.cashPaymentAmount)
    const amount = Math.min(wished, paid)
    if (amount <= 0) return
    const isDrivers = city.chance() < 0.2 && booking.driver !== null
    const id = city.newId()
    const refund = {
      id,
      booking: booked,
      amount,
      bearer: isDrivers && booking.driver !== null ? { driver: booking.driver } : { platform: true as const },
    }
    const target = payment ? { provider: 'test' } : { rider: booking.customer }
    city.record([refundRequested(refund), refundConfirmed(refund, target)], city.world.admin)
    if (payment) payment.refunded += amount
    this.refunds.push({
      id,
      at: city.now,
      booking: booked,
      code: booking.booking_id,
      source: payment ? 'card' : booking.usedWalletMoney > 0 ? 'wallet' : 'cash',
      payment: payment?.id ?? null,
      provider: payment ? 'test' : null,
      rider: booking.customer,
      rider_name: booking.customer_name,
      amount,
      currency: booking.currency,
      bearer: isDrivers ? 'driver' : 'platform',
      driver: isDrivers ? booking.driver : null,
      reason:
        city.world.settings.category === 'delivery'
          ? 'The parcel arrived late'
          : 'The route was longer than it had to be',
      state: 'confirmed',
      before: 0,
      look_at: city.now,
      ended_at: city.now,
      by_user: city.world.admin,
    })
  }
}
