import { z } from 'zod'
import { callProvider, type ProviderRequest, type ProviderResponse } from '../http.ts'
import { PaymentError } from '../port.ts'

const grant = z.object({ access_token: z.string(), expires_in: z.number() })

const problem = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
})

/**
 * Calls PayPal's API with the account's credentials. 4xx responses are returned, except 401 and 403, which throw
 * PaymentError.
 */
export type CallPaypal = (path: string, question?: ProviderRequest) => Promise<ProviderResponse>

/** Calls the API with an access token, which is fetched on demand and cached until shortly before it expires. */
export function paypalApi(account: { url: string; clientId: string; clientSecret: string }): CallPaypal {
  const { url, clientId, clientSecret } = account
  let cached: Promise<{ token: string; until: number }> | null = null

  const fetchToken = async () => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = await callProvider(`${url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const read = grant.safeParse(answer.json)
    if (!read.success) throw refusalError('the access token', answer)
    return { token: read.data.access_token, until: performance.now() + (read.data.expires_in - 60) * 1000 }
  }
  const token = async (): Promise<string> => {
    const current = await cached?.catch(() => null)
    if (current && current.until > performance.now()) return current.token
    cached = fetchToken()
    return (await cached).token
  }
  const askOnce = async (path: string, question: ProviderRequest): Promise<ProviderResponse> =>
    callProvider(`${url}${path}`, {
      ...question,
      headers: { ...question.headers, authorization: `Bearer ${await token()}` },
    })

  return async (path, question = {}) => {
    let answer = await askOnce(path, question)
    if (answer.status === 401) {
      // The token was revoked early.
      cached = null
      answer = await askOnce(path, question)
    }
    if (answer.status === 401 || answer.status === 403) throw refusalError('the account', answer)
    return answer
  }
}

/** The vendor's error code, such as ORDER_NOT_APPROVED. */
export function issueOf({ json }: ProviderResponse): string {
  const read = problem.safeParse(json)
  return (read.success && (read.data.details?.[0]?.issue ?? read.data.name)) || 'no reason'
}

export function refusalError(what: string, answer: ProviderResponse): PaymentError {
  return new PaymentError(`paypal refused ${what}: ${answer.status} ${issueOf(answer)}`, { permanent: true })
}
