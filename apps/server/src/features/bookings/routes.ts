import type { Person } from '@hansom/domain/access/relation'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SignedInContext } from '../../platform/http/request-context.ts'
import type { CommandRequest } from './commands.ts'
import type { BookingsService } from './service.ts'
import type { BookingWithRequests } from './view.ts'

export function bookingsRoutes(os: Os, bookings: BookingsService) {
  const { commands } = bookings
  const person = ({ viewer }: SignedInContext): Person => ({ id: viewer.uid, usertype: viewer.role })
  const order = (context: SignedInContext, id: string): CommandRequest => ({
    person: person(context),
    id,
    key: context.idempotencyKey,
  })
  const shown = async (context: SignedInContext, record: Promise<BookingWithRequests>) =>
    bookings.view(person(context), await record)

  return {
    offers: os.bookings.offers.handler(({ input }) =>
      bookings.offers(input.pickup, input.drop, input.payment_mode),
    ),
    estimate: os.bookings.estimate.handler(({ input }) => bookings.estimate(input)),

    create: os.bookings.create
      .use(signedIn)
      .handler(({ context, input }) =>
        shown(context, bookings.create(person(context), input, context.idempotencyKey)),
      ),
    list: os.bookings.list
      .use(signedIn)
      .handler(({ context, input }) => bookings.list(person(context), input)),
    count: os.bookings.count
      .use(signedIn)
      .handler(({ context, input }) => bookings.count(person(context), input)),
    get: os.bookings.get
      .use(signedIn)
      .handler(({ context, input }) => shown(context, bookings.get(person(context), input.id))),
    outstanding: os.bookings.outstanding
      .use(signedIn)
      .handler(({ context }) => bookings.outstanding(person(context))),
    events: os.bookings.events
      .use(signedIn)
      .handler(({ context, input }) => bookings.events(person(context), input.id)),
    cancellation: os.bookings.cancellation
      .use(signedIn)
      .handler(({ context, input }) => bookings.cancellation(person(context), input.id)),

    accept: os.bookings.accept
      .use(signedIn)
      .handler(({ context, input }) => shown(context, commands.accept(order(context, input.id)))),
    decline: os.bookings.decline.use(signedIn).handler(async ({ context, input }) => {
      await commands.decline(order(context, input.id))
      return { ok: true as const }
    }),
    arrive: os.bookings.arrive
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.arrive(order(context, id), body)),
      ),
    start: os.bookings.start
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.start(order(context, id), body)),
      ),
    reach: os.bookings.reach
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.reach(order(context, id), body)),
      ),
    close: os.bookings.close
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.close(order(context, id), body)),
      ),
    object: os.bookings.object
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.object(order(context, id), body)),
      ),
    decide_objection: os.bookings.decide_objection
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.decideObjection(order(context, id), body)),
      ),
    confirm_cash: os.bookings.confirm_cash
      .use(signedIn)
      .handler(({ context, input }) => shown(context, commands.confirmCash(order(context, input.id)))),
    pay_by_wallet: os.bookings.pay_by_wallet
      .use(signedIn)
      .handler(({ context, input }) => shown(context, commands.payByWallet(order(context, input.id)))),
    choose_payment: os.bookings.choose_payment
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.choosePayment(order(context, id), body)),
      ),
    cancel: os.bookings.cancel
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.cancel(order(context, id), body)),
      ),
    rate: os.bookings.rate
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.rate(order(context, id), body)),
      ),
    skip_rating: os.bookings.skip_rating
      .use(signedIn)
      .handler(({ context, input }) => shown(context, commands.skipRating(order(context, input.id)))),
    rate_rider: os.bookings.rate_rider
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.rateRider(order(context, id), body)),
      ),
    assign_driver: os.bookings.assign_driver
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.assignDriver(order(context, id), body)),
      ),
    write_off: os.bookings.write_off
      .use(signedIn)
      .handler(({ context, input: { id, ...body } }) =>
        shown(context, commands.writeOff(order(context, id), body)),
      ),
  }
}
