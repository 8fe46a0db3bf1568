import { isRefusal } from '@hansom/client/api-error'
import type { Client } from '@hansom/client/client'
import type { BookingView } from '@hansom/contract/bookings'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { between, chance, oneOf } from '../city/random.ts'
import type { SignedInFetch } from '../city/signed-in-fetch.ts'
import { lineFor, say } from '../city/small-talk.ts'
import { type City, randomAddress } from '../city/streets.ts'
import type { TripCodeExchange } from '../driver/trip-code-exchange.ts'
import { parcelFor, payByCard } from './send-parcel.ts'

/** Range of the pause after a trip, s. */
const stayS = [240, 1_500] as const
/** First and longest pause before a retry after a refused booking, s. */
const firstRetryS = 45
const longestRetryS = 1_800

export interface RiderContext {
  client: Client
  city: City
  tripCodes: TripCodeExchange
  category: 'taxi' | 'delivery'
  send: SignedInFetch
  log(text: string): void
}

/** A simulated rider: books a trip now and then, gives the driver the code, pays, rates, and sometimes cancels. */
export class RiderAgent {
  private booking: BookingView | null = null
  private refused = 0
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly uid: string
  private readonly world: RiderContext

  constructor(uid: string, world: RiderContext) {
    this.uid = uid
    this.world = world
  }

  start(): void {
    this.world.client.live.subscribe('bookings', {
      snapshot: (bookings) => {
        const mine = bookings.filter((booking) => booking.customer === this.uid)
        this.read(
          mine.find((booking) => booking.status !== 'COMPLETE' && booking.status !== 'CANCELLED') ?? null,
        )
      },
      event: (change) => {
        if ('put' in change) this.read(change.put)
        else if (change.remove === this.booking?.id) this.read(null)
      },
    })
    this.later(between(3, 60), () => this.book())
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.world.client.close()
  }

  private later(seconds: number, run: () => unknown): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        Promise.resolve(run()).catch((error: unknown) => this.world.log(`rider: ${String(error)}`))
      },
      (seconds * 1000) / this.world.client.clock.speed,
    )
    this.timers.add(timer)
  }

  private async book(): Promise<void> {
    if (this.booking) return
    const { client, city } = this.world
    const { api } = client
    try {
      const [pickup, drop] = await Promise.all([randomAddress(api, city), randomAddress(api, city)])
      if (!pickup || !drop) return
      const { offers } = await api.bookings.offers({ pickup, drop })
      const near = offers.filter((offer) => offer.nearby > 0)
      if (near.length === 0) return
      const { carType } = oneOf(near)
      // An empty wallet is the most common reason for a refusal.
      const byWallet = this.refused === 0 && chance(0.25)
      const isDelivery = this.world.category === 'delivery'
      const more = isDelivery ? await this.moreDrops() : []
      const request = {
        pickup,
        drop,
        car_type_id: carType.id,
        bookLater: false,
        payment_mode: byWallet ? 'wallet' : isDelivery ? 'card' : 'cash',
        ...(isDelivery && { instructionData: parcelFor(carType, more) }),
      } as const
      this.read(await client.idempotent('book', request, api.bookings.create))
      this.refused = 0
    } catch (error) {
      if (!isRefusal(error)) throw error
    } finally {
      if (!this.booking) {
        const pause = Math.min(longestRetryS, firstRetryS * 2 ** this.refused)
        this.refused += 1
        this.later(between(0.7, 1.3) * pause, () => this.book())
      }
    }
  }

  /** Some senders have several recipients. */
  private async moreDrops(): Promise<PlacePoint[]> {
    const count = chance(0.7) ? 0 : Math.ceil(Math.random() * 3)
    const { client, city } = this.world
    const found = await Promise.all(Array.from({ length: count }, () => randomAddress(client.api, city)))
    return found.filter((place) => place !== null)
  }

  private read(view: BookingView | null): void {
    const before = this.booking
    if (view && before && (view.id !== before.id || view.version <= before.version)) {
      if (view.rebooked_from !== before.id) return
    }
    this.booking = view && view.status !== 'COMPLETE' && view.status !== 'CANCELLED' ? view : null
    if (view?.otp) this.world.tripCodes.share(view.id, view.otp)
    for (const { n, code } of view?.delivery?.stops ?? []) {
      if (view && code) this.world.tripCodes.share(view.id, code, n)
    }
    if (before && !this.booking) {
      this.world.tripCodes.forget(before.id)
      this.later(between(...stayS), () => this.book())
    }
    if (view && view.status !== before?.status) this.react(view)
  }

  private react(view: BookingView): void {
    const { bookings } = this.world.client.api
    const id = view.id
    const line = lineFor('rider', view)
    if (line !== null) this.later(between(3, 9), () => say(this.world.client, id, line))
    if (view.status === 'PAYMENT_PENDING' && view.payment_mode === 'card') {
      this.later(between(5, 20), () => this.pay(id))
    }
    if (view.status === 'NEW' && chance(0.05)) this.send(between(2, 20), () => this.cancel(id))
    if (
      view.status === 'PENDING' &&
      view.commands.includes('pay_by_wallet') &&
      view.payment_mode === 'wallet'
    ) {
      this.send(between(3, 8), () => bookings.pay_by_wallet({ id }))
    }
    if (view.status === 'PAID') {
      this.send(between(4, 30), () =>
        chance(0.85) ? bookings.rate({ id, rating: chance(0.75) ? 5 : 4 }) : bookings.skip_rating({ id }),
      )
    }
  }

  /** Pays in advance; a sender who cannot gives the delivery up. */
  private async pay(id: string): Promise<void> {
    const { client, send } = this.world
    try {
      if (await payByCard(client, send, id)) return
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    this.send(1, () => client.api.bookings.cancel({ id, reason: 'cancelled incomplete booking' }))
  }

  /** Cancels with a listed reason, or with any text while no reasons are listed. */
  private async cancel(id: string): Promise<BookingView> {
    const { bookings, cancelReasons } = this.world.client.api
    const listed = await cancelReasons.list().catch(() => [])
    const reason = listed[Math.floor(Math.random() * listed.length)]?.label ?? 'Plans changed'
    return bookings.cancel({ id, reason })
  }

  private send(seconds: number, command: () => Promise<BookingView>): void {
    this.later(seconds, async () => {
      try {
        this.read(await command())
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    })
  }
}
