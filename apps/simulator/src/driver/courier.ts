import { isRefusal } from '@hansom/client/api-error'
import type { Client } from '@hansom/client/client'
import type { BookingView } from '@hansom/contract/bookings'
import { type DropFailure, labelText } from '@hansom/domain/deliveries/delivery'
import { chance } from '../city/random.ts'
import { type SignedInFetch, uploadImage } from '../city/signed-in-fetch.ts'
import { drawPhoto } from './draw-photo.ts'
import type { TripCodeExchange } from './trip-code-exchange.ts'

type Stop = NonNullable<BookingView['delivery']>['stops'][number]

interface CourierContext {
  client: Client
  tripCodes: TripCodeExchange
  send: SignedInFetch
}

/** What a simulated driver does at the stops of a delivery: photos, codes, and now and then no one is there. */
export class Courier {
  private readonly world: CourierContext
  /** Why the parcel of a stop cannot be handed over, with whether the photo of the place is uploaded; see `visit`. */
  private readonly failing = new Map<string, { reason: DropFailure; isShown: boolean }>()

  constructor(world: CourierContext) {
    this.world = world
  }

  /** Starts a trip; collects the parcel of a delivery. */
  async start({ id, booking_id, delivery }: BookingView, otp: string | undefined): Promise<BookingView> {
    if (!delivery) return this.world.client.api.bookings.start({ id, otp })
    await this.upload(`/api/v1/bookings/${id}/pickup_image`)
    const { collect } = delivery.stops[0] ?? { collect: null }
    const scan = labelText(booking_id, 1)
    return this.world.client.api.bookings.start({ id, otp, scan, ...(collect !== null && { cash: collect }) })
  }

  /** Hands a parcel over, or reports why not. Refused with wait_at_stop while the courier has to wait there. */
  async visit(booking: BookingView, { n, kind, person, code_needed, collect }: Stop): Promise<BookingView> {
    const { bookings } = this.world.client.api
    const { id, booking_id, delivery } = booking
    const isLastDrop = delivery?.stops.findLast((one) => one.kind === 'drop')?.n === n
    const path = `/api/v1/bookings/${id}`
    const image = isLastDrop ? `${path}/deliver_image` : `${path}/stops/${n}/deliver_image`
    const failed = this.failing.get(image)
    if (failed || (kind === 'drop' && chance(0.05))) {
      const reason: DropFailure = chance(0.7) ? 'no_one_there' : 'refused'
      const failure = failed ?? { reason, isShown: false }
      this.failing.set(image, failure)
      if (!failure.isShown) await this.upload(image)
      failure.isShown = true
      const view = await bookings.fail_drop({ id, stop: n, reason: failure.reason })
      this.failing.delete(image)
      return view
    }
    await this.upload(image)
    const step = {
      id,
      stop: n,
      name: person ?? '',
      ...(kind === 'drop' && { scan: labelText(booking_id, n) }),
      ...(collect !== null && { cash: collect }),
      ...(code_needed && { code: this.world.tripCodes.codeOf(id, n) }),
    }
    try {
      return await bookings.deliver(step)
    } catch (error) {
      if (!isRefusal(error) || error.key !== 'proof_needed') throw error
      await this.upload(`${path}/stops/${n}/signature`)
      return bookings.deliver(step)
    }
  }

  private upload(path: string): Promise<void> {
    return uploadImage(this.world.send, path, drawPhoto(Math.random))
  }
}
