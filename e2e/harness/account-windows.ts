import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openBrowser, openWindow } from './browser.ts'
import { changeSettings } from './database.ts'
import { press, write } from './keyboard.ts'
import { patience } from './patience.ts'
import { type RunningServer, startServer } from './running-server.ts'

/** A server without simulated people, a browser, and the admin's mailbox with the messages to users. */
export class AccountWindows {
  readonly server: RunningServer
  readonly browser: Browser
  /** Page errors of all windows. */
  readonly pageErrors: string[] = []
  #mailbox: Page | undefined

  private constructor(server: RunningServer, browser: Browser) {
    this.server = server
    this.browser = browser
  }

  static async start(settings: Record<string, unknown>): Promise<AccountWindows> {
    const server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
    await changeSettings(server, settings)
    const windows = new AccountWindows(server, await openBrowser())
    const { page } = await windows.open('/login?next=/mailbox')
    await signInByForm(page, 'admin@demo.test', 'demo2026')
    await page.getByRole('heading', { name: 'Mailbox' }).waitFor(patience)
    windows.#mailbox = page
    return windows
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.server.close()
  }

  get mailbox(): Page {
    if (this.#mailbox === undefined) throw new Error('the mailbox is not open yet')
    return this.#mailbox
  }

  /** Opens a page in a new window. */
  async open(
    path: string,
    options: { phone?: boolean } = {},
  ): Promise<{ page: Page; context: BrowserContext }> {
    const window = await openWindow(this.browser, { url: this.server.url, ...options })
    window.page.on('pageerror', (error) => this.pageErrors.push(error.message))
    await window.page.goto(path)
    await window.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
    return window
  }

  /** The newest message of a kind to a recipient, on the mailbox page. */
  async message(kind: string, to: string): Promise<Locator> {
    const card = this.mailbox.locator(`li[data-kind="${kind}"]`).filter({ hasText: to }).first()
    await card.waitFor(patience)
    return card
  }

  /** Opens the link of a message in a new window. */
  async followLink(kind: string, to: string): Promise<Page> {
    const href = await (await this.message(kind, to)).getByRole('link').getAttribute('href')
    return (await this.open(href ?? '')).page
  }

  /** A picture to upload. */
  picture(): Promise<Buffer> {
    return this.mailbox.screenshot({ type: 'png' })
  }
}

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
export const link = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true })
/** Waits for the path, with any query. */
export const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path, patience)

export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  await write(field(page, 'Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await press(page, 'Enter')
}

/** Waits for the form's error message. */
export async function expectAlert(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('main').getByRole('alert').filter({ hasText: text }).waitFor(patience)
}
