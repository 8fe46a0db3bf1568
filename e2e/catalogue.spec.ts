import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { choosePlace } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { startOf, usualCar, words } from './harness/category.ts'
import { changeSettings } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let adminPage: Page
let rider: Page
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser()
  adminPage = await open()
  await signIn(adminPage, 'admin')
  rider = await open({ phone: true })
  await signIn(rider, 'rider')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(options: { phone?: boolean } = {}): Promise<Page> {
  const { page } = await openWindow(browser, { url: server.url, ...options })
  page.setDefaultTimeout(patience.timeout)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  return page
}

const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor(patience)
const inUse = startOf(
  'This car type is in use (drivers: …, open bookings: …). Give those drivers another type and wait for the bookings to end.',
  'error.car_type_in_use',
)
/** The card of a car type with its price. */
const offered = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
const row = (name: string) => adminPage.getByRole('row').filter({ hasText: name })

it('car type added and priced by an admin -> updates the open booking form immediately', async () => {
  await choosePlace(rider, 'From', 'plaza independencia', 'Plaza Independencia')
  await choosePlace(rider, 'To', 'mercado del puerto', 'Mercado del Puerto')
  await offered(rider, usualCar).waitFor({ state: 'attached', ...patience })

  await adminPage.goto('/cartypes')
  await titled(adminPage, words('Car types'))
  await adminPage.getByRole('button', { name: words('Add car type') }).click()
  const dialog = adminPage.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Deluxe')
  await dialog.getByLabel('Base fare').fill('100')
  await dialog.getByLabel('Per km').fill('40')
  await dialog.getByLabel('Per hour').fill('600')
  await dialog.getByLabel('Minimum fare').fill('50')
  // 100 + 5 x 40 + 12/60 x 600 = 420, plus 10 %.
  await expect.poll(() => dialog.locator('[data-preview=cost]').innerText(), patience).toBe('$462')
  expect(await findBarriers(adminPage)).toEqual([])
  await dialog.getByRole('button', { name: words('Add car type') }).click()
  await row('Deluxe').waitFor(patience)
  await offered(rider, 'Deluxe').waitFor({ state: 'attached', ...patience })

  // Edit the minimum in its cell; the rider's card follows.
  const cell = row('Deluxe').getByRole('gridcell', { name: '$50', exact: true })
  await cell.dblclick()
  await adminPage.getByRole('textbox', { name: 'Minimum fare' }).fill('4321')
  await adminPage.keyboard.press('Enter')
  await adminPage
    .getByRole('alertdialog', { name: /Change “Minimum fare” of Deluxe/ })
    .getByRole('button', { name: 'Confirm' })
    .click()
  await rider.getByText('$4,753').first().waitFor(patience)
})

it('car type deleted -> refused with the reason if in use; otherwise deleted, with undo', async () => {
  const remove = async (name: string) => {
    await row(name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await adminPage.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await remove('Deluxe')
  await row('Deluxe').waitFor({ state: 'detached', ...patience })
  await adminPage.getByRole('button', { name: 'Undo' }).click()
  await row('Deluxe').waitFor(patience)
  await remove('Deluxe')
  await offered(rider, 'Deluxe').waitFor({ state: 'detached', ...patience })

  await remove(usualCar)
  await adminPage.getByText(new RegExp(`${inUse.replace('(', '\\(')}\\d+`)).waitFor(patience)
  await row(usualCar).waitFor(patience)
})

it('promo dialog -> previews the discount', async () => {
  await adminPage.goto('/promos')
  await titled(adminPage, 'Promos')
  await adminPage.getByRole('button', { name: 'Add promo' }).click()
  const dialog = adminPage.getByRole('dialog')
  await dialog.getByLabel('Code').fill('welcome20')
  await dialog.getByLabel('Discount', { exact: true }).fill('30')
  await dialog.getByLabel('Maximum').fill('120')
  await expect.poll(() => dialog.locator('[data-preview=saves]').innerText(), patience).toBe('$120')
  await dialog.getByLabel('Valid until').fill('2035-01-31')
  await dialog.getByRole('button', { name: 'Add promo' }).click()
  await dialog.getByText('Already in use. Choose another.').waitFor(patience)
  expect(await findBarriers(adminPage)).toEqual([])
  await dialog.getByLabel('Code').fill('SUMMER30')
  await dialog.getByRole('button', { name: 'Add promo' }).click()
  await row('SUMMER30').waitFor(patience)
})

it('cancellation reasons -> moved by keyboard, read-only while critical edits are off', async () => {
  const admin = await callAs(server.url, 'admin')
  const reasons = async () => (await admin.cancelReasons.list()).map(({ label }) => label)
  const [first, second, ...rest] = await reasons()
  await adminPage.goto('/cancelreasons')
  await titled(adminPage, 'Cancellation reasons')
  await row(first ?? '')
    .getByRole('rowheader')
    .click()
  await adminPage.keyboard.press('Alt+ArrowDown')
  await expect.poll(reasons, patience).toEqual([second, first, ...rest])
  expect(await findBarriers(adminPage)).toEqual([])

  await changeSettings(server, { AllowCriticalEditsAdmin: false })
  await adminPage.reload()
  await adminPage.getByText('Demo mode: you can view the reasons').waitFor(patience)
  expect(await adminPage.getByRole('button', { name: 'Add reason' }).count()).toBe(0)

  await adminPage.goto('/cartypes')
  await row(usualCar)
    .getByRole('button', { name: `Actions for ${usualCar}` })
    .click()
  await adminPage.getByRole('menuitem', { name: 'Delete' }).click()
  await adminPage.getByText('Not available in demo mode.').waitFor(patience)
  expect(pageErrors).toEqual([])
})
