import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { ReceiptsService } from './service.ts'

export function receiptsRoutes({ receipts: os }: Os, receipts: ReceiptsService) {
  return {
    show: os.show.use(signedIn).handler(({ context: { viewer }, input }) => receipts.show(viewer, input.id)),
    mail: os.mail.use(signedIn).handler(async ({ context: { viewer, idempotencyKey }, input }) => ({
      to: await receipts.mail(viewer, input.id, idempotencyKey),
    })),
  }
}
