import type { ApiClient } from '@hansom/client/rest-link'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { choosePlace } from './harness/booking-steps.ts'
import { openBrowser, openWindow, type WindowOptions } from './harness/browser.ts'
import { dearerCar, isDelivery, taxiTest, usualCar, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let admin: ApiClient
let driver: ApiClient
let office: Page
let rider: Page
let cockpit: Page
let id: string
/** Where the driver waits. */
let start: LatLng
const problems: string[] = []

async function window(
  account: 'admin' | 'rider' | 'driver',
  more: Partial<WindowOptions> = {},
): Promise<Page> {
  const { page } = await openWindow(browser, { url: server.url, ...more })
  page.on('pageerror', (error) => problems.push(error.message))
  await signIn(page, account)
  return page
}

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { autoDispatch: false, otp_secure: true })
  browser = await openBrowser()
  admin = await callAs(server.url, 'admin')
  driver = await callAs(server.url, 'driver')
  const rita = await callAs(server.url, 'rider')
  const [pickup, drop] = await Promise.all([
    findPlace(server.url, 'Plaza Independencia'),
    findPlace(server.url, 'Teatro Solís'),
  ])
  await driver.tracking.online({ online: true })
  start = pickup
  await driver.tracking.report({ positions: [{ ...start, at: Date.now() }] })
  const types = await admin.carTypes.list()
  // The car of a delivery stays.
  const booked = isDelivery ? usualCar : dearerCar
  const type = types.find(({ name }) => name === booked)?.id ?? ''
  const me = await rita.users.me()
  // Due a moment later: no car of this type is near for an immediate trip.
  const tripdate = Date.now() + 15 * 60_000 + 3_000
  ;({ id } = await admin.bookings.create({
    customer: me?.uid,
    pickup: { ...pickup, add: 'Plaza Independencia' },
    drop: { ...drop, add: 'Teatro Solís' },
    car_type_id: type,
    bookLater: true,
    tripdate,
  }))
  office = await window('admin')
  rider = await window('rider', { phone: true })
  cockpit = await window('driver', { phone: true })
  await Promise.all([office, rider].map((page) => page.goto(`/trip/${id}`)))
  await cockpit.goto('/bookings')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const button = (name: string) => office.getByRole('button', { name, exact: true })
const dialog = () => office.getByRole('dialog')
const expectGood = async (page: Page) => {
  expect(await findBarriers(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
}

async function assign(): Promise<void> {
  await driver.tracking.report({ positions: [{ ...start, at: Date.now() }] })
  await button(words('Assign a driver')).click()
  // The nearest driver is chosen at first.
  await dialog().getByRole('radio', { checked: true }).waitFor(patience)
  await dialog()
    .getByRole('button', { name: words('Assign driver') })
    .click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  await driver.bookings.accept({ id })
}

taxiTest(
  'admin edits the car of a new booking -> both fares are shown, the rider sees the new one',
  async () => {
    await button('Edit booking').waitFor(patience)
    await expectGood(office)
    await takePicture(office, 'office-trip-new', true)
    await button('Edit booking').click()
    await dialog()
      .getByRole('combobox', { name: words('Car type') })
      .selectOption({ label: usualCar })
    await dialog().getByRole('region', { name: 'New fare' }).locator('s').waitFor(patience)
    await expectGood(office)
    await takePicture(office, 'office-edit-car')
    await button('Save changes').click()
    await dialog().waitFor({ state: 'hidden', ...patience })
    await office.getByText(new RegExp(`^${words('Car')}: .*${dearerCar}.*${usualCar}`)).waitFor(patience)
    await rider.getByText(usualCar).first().waitFor(patience)
  },
)

it('admin assigns a driver, who accepts -> the booking can be reassigned', async () => {
  await assign()
  await button(words('Reassign driver')).waitFor(patience)
  await takePicture(office, 'office-trip-accepted', true)
})

taxiTest('admin moves the drop of an accepted trip -> rider and driver see it at once', async () => {
  await button('Edit booking').click()
  await choosePlace(office, 'To', 'estadio cente', 'Estadio Centenario')
  await dialog().getByRole('region', { name: 'New fare' }).waitFor(patience)
  await expectGood(office)
  await takePicture(office, 'office-edit-drop')
  await button('Save changes').click()
  await dialog().waitFor({ state: 'hidden', ...patience })
  for (const page of [rider, cockpit, office]) {
    await page
      .getByText(/Estadio Centenario/)
      .first()
      .waitFor(patience)
  }
  await takePicture(rider, 'rider-trip-changed', true)
  await expectGood(rider)
})

it('admin takes the trip back -> the driver reads why, the rider waits for another', async () => {
  await button(words('Withdraw driver')).click()
  await dialog()
    .getByRole('radio', { name: words('The driver is late') })
    .check()
  await expectGood(office)
  await takePicture(office, 'office-withdraw')
  await dialog().getByRole('button', { name: 'Take back', exact: true }).click()
  const notice = cockpit.getByRole('region', { name: words('Trip given to another driver') })
  await notice.getByText(new RegExp(words('The driver is late'))).waitFor(patience)
  await expectGood(cockpit)
  await takePicture(cockpit, 'driver-withdrawn')
  await rider.getByText(words('Finding your driver')).first().waitFor(patience)
  // The list marks the withdrawn driver; the command may still ask them again.
  const me = await driver.users.me()
  await admin.bookings.assign_driver({ id, driver: me?.uid ?? '' })
  await driver.bookings.accept({ id })
  await rider.getByRole('heading', { level: 1, name: /is on the way/ }).waitFor(patience)
  await office.getByText(words('Driver withdrawn by an admin')).waitFor(patience)
  await takePicture(office, 'office-trip-again', true)
})

taxiTest('rider changes the destination -> the new fare is shown before it is saved', async () => {
  await rider.getByRole('button', { name: words('Change destination') }).click()
  await choosePlace(rider, 'To', 'teatro sol', 'Teatro Solís')
  const sheet = rider.getByRole('dialog', { name: words('Change destination') })
  await sheet.getByRole('region', { name: 'New fare' }).waitFor(patience)
  await expectGood(rider)
  await takePicture(rider, 'rider-change-destination')
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await sheet.waitFor({ state: 'hidden', ...patience })
  expect((await admin.bookings.get({ id })).dropAddress).toMatch(/Teatro Solís/)
  await button(words('Cancel trip')).click()
  await takePicture(office, 'office-cancel')
})

it('all windows: no page errors', () => {
  expect(problems).toEqual([])
})

it.runIf(picturesWanted)('pictures of both sizes, themes and directions', async () => {
  const looks: [string, Partial<WindowOptions>][] = [
    ['phone', { phone: true }],
    ['dark', { dark: true }],
    ['ar', { locale: 'ar' }],
    ['ar-phone-dark', { locale: 'ar', phone: true, dark: true }],
  ]
  for (const [name, look] of looks) {
    const page = await window('admin', look)
    await page.goto(`/trip/${id}`)
    await page.getByRole('heading', { level: 1 }).waitFor(patience)
    await page.waitForTimeout(1500)
    await takePicture(page, `office-trip-${name}`, true)
    await page.context().close()
  }
})
