const longestMs = 10_000

/**
 * Fetches a provider's response as JSON; follows no redirect. Throws on an error status, a timeout, or a body that is
 * not an object.
 */
export async function fetchJson(
  address: string | URL,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(longestMs),
  })
  if (!answer.ok) throw new Error(`the provider responded with status ${answer.status}`)
  const body: unknown = await answer.json()
  if (typeof body !== 'object' || body === null) throw new Error('the provider response is not an object')
  return body as Record<string, unknown>
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
