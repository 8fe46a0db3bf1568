import { z } from 'zod'
import { callProvider } from '../http.ts'
import { PaymentError } from '../port.ts'

export interface PayuService {
  url: string
  live: boolean
  apiLogin: string
  apiKey: string
}

const values = z.object({
  TX_VALUE: z.object({ value: z.coerce.number(), currency: z.string() }).optional(),
})

const transaction = z.object({
  id: z.string(),
  type: z.string().nullish(),
  transactionResponse: z.object({ state: z.string() }).nullish(),
  additionalValues: values.nullish(),
})
export type PayuTransaction = z.infer<typeof transaction>

const order = z.object({
  id: z.coerce.string(),
  status: z.string(),
  referenceCode: z.string(),
  isTest: z.boolean().nullish(),
  additionalValues: values.nullish(),
  transactions: z.array(transaction).nullish(),
})
export type PayuOrder = z.infer<typeof order>

const orders = z.object({
  code: z.string(),
  result: z.object({ payload: z.union([z.array(order), order]).nullish() }).nullish(),
})

const submitted = z.object({
  code: z.string(),
  error: z.string().nullish(),
  transactionResponse: z
    .object({
      state: z.string(),
      transactionId: z.string().nullish(),
      responseMessage: z.string().nullish(),
      responseCode: z.string().nullish(),
    })
    .nullish(),
})
export type PayuSubmitted = z.infer<typeof submitted>

const merchantOf = ({ apiLogin, apiKey }: PayuService) => ({ apiLogin, apiKey })

async function ask<Answer>(
  service: PayuService,
  part: 'reports-api' | 'payments-api',
  body: Record<string, unknown>,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const request = { language: 'en', merchant: merchantOf(service), test: !service.live, ...body }
  const { json } = await callProvider(`${service.url}/${part}/4.0/service.cgi`, {
    method: 'POST',
    body: request,
  })
  const read = schema.safeParse(json)
  if (!read.success) throw new PaymentError('unreadable response from payulatam', { permanent: false })
  return read.data
}

/** The orders with a reference: none before the payer has tried, several if an attempt was declined before. */
export async function ordersOf(service: PayuService, referenceCode: string): Promise<PayuOrder[]> {
  const command = 'ORDER_DETAIL_BY_REFERENCE_CODE'
  const { code, result } = await ask(service, 'reports-api', { command, details: { referenceCode } }, orders)
  // The error text may repeat the request, so it is not included.
  if (code !== 'SUCCESS') throw new PaymentError('payulatam refused the query', { permanent: false })
  return [result?.payload ?? []].flat()
}

/** Requests a refund. */
export async function submitRefund(
  service: PayuService,
  transactionToSubmit: Record<string, unknown>,
): Promise<PayuSubmitted> {
  const body = { command: 'SUBMIT_TRANSACTION', transaction: transactionToSubmit }
  return ask(service, 'payments-api', body, submitted)
}
