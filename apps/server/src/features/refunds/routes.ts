import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { PaymentsService } from '../payments/service.ts'
import type { RefundsService } from './service.ts'

export function refundsRoutes(
  { refunds: os }: Os,
  refunds: RefundsService,
  payments: Pick<PaymentsService, 'settleMismatch'>,
) {
  return {
    ofBooking: os.ofBooking.handler(({ input }) => refunds.ofBooking(input.id)),
    ofPayment: os.ofPayment.handler(({ input }) => refunds.ofPayment(input.payment)),
    ask: os.ask
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        refunds.ask(viewer.uid, input, idempotencyKey),
      ),
    settle: os.settle
      .use(signedIn)
      .handler(({ context: { viewer }, input }) => refunds.settle(viewer.uid, input.id, input.outcome)),
    record: os.record
      .use(signedIn)
      .handler(({ context: { viewer, idempotencyKey }, input }) =>
        refunds.record(viewer.uid, input, idempotencyKey),
      ),
    setFee: os.setFee
      .use(signedIn)
      .handler(({ context: { viewer }, input }) => refunds.setFee(viewer.uid, input)),
    settlePayment: os.settlePayment
      .use(signedIn)
      .handler(({ context: { viewer }, input }) =>
        payments.settleMismatch(viewer.uid, input.payment, input.outcome),
      ),
    list: os.list.handler(({ input }) => refunds.page(input)),
    count: os.count.handler(({ input }) => refunds.count(input)),
  }
}
