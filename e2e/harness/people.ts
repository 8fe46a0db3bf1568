import type { Page } from 'playwright-core'

/** The demo's own accounts. */
export const accounts = {
  rider: 'rider@demo.test',
  driver: 'driver@demo.test',
  fleet: 'fleet@demo.test',
  admin: 'admin@demo.test',
} as const
export type Account = keyof typeof accounts

/** Fills the sign-in page that is open, as a person does. */
export async function fillSignIn(page: Page, email: string, password = 'demo2026'): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in at the sign-in page and waits until it has been left. */
export async function signIn(page: Page, account: Account): Promise<void> {
  await page.goto('/login')
  await fillSignIn(page, accounts[account])
  await page.waitForURL((url) => url.pathname !== '/login')
}
