import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { PaymentsService } from './service.ts'

export function paymentsRoutes({ payments: os }: Os, payments: PaymentsService) {
  return {
    order: os.order.use(signedIn).handler(({ context, input }) => payments.order(context.actor, input.order)),
    topUp: os.topUp.use(signedIn).handler(async ({ context, input }) => ({
      order: await payments.topUp(context.actor, input.amount, context.idempotencyKey),
    })),
    show: os.show
      .use(signedIn)
      .handler(({ context, input }) => payments.show(context.actor.id, input.payment)),
    complete: os.complete
      .use(signedIn)
      .handler(({ context, input }) => payments.complete(context.actor.id, input.payment, input.input)),
    giveUp: os.giveUp
      .use(signedIn)
      .handler(({ context, input }) => payments.giveUp(context.actor.id, input.payment)),
    ofBooking: os.ofBooking.use(signedIn).handler(async ({ context, input }) => ({
      items: await payments.ofBooking(context.actor, input.id),
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
