import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { type Account, enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow, type WindowOptions } from './harness/browser.ts'
import { words } from './harness/category.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '4', DEMO_RIDERS: '0' })
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a page as a signed-in account, runs `work`, and expects no console errors. */
async function as(
  account: Account,
  path: string,
  work: (page: Page) => Promise<void>,
  look: Partial<WindowOptions> = {},
  inside = browser,
) {
  const { context, page, problems } = await openWindow(inside, { url: server.url, ...look })
  await enterAs(context, account)
  try {
    await page.goto(path)
    await work(page)
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor(patience)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

describe('back-office shell', { timeout: 300_000 }, () => {
  it('fleet admin -> only the pages of a fleet admin', async () => {
    await as('fleet', '/dashboard', async (page) => {
      await heading(page, 'Dashboard')
      const names = await menuOf(page).getByRole('link').allTextContents()
      expect(names).toEqual([
        'Home',
        'Dashboard',
        'Safety',
        'Operations',
        words('Booking history'),
        words('Drivers'),
        'Earnings reports',
        'Profile',
      ])
      await menuOf(page).getByRole('button', { name: 'Sign out' }).waitFor()
      await page.goto('/riders')
      await page.waitForURL((url) => url.pathname === '/login')
    })
  })

  it("menu -> opens the page's group, remembers it, and can be hidden", async () => {
    await as('admin', '/riders', async (page) => {
      const riders = menuOf(page).getByRole('link', { name: words('Riders') })
      await riders.waitFor(patience)
      await expect.poll(() => riders.getAttribute('aria-current'), patience).toBe('page')
      const wallet = menuOf(page).getByRole('button', { name: 'Wallet' })
      expect(await wallet.getAttribute('aria-expanded')).toBe('false')
      await wallet.click()
      await page.reload()
      await menuOf(page).getByRole('link', { name: 'Withdrawals' }).waitFor(patience)
      await page.getByRole('button', { name: 'Hide menu' }).click()
      await page.reload()
      await page.getByRole('button', { name: 'Show menu' }).waitFor(patience)
      expect(await menuOf(page).count()).toBe(0)
    })
  })

  it('command palette -> finds a booking by its code by keyboard; pages by two letters', async () => {
    const admin = await callAs(server.url, 'admin')
    const { items } = await admin.bookings.list({ limit: 1 })
    const [booking] = items
    if (!booking) throw new Error('the demo has no bookings')
    await as('admin', '/dashboard', async (page) => {
      await heading(page, 'Dashboard')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: /Search pages/ })
      await field.waitFor(patience)
      await page.keyboard.type(booking.booking_id.toLowerCase())
      await page.getByRole('option', { name: new RegExp(booking.booking_id) }).waitFor(patience)
      expect(await findBarriers(page)).toEqual([])
      await takePicture(page, 'palette-booking')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === `/trip/${booking.id}`)

      await page.keyboard.press('Control+k')
      const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option').first()
      await recent.waitFor(patience)
      expect(await recent.textContent()).toContain(booking.booking_id)
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'detached' })

      await page.keyboard.press('?')
      const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await shortcuts.waitFor(patience)
      expect(await findBarriers(page)).toEqual([])
      await page.keyboard.press('Escape')
      await shortcuts.waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('d')
      await page.waitForURL((url) => url.pathname === '/dashboard')
    })
  })

  it('phone -> menu is a drawer that traps the focus and returns it', async () => {
    const phone = { phone: true } as const
    await as(
      'admin',
      '/dashboard',
      async (page) => {
        await heading(page, 'Dashboard')
        const opener = page.getByRole('button', { name: 'Open menu' })
        await opener.click()
        const drawer = page.getByRole('dialog', { name: 'Menu' })
        await drawer.waitFor(patience)
        expect(await findBarriers(page)).toEqual([])
        await takePicture(page, 'shell-drawer')
        for (let stop = 0; stop < 30; stop++) await page.keyboard.press('Tab')
        expect(
          await page.evaluate(() => document.querySelector('[data-modal]')?.contains(document.activeElement)),
        ).toBe(true)
        await page.keyboard.press('Escape')
        await drawer.waitFor({ state: 'detached' })
        await expect.poll(() => focused(page), patience).toBe('Open menu')
        await opener.click()
        await drawer.getByRole('link', { name: words('Booking history') }).click()
        await page.waitForURL((url) => url.pathname === '/bookings')
        await expect.poll(() => drawer.count(), patience).toBe(0)
      },
      phone,
    )
  })

  it('dashboard -> active drivers on the map and in the list; a figure links to its bookings', async () => {
    const drawing = await openBrowser({ graphics: true })
    const work = async (page: Page) => {
      const drivers = page.getByRole('list', { name: words('Drivers online') }).getByRole('button')
      await drivers.first().waitFor(patience)
      await expect.poll(() => drivers.count(), patience).toBe(4)
      const map = page.getByRole('region', { name: words('Map of online drivers') })
      // The map opens on most of the drivers; one far from the others is in sight once it is chosen.
      for (let n = 0; n < 4; n++) {
        await drivers.nth(n).click()
        const name = String(await drivers.nth(n).locator('bdi').first().textContent())
        await map.getByText(name, { exact: true }).waitFor(patience)
      }
      expect(await findBarriers(page)).toEqual([])
      expect(await sidewaysScroll(page)).toBe(0)
      await takePicture(page, 'dashboard')
      await page.getByRole('link', { name: /Total booking fees/ }).click()
      await page.waitForURL(({ pathname, searchParams }) => {
        return pathname === '/bookings' && searchParams.get('status') === 'PAID,COMPLETE'
      })
    }
    try {
      await as('admin', '/dashboard', work, {}, drawing)
    } finally {
      await drawing.close()
    }
  })
})

it('open menu and popover -> no violations; Tab never stops at a focus guard', async () => {
  await as('admin', '/drivers', async (page) => {
    const isAtGuard = () =>
      page.evaluate(() => document.activeElement?.hasAttribute('data-base-ui-focus-guard') ?? false)
    const openers = [
      { opener: page.getByRole('button', { name: /^Actions for/ }).first(), box: page.getByRole('menu') },
      { opener: page.getByRole('button', { name: 'Columns' }), box: page.getByRole('dialog') },
    ]
    for (const { opener, box } of openers)
      for (const key of ['Tab', 'Shift+Tab']) {
        await opener.click()
        await box.waitFor(patience)
        expect(await findBarriers(page)).toEqual([])
        for (let stop = 0; stop < 12; stop++) {
          await page.keyboard.press(key)
          await expect.poll(isAtGuard, patience).toBe(false)
        }
        await page.keyboard.press('Escape')
        await box.waitFor({ state: 'detached' })
      }
  })
})

it('modal on a phone: closed by Esc, Back or a link -> one Back leaves the page', async () => {
  const { context, page, problems } = await openWindow(browser, { url: server.url, phone: true })
  try {
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    const openDrawer = async () => {
      await page.getByRole('button', { name: 'Menu' }).click()
      await drawer.waitFor(patience)
    }
    const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
    /** The URL changes before the page, whose shell has a menu of its own. */
    const isHome = async () => {
      await isAt('/')
      await page.getByRole('heading', { level: 1, name: 'About us' }).waitFor({ state: 'detached' })
    }
    /** Waits until the drawer is closed and the current history entry is the page's own. */
    const closed = async () => {
      await drawer.waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate(() => history.state.modals?.depth ?? 0), patience).toBe(0)
    }

    await page.goto('/about-us')
    await openDrawer()
    await drawer.getByRole('link', { name: 'Home' }).click()
    await isHome()
    await closed()
    await openDrawer()
    await page.keyboard.press('Escape')
    await closed()
    await page.goBack()
    await isAt('/about-us')
    await closed()

    await page.goForward()
    await isHome()
    await openDrawer()
    await page.goBack()
    await closed()
    await isAt('/')
    await openDrawer()
    await drawer.getByRole('link', { name: 'About us' }).click()
    await isAt('/about-us')
    await page.goBack()
    await isAt('/')
    await closed()
    await page.goBack()
    await isAt('/about-us')
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
})
