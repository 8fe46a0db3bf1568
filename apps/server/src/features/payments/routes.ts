import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SignedInContext } from '../../platform/http/request-context.ts'
import type { PaymentsService } from './service.ts'

const personOf = ({ viewer }: SignedInContext) => ({ id: viewer.uid, usertype: viewer.role })

export function paymentsRoutes({ payments: os }: Os, payments: PaymentsService) {
  return {
    order: os.order
      .use(signedIn)
      .handler(({ context, input }) => payments.order(personOf(context), input.order)),
    topUp: os.topUp.use(signedIn).handler(async ({ context, input }) => ({
      order: await payments.topUp(personOf(context), input.amount, context.idempotencyKey),
    })),
    show: os.show
      .use(signedIn)
      .handler(({ context, input }) => payments.show(context.viewer.uid, input.payment)),
    complete: os.complete
      .use(signedIn)
      .handler(({ context, input }) => payments.complete(context.viewer.uid, input.payment, input.input)),
    giveUp: os.giveUp
      .use(signedIn)
      .handler(({ context, input }) => payments.giveUp(context.viewer.uid, input.payment)),
    ofBooking: os.ofBooking.use(signedIn).handler(async ({ context, input }) => ({
      items: await payments.ofBooking(personOf(context), input.id),
    })),
    services: os.services.handler(() => payments.services()),
    list: os.list.handler(({ input }) => payments.page(input)),
    count: os.count.handler(({ input }) => payments.count(input)),
  }
}

/** The list of providers at its old path. */
export function providersFunction({ functions }: Os, payments: Pick<PaymentsService, 'providers'>) {
  return { getProviders: functions.getProviders.handler(() => payments.providers()) }
}
