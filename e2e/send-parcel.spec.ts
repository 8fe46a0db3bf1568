import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { choosePlace } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { findPlace } from './harness/city.ts'
import { amountIn } from './harness/money.ts'
import { patience } from './harness/patience.ts'
import { takeFailurePicture, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  server = await startServer({ CATEGORY: 'delivery', DEMO_DRIVERS: '0' })
  browser = await openBrowser()
  const window = await openWindow(browser, { url: server.url, phone: true })
  page = window.page
  problems = window.problems
  const courier = await callAs(server.url, 'driver')
  await courier.tracking.online({ online: true })
  const point = await findPlace(server.url, 'Ejido 1275')
  await courier.tracking.report({
    positions: [{ ...point, at: Math.round((await courier.settings.clock()).now) }],
  })
  await signIn(page, 'rider')
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dialog = (name: string) => page.getByRole('dialog', { name })
const inspect = async (page: Page, name: string) => {
  expect(await findBarriers(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
  await takePicture(page, name)
}

/** Opens the confirmation of a parcel to the Teatro Solís, with the first parcel type that costs something. */
async function toDetails(): Promise<number> {
  await page.goto('/')
  await choosePlace(page, 'From', 'Ejido 1275', 'Ejido 1275')
  await choosePlace(page, 'To', 'Teatro Solís', 'Teatro Solís')
  const near = page.getByRole('radio', { name: /\d.* away/ }).first()
  await near.waitFor(patience)
  await near.check()
  const plain = amountIn(
    (await page.locator('label').filter({ has: near }).innerText()).split('\n').at(-1) ?? '',
  )
  await page.getByRole('button', { name: 'Book Now' }).click()
  const choice = dialog('Your parcel')
  const dearer = choice.getByRole('group', { name: 'Parcel type' }).getByRole('radio', { name: /\+/ }).first()
  await dearer.check()
  await inspect(page, 'send-parcel-choice')
  await choice.getByRole('button', { name: 'Continue' }).click()
  await dialog('Confirm delivery').getByRole('combobox', { name: 'Recipient’s name' }).waitFor(patience)
  return plain
}

it('parcel: type, recipient and test payment on a phone -> NEW and prepaid, its stop on the trip page', {
  timeout: 300_000,
}, async () => {
  try {
    const plain = await toDetails()
    const details = dialog('Confirm delivery')
    const confirm = details.getByRole('button', { name: /^Confirm · / })
    await confirm.waitFor(patience)
    const price = amountIn(await confirm.innerText())
    expect(price).toBeGreaterThan(plain)
    await confirm.click()
    await details.getByText('Enter the recipient’s name.').waitFor(patience)
    await details.getByRole('combobox', { name: 'Recipient’s name' }).fill('Ada Pérez')
    await details.getByLabel('Recipient’s phone').fill('099 111 222')
    await details.getByLabel('Delivery instructions').fill('Ring twice')
    await inspect(page, 'send-parcel-details')
    await confirm.click()
    await page.waitForURL(/\/trip\//, patience)
    const payment = dialog('Payment')
    await payment.getByRole('timer').waitFor(patience)
    await inspect(page, 'send-parcel-payment')
    await payment.getByRole('button', { name: 'Test payment' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { level: 1, name: 'Paid. Thank you!' }).waitFor(patience)
    const sender = await callAs(server.url, 'rider')
    const [booking] = (await sender.bookings.list({ limit: 1 })).items
    await expect
      .poll(async () => (await sender.bookings.get({ id: booking?.id ?? '' })).status, patience)
      .toBe('NEW')
    expect(await sender.bookings.get({ id: booking?.id ?? '' })).toMatchObject({
      prepaid: true,
      trip_cost: price * 10_000,
      deliveryPerson: 'Ada Pérez',
      delivery: { stops: [{ kind: 'pickup' }, { kind: 'drop', instructions: 'Ring twice' }] },
    })
    await page.goto(`/trip/${booking?.id}`)
    const stops = page.getByRole('region', { name: 'Stops' })
    await stops.getByText('Ada Pérez', { exact: true }).waitFor(patience)
    await stops.getByText('If a parcel can’t be delivered').waitFor(patience)
    await inspect(page, 'send-parcel-trip')
    expect(problems).toEqual([])
  } catch (error) {
    await takeFailurePicture(page, 'send-parcel')
    throw error
  }
})

it('parcel: payment dialog closed -> the booking is cancelled and the sender is told', {
  timeout: 300_000,
}, async () => {
  await toDetails()
  const details = dialog('Confirm delivery')
  await details.getByRole('combobox', { name: 'Recipient’s name' }).fill('Ben')
  await details.getByLabel('Recipient’s phone').fill('099 333 444')
  await details.getByRole('button', { name: /^Confirm · / }).click()
  await dialog('Payment').getByRole('button', { name: 'Test payment' }).waitFor(patience)
  await page.keyboard.press('Escape')
  await page.getByText('This booking wasn’t paid. We’re cancelling it.').waitFor(patience)
  await page.getByRole('heading', { level: 1, name: 'You cancelled this delivery' }).waitFor(patience)
  const sender = await callAs(server.url, 'rider')
  const [booking] = (await sender.bookings.list({ limit: 1 })).items
  expect(booking).toMatchObject({ status: 'CANCELLED', reason: 'cancelled incomplete booking' })
})

const csv = (address: string) =>
  Buffer.from(
    [
      'pickup,drop,person,phone,vehicle',
      'Ejido 1275,Teatro Solís,Ada Pérez,099 111 222,Motorbike',
      `Ejido 1275,${address},Ben Cruz,099 333 444,Motorbike`,
    ].join('\n'),
  )
const upload = async (page: Page, text: Buffer) => {
  await page.goto('/deliveries')
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: text }
  await page.getByLabel('Choose a CSV file').setInputFiles(file)
}
it('file: a wrong row is named, mended and booked with labels; a recipient is added and used in the form', {
  timeout: 300_000,
}, async () => {
  const { page, problems } = await openWindow(browser, { url: server.url, phone: true })
  try {
    await signIn(page, 'rider')
    await upload(page, csv('Nowhere 99999'))
    const wrong = page.getByRole('listitem').filter({ hasText: 'Row 3' })
    await wrong.getByText('We didn’t find this address').first().waitFor(patience)
    await wrong.getByText('Drop', { exact: true }).waitFor(patience)
    await inspect(page, 'parcels-dry-run')
    await upload(page, csv('Plaza Independencia'))
    await page.getByRole('button', { name: 'Book 2 deliveries' }).click(patience)
    await page.getByText('Booked: 2').waitFor(patience)
    const download = page.waitForEvent('download', patience)
    await page.getByRole('link', { name: 'Download labels' }).click()
    expect((await download).suggestedFilename()).toBe('labels.pdf')
    await inspect(page, 'parcels-booked')

    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('tab', { name: 'Address book' }).click()
    await page.getByRole('button', { name: 'Add a recipient' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Recipient’s name').fill('Cora Gil')
    await dialog.getByLabel('Recipient’s phone').fill('099 555 666')
    await dialog.getByRole('combobox', { name: 'Address' }).fill('Teatro Solís')
    await dialog
      .getByRole('option', { name: /Teatro Solís/ })
      .first()
      .click(patience)
    await inspect(page, 'parcels-recipient')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Cora Gil' }).waitFor(patience)
    await inspect(page, 'parcels-address-book')

    await page.goto('/')
    await choosePlace(page, 'From', 'Ejido 1275', 'Ejido 1275')
    await choosePlace(page, 'To', 'Plaza Independencia', 'Plaza Independencia')
    await page
      .getByRole('radio', { name: /\d.* away/ })
      .first()
      .check(patience)
    await page.getByRole('button', { name: 'Book Now' }).click()
    await page.getByRole('button', { name: 'Continue' }).click(patience)
    const details = page.getByRole('dialog', { name: 'Confirm delivery' })
    const person = details.getByRole('combobox', { name: 'Recipient’s name' })
    await person.fill('cora')
    await details.getByRole('option', { name: /Cora Gil/ }).waitFor(patience)
    await person.press('ArrowDown')
    await person.press('Enter')
    expect(await details.getByLabel('Recipient’s phone').inputValue()).toBe('099 555 666')
    await details
      .getByText(/^Teatro Solís/)
      .first()
      .waitFor(patience)
    await inspect(page, 'parcels-form')
    expect(problems).toEqual([])
  } catch (error) {
    await takeFailurePicture(page, 'parcels')
    throw error
  }
})

it('parcels page, Arabic and dark, and of an admin for a sender -> no violations', {
  timeout: 300_000,
}, async () => {
  const rider = await (await callAs(server.url, 'rider')).users.me()
  for (const account of ['rider', 'admin'] as const) {
    const { page, problems, context } = await openWindow(browser, {
      url: server.url,
      locale: 'ar',
      dark: true,
    })
    await signIn(page, account)
    await page.goto(account === 'admin' ? `/deliveries?rider=${rider?.uid}` : '/deliveries')
    await page.getByRole('listitem').filter({ hasText: 'orders.csv' }).first().waitFor(patience)
    await inspect(page, `parcels-${account}-ar-dark`)
    expect(problems).toEqual([])
    await context.close()
  }
})
