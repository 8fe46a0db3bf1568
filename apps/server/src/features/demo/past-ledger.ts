import type { Booking } from '@hansom/domain/bookings/booking'
import type { Delivery } from '@hansom/domain/deliveries/delivery'
import type { Amount } from '@hansom/domain/money/amount'
import { type Due, dueReleases } from '@hansom/domain/wallet/dues'
import { type Entry, userOf, usersIn } from '@hansom/domain/wallet/ledger'
import type { UserRow } from '../users/table.ts'
import { seededRandom } from './history-plan.ts'

/** A charged card, for a booking or a top-up. */
export interface PastPayment {
  id: string
  booking: Booking | null
  payer: UserRow
  amount: Amount
  at: number
  refunded: Amount
}

/** A ledger entry with its time and the user who caused it. */
export interface PastMovement {
  entry: Entry
  at: number
  by: string | null
}

const cardProvider = 'test'

/** The money of the simulated past, at the time `now`: ledger entries, balances, dues and card charges. */
export class PastLedger {
  readonly bookings = new Map<string, Booking>()
  /** By booking; empty in the taxi category. */
  readonly deliveries = new Map<string, Delivery>()
  readonly movements: PastMovement[] = []
  readonly dues: (Due & { at: number; amount: Amount })[] = []
  readonly payments: PastPayment[] = []
  readonly chance = seededRandom(411)
  now = 0
  private readonly balances = new Map<string, Amount>()

  /** Returns a UUIDv7 for the simulated time, or another one. */
  newId(at = this.now): string {
    const hex = (digits: number) =>
      Math.floor(this.chance() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    const time = Math.floor(at).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
  }

  balanceOf(user: string): Amount {
    return this.balances.get(user) ?? 0
  }

  record(entries: readonly Entry[], by: string | null): void {
    for (const entry of entries) {
      this.movements.push({ entry, at: this.now, by })
      for (const { account, amount } of entry.legs) {
        const user = userOf(account)
        if (user !== null) this.balances.set(user, this.balanceOf(user) + amount)
        if (account.startsWith('due:')) this.moveDue(account.slice('due:'.length), amount)
      }
    }
    // Releases what riders have paid by now to the drivers who are owed it.
    for (const rider of usersIn(entries)) {
      const open = this.dues.filter((due) => due.rider === rider && due.open > 0)
      if (open.length > 0) this.record(dueReleases(open, this.balanceOf(rider)), null)
    }
  }

  private moveDue(booking: string, amount: Amount): void {
    const known = this.dues.find((due) => due.booking === booking)
    if (known !== undefined) known.open += amount
    else {
      const { customer, driver } = this.bookingOf(booking)
      if (driver === null) throw new Error(`booking ${booking} has an amount due but no driver`)
      this.dues.push({ booking, rider: customer, driver, at: this.now, amount, open: amount })
    }
  }

  /** Records a card charge. */
  pay(payer: UserRow, amount: Amount, booking: Booking | null) {
    const payment: PastPayment = { id: this.newId(), booking, payer, amount, at: this.now, refunded: 0 }
    this.payments.push(payment)
    return { provider: cardProvider, amount, payment: payment.id }
  }

  bookingOf(id: string): Booking {
    const booking = this.bookings.get(id)
    if (booking === undefined) throw new Error(`unknown booking ${id}`)
    return booking
  }
}
