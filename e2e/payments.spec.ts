import type { ApiClient } from '@hansom/client/rest-link'
import { startCulqi } from '@hansom/doubles/payments/culqi'
import type { ProviderDouble } from '@hansom/doubles/payments/double'
import { startLiqpay } from '@hansom/doubles/payments/liqpay'
import { startStripe } from '@hansom/doubles/payments/stripe'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, words } from './harness/category.ts'
import { changeSettings } from './harness/database.ts'
import { bookTrip, type Trip, tripToPay } from './harness/ended-trip.ts'
import { amountIn } from './harness/money.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

interface Attempt {
  provider: string
  state: string
  used_for: string | null
  reference: string
}

let doubles: ProviderDouble[] = []
let server: RunningServer
let browser: Browser
let page: Page
let rider: ApiClient
let driver: ApiClient
const pageErrors: string[] = []

beforeAll(async () => {
  const [stripe, liqpay, culqi] = await Promise.all([startStripe(), startLiqpay(), startCulqi()])
  doubles = [stripe, liqpay, culqi]
  server = await startServer({
    DEMO_DRIVERS: '0',
    DEMO_RIDERS: '0',
    ...Object.assign({}, ...doubles.map(({ environment }) => environment)),
  })
  stripe.site = server.url
  // A currency that all of them support.
  await changeSettings(server, { code: 'USD' })
  browser = await openBrowser()
  rider = await callAs(server.url, 'rider')
  driver = await callAs(server.url, 'driver')
  await vi.waitUntil(async () => (await rider.settings.get()).code === 'USD', patience)
  const window = await openWindow(browser, { url: server.url, phone: true })
  page = window.page
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await signIn(page, 'rider')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await Promise.all(doubles.map((double) => double.close()))
})

const titled = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor(patience)
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const dialog = () => page.getByRole('dialog', { name: 'Payment' })
const statusOf = async ({ id }: Trip) => (await rider.bookings.get({ id })).status
const attemptsOf = async ({ id }: Trip) => (await rider.payments.ofBooking({ id })).items
/** No accessibility violations and no horizontal scroll. */
const expectNoViolations = async () => {
  expect(await findBarriers(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
}

/** Trips are paid by card at their end, deliveries in advance. */
const [unpaid, paid] = isDelivery ? ['PAYMENT_PENDING', 'NEW'] : ['PENDING', 'PAID']

/** A trip to be paid with its payment dialog open, from the trip's page or the history. */
async function payNow(from: 'trip' | 'history' = 'history'): Promise<Trip> {
  const trip = await tripToPay(server.url, rider, driver)
  expect(trip.status).toBe(unpaid)
  await page.goto(from === 'trip' ? `/trip/${trip.id}` : '/bookings')
  // The page of a trip to be paid in advance opens the dialog itself.
  if (!isDelivery || from === 'history') await press('Pay now')
  await dialog().getByRole('button', { name: 'Test payment' }).waitFor(patience)
  return trip
}

/** The page and the trip are paid, by exactly one attempt. */
async function expectPaid(trip: Trip, provider: string): Promise<Attempt> {
  await titled('Paid. Thank you!')
  await expect.poll(() => statusOf(trip), patience).toBe(paid)
  const attempts = (await attemptsOf(trip)).filter(({ state }) => state === 'paid')
  expect(attempts).toMatchObject([{ provider, used_for: 'booking' }])
  return attempts[0] as Attempt
}

it('test payment from the history -> paid; a double click and a reload change nothing', async () => {
  const trip = await payNow()
  const test = dialog().getByRole('button', { name: 'Test payment' })
  await expectNoViolations()
  expect(amountIn(await dialog().getByRole('definition').last().innerText())).toBe(
    trip.payableAmount / 10_000,
  )
  await test.dblclick()
  await titled('Test payment')
  await expectNoViolations()
  await page.reload()
  await titled('Test payment')
  await press('Approve')
  await titled('Paid. Thank you!')
  await page.reload()
  await expectPaid(trip, 'test')
  await expectNoViolations()
})

it('redirect: Stripe -> paid; going back in the browser history does not pay again', async () => {
  const trip = await payNow('trip')
  await dialog().getByRole('button', { name: 'Stripe' }).click()
  await press('Pay')
  const { reference } = await expectPaid(trip, 'stripe')
  await page.getByRole('link', { name: words('Back to trip') }).click()
  await titled(isDelivery ? words('Finding your driver') : /^Paid/)
  await page.goBack()
  await titled('Paid. Thank you!')
  expect(doubles[0]?.captures(reference)).toBe(1)
  expect(await attemptsOf(trip)).toHaveLength(1)
})

it('signed form: LiqPay -> paid', async () => {
  const trip = await payNow()
  await dialog().getByRole('button', { name: 'LiqPay' }).click()
  await press('Pay')
  const { reference } = await expectPaid(trip, 'liqpay')
  expect(doubles[1]?.captures(reference)).toBe(1)
})

it('declined, then embedded form: Culqi -> paid', async () => {
  const trip = await payNow()
  await dialog().getByRole('button', { name: 'Test payment' }).click()
  await press('Decline')
  await titled('Payment failed')
  await page.getByText(/declined the payment\. You weren’t charged/).waitFor(patience)
  await expectNoViolations()
  await page.getByRole('button', { name: /^Try again with .Test payment/ }).waitFor(patience)
  await expect.poll(() => statusOf(trip), patience).toBe(unpaid)
  await page.getByRole('button', { name: 'Culqi' }).click()
  await titled('Pay by card')
  await page.frameLocator('iframe[title="Culqi"]').getByRole('button', { name: /Pay/ }).click()
  const { reference } = await expectPaid(trip, 'culqi')
  expect(doubles[2]?.captures(reference)).toBe(1)
  expect((await attemptsOf(trip)).map(({ state }) => state).sort()).toEqual(['failed', 'paid'])
})

it('advance payment -> dialog with the amount due and the deadline, can be cancelled', async () => {
  const trip = await bookTrip(server.url, rider, driver, { payment_mode: 'card', inAdvance: true })
  expect(trip.status).toBe('PAYMENT_PENDING')
  await page.goto(`/trip/${trip.id}`)
  await dialog().getByRole('timer').waitFor(patience)
  await dialog().getByRole('button', { name: 'Test payment' }).waitFor(patience)
  await expectNoViolations()
  await dialog().getByRole('button', { name: 'Cancel booking' }).click()
  await dialog().waitFor({ ...patience, state: 'hidden' })
  await expect.poll(() => statusOf(trip), patience).toBe('CANCELLED')
})

it('wallet top-up -> its open page updates immediately', async () => {
  // A paid delivery that no courier takes returns its payment to the wallet, which would change its balance.
  const [reason] = await rider.cancelReasons.list()
  for (const { id, status } of (await rider.bookings.list({})).items) {
    if (status === 'NEW') await rider.bookings.cancel({ id, reason: reason?.label ?? '' })
  }
  await page.goto('/wallet')
  const balance = async () => amountIn(await page.getByRole('region', { name: 'Balance' }).innerText())
  await page.getByRole('region', { name: 'Balance' }).getByText(/\d/).first().waitFor(patience)
  const before = await balance()
  await press('Top up')
  const topUp = page.getByRole('dialog', { name: 'Top up' })
  await topUp.getByRole('button', { name: 'Top up' }).click()
  await topUp.getByText('Enter an amount above zero.').waitFor(patience)
  await topUp.getByRole('textbox', { name: 'Amount' }).fill('250')
  await topUp.getByRole('button', { name: /^Top up .\$250/ }).click()
  const test = topUp.getByRole('button', { name: 'Test payment' })
  await test.waitFor(patience)
  await expectNoViolations()
  // The wallet is open in another window, too.
  const other = await page.context().newPage()
  await other.goto('/wallet')
  await other.getByRole('region', { name: 'Balance' }).waitFor(patience)
  await test.click()
  await press('Approve')
  await titled('Wallet topped up')
  await expect
    .poll(async () => amountIn(await other.getByRole('region', { name: 'Balance' }).innerText()), patience)
    .toBe(before + 250)
  await other.close()
  await page.getByRole('link', { name: 'Go to wallet' }).click()
  await page.getByText('Card top-up').first().waitFor(patience)
  await expect.poll(() => balance(), patience).toBe(before + 250)
  expect(pageErrors).toEqual([])
})
