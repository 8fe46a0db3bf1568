import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { choosePlace, toConfirmation } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let adminPage: Page
let bookingId: string
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { autoDispatch: false })
  browser = await openBrowser()
  const { page } = await openWindow(browser, { url: server.url })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await signIn(page, 'admin')
  adminPage = page
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const button = (name: string) => adminPage.getByRole('button', { name, exact: true })
const row = () => adminPage.getByRole('row').filter({ hasText: bookingId })
const expectGood = async () => {
  expect(await findBarriers(adminPage)).toEqual([])
  expect(await sidewaysScroll(adminPage)).toBeLessThanOrEqual(0)
}

it("admin books for a rider -> the trip is in the rider's list", async () => {
  const driver = await callAs(server.url, 'driver')
  await driver.tracking.online({ online: true })
  const at = await findPlace(server.url, 'Plaza Independencia')
  await driver.tracking.report({ positions: [{ ...at, at: Date.now() }] })

  await adminPage.goto('/addbookings')
  await adminPage.getByRole('heading', { level: 1, name: words('Book for a rider') }).waitFor(patience)
  await choosePlace(adminPage, 'From', 'plaza indep', 'Plaza Independencia')
  await choosePlace(adminPage, 'To', 'estadio cente', 'Estadio Centenario')
  await button('Book Now').click()
  // No rider was selected.
  const alert = adminPage.getByRole('alertdialog', { name: 'Alert' })
  await alert.waitFor(patience)
  await alert.getByRole('button', { name: 'Close' }).click()
  await adminPage.getByRole('combobox', { name: words('Rider') }).fill('rider@demo.test')
  // Until the response arrives, the list still suggests others.
  await adminPage
    .getByRole('listbox', { name: words('Rider') })
    .getByRole('option', { name: /rider@demo\.test/ })
    .click()
  await expectGood()
  await button('Book Now').click()
  const confirm = await toConfirmation(adminPage)
  await confirm.getByRole('button', { name: /^Confirm/ }).click()
  const booked = adminPage.getByRole('dialog', { name: 'Booked' })
  bookingId = await booked.getByText(/^[2-9A-HJ-NP-Z]{6}$/).innerText()
  // Automatic dispatch is off: no driver is asked.
  await booked.getByText(words('No driver has been asked yet. Assign one.')).waitFor(patience)
  await booked.getByRole('button', { name: words('Book another trip') }).click()
  // The form is reset for the next booking.
  await expect.poll(() => adminPage.getByRole('combobox', { name: 'From' }).inputValue(), patience).toBe('')

  const rider = await callAs(server.url, 'rider')
  const own = await rider.bookings.list({ limit: 1 })
  expect(own.items[0]).toMatchObject({ booking_id: bookingId, booking_type_admin: true })
})

it('booking in the table -> found, driver assigned from its row, acceptance shown live', async () => {
  await adminPage.goto(`/bookings?q=${bookingId}`)
  await row().waitFor(patience)
  await expectGood()
  await adminPage.getByRole('button', { name: `Actions for ${bookingId}` }).click()
  await adminPage.getByRole('menuitem', { name: words('Assign driver') }).click()
  const dialog = adminPage.getByRole('dialog', { name: words('Assign a driver') })
  // The nearest driver is chosen at first.
  await dialog.getByRole('radio', { checked: true }).waitFor(patience)
  await expectGood()
  await dialog.getByRole('button', { name: words('Assign driver') }).click()
  const alert = adminPage.getByRole('alertdialog', { name: 'Alert' })
  await alert.getByText(words('Driver assigned successfully and notified.')).waitFor(patience)
  await alert.getByRole('button', { name: 'Close' }).click()

  const [admin, driver] = [await callAs(server.url, 'admin'), await callAs(server.url, 'driver')]
  const found = await admin.bookings.list({ q: bookingId })
  await driver.bookings.accept({ id: found.items[0]?.id ?? '' })
  // Without a reload.
  await row().getByText(words('Driver on the way')).waitFor(patience)
})

it('booking drawer -> shows its events; an admin cancels with a reason', async () => {
  await row().getByRole('rowheader').click()
  await adminPage.waitForURL(/\/trip\//)
  const happened = adminPage.getByRole('region', { name: words('Trip timeline') })
  await happened
    .getByText(`${words('Looking for a driver')} → ${words('Driver on the way')}`)
    .waitFor(patience)
  await expectGood()
  await adminPage.goBack()
  await adminPage.getByRole('button', { name: `Actions for ${bookingId}` }).click()
  await adminPage.getByRole('menuitem', { name: 'Cancel booking' }).click()
  const dialog = adminPage.getByRole('dialog')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: words('Cancel trip') }).click()
  await row().getByText('Cancelled').waitFor(patience)
})

it('push notification -> its reach is shown, sent from where it is written, and counted', async () => {
  await adminPage.goto('/notifications')
  await button('New notification').first().click()
  const dialog = adminPage.getByRole('dialog', { name: 'New notification' })
  await dialog.getByRole('button', { name: 'Review and send' }).click()
  await dialog.getByRole('alert').first().waitFor(patience)
  await dialog.getByLabel('Title').fill('Heavy rain')
  await dialog.getByLabel('Text').fill('Cars are few today.')
  await dialog.getByLabel('Recipients').selectOption('rider')
  await dialog.getByText(/^Reaches \d+ people\./).waitFor(patience)
  await expectGood()
  await dialog.getByRole('button', { name: 'Review and send' }).click()

  const rider = await callAs(server.url, 'rider')
  const question = adminPage.getByRole('dialog', { name: 'Send this notification?' })
  await question.getByText(/^Reaches \d+ people\./).waitFor(patience)
  await expectGood()
  await question.getByRole('button', { name: 'Send' }).click()
  await adminPage.getByRole('rowheader', { name: 'Heavy rain' }).waitFor(patience)
  await adminPage.getByText(/^Sent to \d+ people$/).waitFor(patience)
  await expectGood()
  const { items } = await rider.users.notifications({})
  expect(items[0]?.params.title).toBe('Heavy rain')
  expect(pageErrors).toEqual([])
})
