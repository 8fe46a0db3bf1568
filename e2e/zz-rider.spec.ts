import { afterAll, beforeAll, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { choosePlace } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { callAs } from './harness/api.ts'
import { signIn } from './harness/people.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'
let server: RunningServer, browser: Browser
beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '40', DEMO_SPEED: '5' })
  browser = await openBrowser({ graphics: true })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
const dir = '/tmp/hw/rider-pics'
const shot = (page: Page, name: string) =>
  page
    .screenshot({ path: `${dir}/${name}.png`, timeout: 120_000 })
    .catch((e) => console.log(name, String(e).slice(0, 200)))
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))
const step = async (name: string, run: () => Promise<void>) => {
  try {
    await run()
  } catch (e) {
    console.log('FAILED', name, String(e).slice(0, 600))
  }
}
it('looks', { timeout: 1_200_000 }, async () => {
  for (const [phone, dark, locale] of [
    [true, false, 'en'],
    [false, true, 'ar'],
    [false, false, 'en'],
    [true, true, 'ar'],
  ] as const) {
    const tag = `${phone ? 'phone' : 'desk'}-${dark ? 'dark' : 'light'}-${locale}`
    await step(tag, async () => {
      const { page, context, problems } = await openWindow(browser, { url: server.url, phone, dark, locale })
      const from = page.getByRole('combobox').nth(0),
        to = page.getByRole('combobox').nth(1)
      await page.goto('/')
      await page.mouse.move(5, 5)
      await wait(6000)
      await shot(page, `${tag}-01-landing`)
      await from.click()
      await from.fill('rambla republica del peru 1234')
      await page.getByRole('option').first().waitFor()
      await wait(600)
      await shot(page, `${tag}-02-number`)
      await page.keyboard.press('Enter')
      await wait(1200)
      await shot(page, `${tag}-03-to-next`)
      await page.keyboard.type('aeropuerto', { delay: 20 })
      await wait(1500)
      await shot(page, `${tag}-04-airport`)
      await page.keyboard.press('Enter')
      await wait(7000)
      await shot(page, `${tag}-05-fares`)
      await context.setOffline(true)
      await wait(1500)
      await to.click()
      await to.fill('plaza')
      await wait(1500)
      await shot(page, `${tag}-06-offline`)
      await context.setOffline(false)
      await signIn(page, 'rider')
      await page.mouse.move(6, 6)
      await wait(7000)
      await shot(page, `${tag}-10-home`)
      await page
        .screenshot({ path: `${dir}/${tag}-10b-home-full.png`, fullPage: true, timeout: 120_000 })
        .catch(() => {})
      await page.goto('/profile')
      await wait(2500)
      const places = page
        .locator('section')
        .filter({ has: page.locator('h2', { hasText: /Saved places|الأماكن المحفوظة/ }) })
      await places.scrollIntoViewIfNeeded()
      await shot(page, `${tag}-11-places`)
      await places.getByRole('button').nth(0).click()
      await wait(500)
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .fill(locale === 'ar' ? 'العمل' : 'Work')
      await shot(page, `${tag}-12-rename`)
      await page.keyboard.press('Enter')
      await wait(1500)
      await places
        .getByRole('button', { name: /Show all|عرض الكل/ })
        .click()
        .catch(() => console.log('no show all'))
      await wait(400)
      await places.scrollIntoViewIfNeeded()
      await shot(page, `${tag}-13-all-places`)
      await page.goto('/')
      await wait(1500)
      await to.click()
      await wait(800)
      await shot(page, `${tag}-14-saved`)
      await page.goto('/bookings')
      await wait(3000)
      await shot(page, `${tag}-15-history`)
      console.log(tag, 'problems', JSON.stringify(problems).slice(0, 600))
      await context.close()
    })
  }
})
it('admin and driver home', { timeout: 300_000 }, async () => {
  for (const who of ['admin', 'driver'] as const) {
    const { page, context } = await openWindow(browser, { url: server.url })
    await signIn(page, who)
    await page.goto('/')
    await page.mouse.move(6, 6)
    await wait(6000)
    await shot(page, `desk-${who}-home`)
    await context.close()
  }
})
