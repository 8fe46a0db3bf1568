import type { EarningPeriodView } from '@hansom/contract/earnings'
import { periodBefore } from '@hansom/domain/earnings/period'
import { unit } from '@hansom/domain/money/amount'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, words } from './harness/category.ts'
import { changeSettings } from './harness/database.ts'
import { amountIn, amountsIn } from './harness/money.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let adminPage: Page
let driver: Page
/** The driver's name. */
let name: string
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { negativeBalance: false })
  browser = await openBrowser()
  adminPage = await open('admin', false)
  driver = await open('driver', true)
  const api = await callAs(server.url, 'driver')
  const me = await api.users.me()
  name = `${me?.firstName} ${me?.lastName}`
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(account: 'admin' | 'driver', phone: boolean): Promise<Page> {
  const { page } = await openWindow(browser, { url: server.url, phone })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await signIn(page, account)
  return page
}

const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor(patience)
const balanceOf = async (page: Page) =>
  amountIn(await page.getByRole('region', { name: 'Balance' }).innerText())
const row = (name: string) => adminPage.getByRole('row').filter({ hasText: name })
/** No accessibility violations and no horizontal scroll. */
const expectNoViolations = async (page: Page) => {
  expect(await findBarriers(page)).toEqual([])
  // Negative where a dialog reserves the space of the scrollbar.
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
}

it('admin credits a wallet -> its open page updates immediately', async () => {
  await driver.goto('/wallet')
  await titled(driver, 'Wallet')
  const before = await balanceOf(driver)

  await adminPage.goto('/addtowallet')
  await titled(adminPage, 'Add to wallet')
  const add = adminPage.getByRole('main').getByRole('button', { name: 'Add to wallet' })
  await add.click()
  // No user is chosen, no amount entered.
  await adminPage.getByRole('alert').waitFor(patience)
  await adminPage.getByRole('combobox', { name: 'Person' }).fill('driver@demo.test')
  await adminPage.getByRole('listbox').getByRole('option').filter({ hasText: name }).click()
  await adminPage.getByLabel('Amount').first().fill('nothing')
  await add.click()
  await adminPage.getByRole('alert').waitFor(patience)
  await adminPage.getByLabel('Amount').first().fill('250')
  await adminPage
    .getByRole('definition')
    .filter({ hasText: (before + 250).toLocaleString('en') })
    .waitFor(patience)
  await expectNoViolations(adminPage)
  await add.click()
  await adminPage.getByText('Enter a reason.').first().waitFor(patience)
  await adminPage.getByLabel('Reason').first().fill('Compensation for a long wait')
  await add.click()
  const question = adminPage.getByRole('dialog')
  await question.getByText('Compensation for a long wait').waitFor(patience)
  await expectNoViolations(adminPage)
  await question.getByRole('button', { name: 'Add to wallet' }).click()
  await adminPage.getByText(/added to .*wallet/).waitFor(patience)

  await expect.poll(() => balanceOf(driver), patience).toBe(before + 250)
  await driver.getByText('Added by an admin').waitFor(patience)
})

it('admin takes money from a wallet and reverses it -> the balance is as before', async () => {
  const before = await balanceOf(driver)
  await adminPage.getByRole('button', { name: 'Take money' }).click()
  await adminPage.getByLabel('Amount').first().fill('40')
  await adminPage.getByLabel('Reason').first().fill('Paid twice')
  await adminPage.getByRole('button', { name: 'Take from wallet' }).click()
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Take from wallet' }).click()
  await adminPage.getByText(/taken from .*wallet/).waitFor(patience)
  await expect.poll(() => balanceOf(driver), patience).toBe(before - 40)

  const changes = adminPage.getByRole('region', { name: 'Credits and debits' })
  const taken = changes.getByRole('listitem').filter({ hasText: 'Paid twice' })
  await taken.getByRole('button', { name: 'Reverse' }).click()
  const dialog = adminPage.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Wrong person')
  await expectNoViolations(adminPage)
  await dialog.getByRole('button', { name: 'Reverse' }).click()
  await taken.getByText(/Reversed: .*Wrong person/).waitFor(patience)
  await expect.poll(() => balanceOf(driver), patience).toBe(before)
})

it('driver requests a withdrawal -> the wallet is debited', async () => {
  const before = await balanceOf(driver)
  await driver.getByRole('button', { name: 'Withdraw money' }).click()
  const form = driver.getByRole('region', { name: 'Withdraw money' })
  await form.getByLabel('Amount').fill(String(before + 1))
  await form.getByLabel('Bank name').fill('Banco del Puerto')
  await form.getByLabel('Account number').fill('001-4455')
  const send = form.getByRole('button', { name: 'Request withdrawal' })
  await send.click()
  await form.getByText('The wallet balance is too low for this.').first().waitFor(patience)
  await expectNoViolations(driver)
  await form.getByLabel('Amount').fill('60')
  await send.click()
  await driver.getByText(/^Withdrawal of .* requested/).waitFor(patience)
  await driver.getByText('Waiting', { exact: true }).waitFor(patience)
  await expect.poll(() => balanceOf(driver), patience).toBe(before - 60)
})

it('admin processes the withdrawal -> once, and the driver is notified', async () => {
  await adminPage.goto('/withdraws')
  await titled(adminPage, 'Withdrawals')
  const newest = row(name).first()
  const process = newest.getByRole('button', { name: 'Process', exact: true })
  const paidBefore = await driver.getByText('Paid out', { exact: true }).count()
  await process.click()
  const dialog = adminPage.getByRole('dialog')
  await dialog.getByText('001-4455').waitFor(patience)
  await expectNoViolations(adminPage)
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await newest.getByText('Paid out').waitFor(patience)
  await expect.poll(() => process.isDisabled(), patience).toBe(true)
  // The export is always available, with the current filters.
  const href = await adminPage.getByRole('link', { name: 'Export' }).getAttribute('href')
  const file = await adminPage.request.get(`${server.url}${href}`)
  expect(await file.text()).toContain(`"${name}",60,"Paid out"`)

  await expect
    .poll(() => driver.getByText('Paid out', { exact: true }).count(), patience)
    .toBe(paidBefore + 1)
})

it('the books balance, and say so', async () => {
  await adminPage.goto('/ledger')
  await titled(adminPage, 'Ledger')
  await adminPage.getByText('Books balance').waitFor(patience)
  const accounts = await adminPage.getByRole('main').getByRole('definition').allInnerTexts()
  const sums = accounts.map((text) => (/^[−-]/.test(text.trim()) ? -1 : 1) * amountIn(text))
  const total = sums.pop()
  expect([total, sums.reduce((sum, one) => sum + one, 0)]).toEqual([0, 0])
  await row('Withdrawal paid out').first().waitFor(patience)
  await expectNoViolations(adminPage)
})

it('the reports agree with the dashboard, and lead to the trips behind a month', async () => {
  await adminPage.goto('/dashboard')
  const card = adminPage.getByRole('link', { name: /Total booking fees/ })
  const earned = amountIn(await card.innerText(patience))

  await adminPage.goto('/earningreports')
  await titled(adminPage, 'Earnings reports')
  const report = adminPage.getByRole('treegrid', { name: 'Earnings reports' })
  const total = report.getByRole('row').filter({ hasText: 'Total' })
  await total.waitFor(patience)
  const titles = await report.getByRole('columnheader').allInnerTexts()
  const fees = titles.findIndex((title) => title.trim() === 'Booking fees')
  expect(
    amountIn(await total.locator('[role="gridcell"], [role="rowheader"]').nth(fees).innerText(patience)),
  ).toBe(earned)

  await adminPage.goto('/driverearning?group=driver')
  const drivers = adminPage.getByRole('treegrid', { name: words('Driver earnings') })
  // A driver, a year, a month; a row that is still loading has no amount.
  const line = (level: number) => drivers.locator(`[aria-level="${level}"]`).filter({ hasText: '$' }).first()
  await line(1).click(patience)
  await line(2).click(patience)
  await line(3).waitFor(patience)
  await expectNoViolations(adminPage)
  const file = await adminPage.request.get(`${server.url}/api/v1/exports/driver-earnings`)
  expect(await file.text()).toContain(name)

  await line(3).click()
  await adminPage.waitForURL(/\/bookings\?.*driver=/)
  await titled(adminPage, words('Booking history'))
})

it("driver's earnings of a month -> total, breakdown, and link to withdraw", async () => {
  const api = await callAs(server.url, 'driver')
  const read = (day: string) => api.earnings.period({ by: 'month', day })
  const { today } = await api.earnings.period({})
  // In the first days of a month the demo's trips are in the month before.
  const months = [await read(today), await read(periodBefore('month', today).from)]
  const month = months.find(({ total }) => total.trips > 0) as EarningPeriodView

  await driver.goto(`/earnings?by=month&day=${month.from}`)
  await titled(driver, 'Earnings')
  const figure = driver.getByRole('region', { name: 'Earned', exact: true })
  expect(amountIn(await figure.innerText(patience))).toBe(month.total.earned / unit)
  const parts = await amountsIn(driver.getByRole('region', { name: 'Breakdown' }))
  expect(parts.get('Your share')).toBe(month.total.driverShare / unit)
  const lines = driver.getByRole('region', { name: words('Trip by trip') }).getByRole('listitem')
  // The demo's deliveries are paid in advance.
  const method = driver.getByText(isDelivery ? /^(Wallet|Card)$/ : 'Cash')
  const trip = lines.filter({ has: method }).first()
  await trip
    .getByText(isDelivery ? /^(Wallet|Card)$/ : 'Cash')
    .first()
    .click(patience)
  const of = await amountsIn(trip)
  const [cost, fee] = [of.get(words('Trip cost')) ?? 0, of.get('Platform fee') ?? 0]
  expect(of.get('Your share')).toBe(cost + fee)
  if (isDelivery) expect(of.get('Added to wallet')).toBe(cost + fee)
  else expect(of.get('Deducted from wallet')).toBe(fee)
  await expectNoViolations(driver)
  await driver.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await driver.getByRole('region', { name: 'Withdraw money' }).getByLabel('Amount').waitFor(patience)
})

it('audit log -> who processed the withdrawal, with its amount', async () => {
  await adminPage.goto('/audit')
  await titled(adminPage, 'Audit log')
  await row(name).filter({ hasText: 'Processed' }).click()
  const dialog = adminPage.getByRole('dialog')
  const amount = dialog.getByRole('row').filter({ hasText: 'Amount' })
  await amount.waitFor(patience)
  expect(await amount.innerText()).toMatch(/60/)
  await expectNoViolations(adminPage)
  expect(pageErrors).toEqual([])
})
