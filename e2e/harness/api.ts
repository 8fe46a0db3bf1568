import { createClient } from '@hansom/client/client'
import type { ApiClient } from '@hansom/client/rest-link'
import { type Account, accounts } from './accounts.ts'

/** Signs in with a demo account; returns its calls. */
export async function callAs(url: string, account: Account): Promise<ApiClient> {
  const client = createClient({ url })
  await client.signIn(accounts[account], 'demo2026')
  return client.api
}
