import { z } from 'zod'
import { callProvider } from '../http.ts'
import { PaymentError } from '../port.ts'
import { checksumOf } from './checksum.ts'

const answer = z.object({
  body: z.object({
    resultInfo: z.object({
      resultStatus: z.string(),
      resultCode: z.string().nullish(),
      resultMsg: z.string().nullish(),
    }),
    txnToken: z.string().nullish(),
    mid: z.string().nullish(),
    orderId: z.string().nullish(),
    txnId: z.string().nullish(),
    txnAmount: z.string().nullish(),
    refundId: z.string().nullish(),
    refundAmt: z.string().nullish(),
  }),
})
export type PaytmResponse = z.infer<typeof answer>['body']

/** Sends one request to Paytm. The signed text is exactly the sent text. Throws PaymentError. */
export async function callPaytm(url: string, content: object, merchantKey: string): Promise<PaytmResponse> {
  const body = JSON.stringify(content)
  const head = JSON.stringify({ signature: checksumOf(body, merchantKey) })
  const { json } = await callProvider(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"head":${head},"body":${body}}`,
  })
  const read = answer.safeParse(json)
  if (!read.success) throw new PaymentError('unreadable response from paytm', { permanent: false })
  return read.data.body
}

/** Paytm's result message, for admins. */
export function resultMessageOf({ resultInfo }: PaytmResponse): string {
  const { resultStatus, resultCode, resultMsg } = resultInfo
  return `paytm: ${[resultCode, resultMsg ?? resultStatus].filter(Boolean).join(' ')}`.slice(0, 200)
}
