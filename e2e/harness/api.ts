import { type Account, accounts } from './people.ts'

/** A signed-in API client. */
export interface Caller {
  token: string
  /** Calls a path of the API; throws with the response body on an error status. */
  call<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer>
}

/** Signs in to the API with a demo account. */
export async function callAs(url: string, account: Account): Promise<Caller> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: accounts[account], password: 'demo2026' }),
  })
  if (!answer.ok) throw new Error(`${account} cannot sign in: ${await answer.text()}`)
  const { token } = (await answer.json()) as { token: string }
  return {
    token,
    call: async <Answer>(method: 'GET' | 'POST', path: string, body?: unknown) => {
      const reply = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
      return JSON.parse(text) as Answer
    },
  }
}
