import { type SocialProviders, startSocialProviders } from '@hansom/doubles/social-providers'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { changeSettings } from './harness/database.ts'
import { press, pressOn, write } from './harness/keyboard.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let providers: SocialProviders
let server: RunningServer
let browser: Browser
const windows: BrowserContext[] = []
const pageErrors: string[] = []

beforeAll(async () => {
  providers = await startSocialProviders()
  const { facebook, apple } = providers
  server = await startServer({
    DEMO_DRIVERS: '0',
    DEMO_RIDERS: '0',
    FACEBOOK_CLIENT_ID: facebook.clientId,
    FACEBOOK_CLIENT_SECRET: facebook.clientSecret,
    FACEBOOK_DIALOG_URL: facebook.dialogUrl,
    FACEBOOK_GRAPH_URL: facebook.graphUrl,
    APPLE_CLIENT_ID: apple.clientId,
    APPLE_TEAM_ID: apple.teamId,
    APPLE_KEY_ID: apple.keyId,
    APPLE_PRIVATE_KEY: apple.privateKey,
    APPLE_URL: apple.url,
  })
  await changeSettings(server, { FacebookLoginEnabled: true, AppleLoginEnabled: true })
  await vi.waitUntil(async () => (await signInMethods()).facebook, patience)
  browser = await openBrowser()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await providers?.close()
})

// A map that is drawn in an unused window slows down the others.
afterEach(() => Promise.all(windows.splice(0).map((window) => window.close())))

const signInMethods = async () =>
  (await (await fetch(`${server.url}/api/v1/sign-in/ways`)).json()) as { facebook: boolean }

async function open(path: string): Promise<Page> {
  const { context, page } = await openWindow(browser, { url: server.url })
  windows.push(context)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await page.goto(path)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
  return page
}

const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path, patience)
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** From the login page to the provider, and through its consent button. */
async function continueWith(page: Page, provider: 'Facebook' | 'Apple'): Promise<void> {
  await pressOn(page.getByRole('link', { name: `Continue with ${provider}` }))
  await pressOn(button(page, 'Go on'))
}

/** The link in the newest message of a kind to a recipient. */
async function linkIn(kind: string, to: string): Promise<string> {
  const admin = await callAs(server.url, 'admin')
  const messages = await admin.mailbox.list({ channel: 'mail' })
  const text = messages.find((message) => message.kind === kind && message.to === to)?.text ?? ''
  return /https?:\/\/\S+/.exec(text)?.[0] ?? `no link for ${to} in: ${JSON.stringify(messages)}`
}

it.each([
  ['Facebook', 'wren'],
  ['Apple', 'robin'],
] as const)('sign-in with %s -> account created, then recognized', async (provider, name) => {
  const email = `${name}@people.test`
  providers.browserPerson = {
    id: `${provider}-${name}`,
    email,
    emailVerified: true,
    firstName: 'Wren',
    lastName: 'Sea',
  }
  const page = await open('/login')
  await continueWith(page, provider)
  await at(page, '/login')
  await page.getByText('You’re signed in', { exact: false }).first().waitFor(patience)
  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue(), patience).toBe(email)
  await pressOn(button(page, 'Continue'))
  await at(page, '/')

  const again = await open('/login?next=/profile')
  await continueWith(again, provider)
  await pressOn(button(again, 'Continue'))
  await at(again, '/profile')
  await expect.poll(() => again.getByRole('textbox', { name: 'Email' }).inputValue(), patience).toBe(email)
})

it('sign-in declined at the provider -> error message, and the page stays usable', async () => {
  const page = await open('/login')
  await pressOn(page.getByRole('link', { name: 'Continue with Facebook' }))
  await pressOn(page.getByRole('link', { name: 'Not now' }))
  await page.getByRole('main').getByRole('alert').waitFor(patience)
  await field(page, 'Email').waitFor(patience)
})

it('email of an account with a password, unverified by the provider -> refused', async () => {
  providers.browserPerson = { id: 'stranger', email: 'rider@demo.test', emailVerified: false }
  const page = await open('/login')
  await continueWith(page, 'Facebook')
  await page.getByRole('main').getByRole('alert').waitFor(patience)
})

it('new email -> takes effect once its link is opened', async () => {
  providers.browserPerson = {
    id: 'linnet',
    email: 'linnet@people.test',
    emailVerified: true,
    firstName: 'Linn',
    lastName: 'Et',
  }
  const page = await open('/login?next=/profile')
  await continueWith(page, 'Apple')
  await pressOn(button(page, 'Continue'))
  await at(page, '/profile')
  await write(page.getByRole('textbox', { name: 'Email' }), 'linnet.new@people.test')
  await pressOn(button(page, 'Save'))
  await page.getByText(/Open the link we sent to .?linnet\.new@people\.test/).waitFor(patience)

  const link = await linkIn('change_email', 'linnet.new@people.test')
  const elsewhere = await open(link)
  await at(elsewhere, '/login')
  const followed = await page.context().newPage()
  await followed.goto(link)
  await pressOn(button(followed, 'Use this email'))
  await followed.getByText('Your account now uses the new email.').waitFor(patience)
  await page.reload()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue(), patience)
    .toBe('linnet.new@people.test')
})

it('user added by an admin -> sets a password by the invitation, once', async () => {
  const admin = await callAs(server.url, 'admin')
  const email = 'invited@people.test'
  await admin.users.create({
    usertype: 'fleetadmin',
    firstName: 'Fin',
    lastName: 'Ch',
    email,
  })
  const link = await linkIn('invitation', email)

  const page = await open(link)
  await write(page.getByLabel('New password', { exact: true }), 'branch2026')
  await pressOn(button(page, 'Set password'))
  await page.getByText('Your account is ready.', { exact: false }).waitFor(patience)
  const used = await open(link)
  await write(used.getByLabel('New password', { exact: true }), 'stolen2026')
  await pressOn(button(used, 'Set password'))
  await used.getByText('This link was already used or has expired.', { exact: false }).waitFor(patience)

  const login = await open('/login')
  await write(field(login, 'Email'), email)
  await write(login.getByLabel('Password', { exact: true }), 'branch2026')
  await press(login, 'Enter')
  await login.waitForURL((url) => url.pathname !== '/login', patience)
})

it('all windows: no page errors', () => {
  expect(pageErrors).toEqual([])
})
