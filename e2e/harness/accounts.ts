import type { BrowserContext, Page } from 'playwright-core'

/** The demo accounts. */
export const accounts = {
  rider: 'rider@demo.test',
  driver: 'driver@demo.test',
  fleet: 'fleet@demo.test',
  admin: 'admin@demo.test',
} as const
export type Account = keyof typeof accounts

/** Fills and submits the open sign-in page like a user. */
export async function fillSignIn(page: Page, email: string, password = 'demo2026'): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Home page of each account after sign-in. */
const homes = { rider: '/', driver: '/bookings', fleet: '/dashboard', admin: '/dashboard' } as const

/**
 * Signs a browser context in with a demo account, without changing its page. The sign-in page has separate journeys.
 */
export async function enterAs(context: BrowserContext, account: Account): Promise<void> {
  const { origin } = new URL((await context.request.get('/healthz')).url())
  const answer = await context.request.post('/api/auth/sign-in/email', {
    headers: { origin },
    data: { email: accounts[account], password: 'demo2026' },
  })
  if (!answer.ok()) throw new Error(`${account} cannot sign in: ${await answer.text()}`)
}

/** Signs in and opens the account's home page. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await enterAs(page.context(), account)
  await page.goto(homes[account])
}
