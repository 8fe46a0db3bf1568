import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { type Account, enterAs } from './harness/accounts.ts'
import { openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { words } from './harness/category.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
const windows: BrowserContext[] = []
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

afterEach(() => Promise.all(windows.splice(0).map((window) => window.close())))

/** A window with a signed-in account, without the sign-in form. */
async function open(path: string, account?: Account): Promise<Page> {
  const { context, page } = await openWindow(browser, { url: server.url })
  windows.push(context)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  if (account) await enterAs(context, account)
  await page.goto(path)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
  return page
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const save = async (page: Page) => {
  await button(page, 'Save').click()
  await page.getByText('Settings saved.').waitFor(patience)
}
const titled = (page: Page, words: string) =>
  page.waitForFunction((text) => document.title.includes(text), words, patience)
/** Accessibility violations and overflow of this page, at desktop and phone width. */
async function findViolations(page: Page): Promise<string[]> {
  const found = await findBarriers(page)
  await page.setViewportSize(phoneSize)
  found.push(...(await findBarriers(page)))
  const beyond = await sidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  return beyond > 0 ? [...found, `scrolls ${beyond} px sideways`] : found
}

it('settings saved by an admin -> name, title, currency and sign-in methods update on every open page, typed text stays', async () => {
  const admin = await open('/appinfo', 'admin')
  const rider = await open('/bookings', 'rider')
  const visitor = await open('/login')
  await field(visitor, 'Email').fill('ana@rides.example')

  await field(admin, 'App name').fill('Blue Cab')
  await admin.getByText('1 unsaved change').waitFor(patience)
  expect(await findViolations(admin)).toEqual([])
  await save(admin)
  for (const page of [admin, rider, visitor]) {
    await titled(page, 'Blue Cab')
    await page.getByRole('banner').getByText('Blue Cab').waitFor(patience)
  }

  await admin.goto('/settings')
  await field(admin, 'Currency symbol').fill('€')
  await admin.getByRole('switch', { name: 'Phone sign-in' }).check({ force: true })
  await save(admin)
  await rider.getByText(/€\d/).first().waitFor(patience)
  await visitor.getByRole('tab', { name: 'Phone' }).waitFor(patience)
  await expect.poll(() => field(visitor, 'Email').inputValue(), patience).toBe('ana@rides.example')
  expect(pageErrors).toEqual([])
})

it('invalid values -> named at their fields, kept on leaving; test message -> its result is shown', async () => {
  const admin = await open('/settings', 'admin')
  await field(admin, 'Referral bonus').fill('-1')
  expect(await field(admin, 'Referral bonus').inputValue()).toBe('')
  await button(admin, 'Save').click()
  await admin.getByRole('alert').getByText('Enter a bonus of 0 or more.').waitFor(patience)
  expect(await findViolations(admin)).toEqual([])
  await admin.getByRole('link', { name: 'App info' }).click()
  const leaving = admin.getByRole('alertdialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await button(admin, 'Discard').click()
  await expect.poll(() => field(admin, 'Referral bonus').inputValue(), patience).not.toBe('')
  await button(admin, 'Test email').click()
  await admin.getByText(/stayed on this server/).waitFor(patience)
})

it('two admins change one field -> both values are shown to choose from', async () => {
  const one = await open('/appinfo', 'admin')
  const two = await open('/appinfo', 'admin')
  await field(one, 'Company name').fill('One')
  await field(two, 'Company name').fill('Two')
  await field(two, 'Contact email').fill('two@rides.example')
  await save(one)
  const conflict = two.getByRole('alert').filter({ hasText: 'Someone else changed these settings' })
  await conflict.getByText('One', { exact: true }).waitFor(patience)
  expect(await findViolations(two)).toEqual([])
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await save(two)
  await one.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name=CompanyName]')?.value === 'Two',
    undefined,
    patience,
  )
  const privacy = await open('/privacy-policy')
  await privacy.getByRole('link', { name: 'two@rides.example' }).waitFor(patience)
  await privacy.getByText(/Two keeps them/).waitFor(patience)
})

it('company address and tax -> on the receipt and in its PDF, which the rider downloads', async () => {
  const admin = await open('/settings', 'admin')
  await field(admin, 'Company address').fill('Rincón 454')
  await field(admin, 'Tax number').fill('21 000 001')
  await field(admin, 'Name of the tax').fill('IVA')
  await field(admin, words('Tax on the ride')).fill('10')
  await save(admin)

  const rider = await open('/bookings', 'rider')
  await rider.getByRole('listitem').filter({ hasText: 'Complete' }).first().getByRole('link').first().click()
  await rider.getByRole('link', { name: 'Receipt' }).click(patience)
  const sheet = rider.getByRole('article', { name: 'Receipt' })
  for (const text of [/Rincón 454/, /Tax number .*21 000 001/, /Includes .*IVA.* 10.*%/])
    await sheet.getByText(text).first().waitFor(patience)
  expect(await findViolations(rider)).toEqual([])
  const [file] = await Promise.all([
    rider.waitForEvent('download', patience),
    rider.getByRole('link', { name: 'Download PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
  const bytes = await readFile(await file.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
})

it('view saved in a table -> there after signing in elsewhere', async () => {
  const here = await open('/bookings', 'admin')
  await here.getByRole('searchbox').first().fill('Centenario')
  await here.waitForURL(/Centenario/)
  await button(here, 'Views').click()
  await field(here, 'View name').fill('To the stadium')
  await button(here, 'Save view').click()
  await button(here, 'To the stadium').first().waitFor(patience)

  const elsewhere = await open('/bookings', 'admin')
  await button(elsewhere, 'Views').click()
  await button(elsewhere, 'To the stadium').click(patience)
  await elsewhere.waitForURL(/Centenario/, patience)
})

it('language pack: invalid JSON -> error position; valid -> applied immediately', async () => {
  const admin = await open('/languagesetting?language=en&as=json', 'admin')
  const visitor = await open('/about-us')
  const source = admin.getByRole('textbox', { name: 'All texts of English as JSON' })
  const pack = await source.inputValue()
  const lines = pack.split('\n')
  const at = lines.findIndex((line) => line.includes('"static.about_title"'))
  /** Replaces one line like a user: replacing a hundred thousand characters takes the browser ten seconds. */
  const rewrite = async (line: string) => {
    await source.evaluate((area: HTMLTextAreaElement, number) => {
      const before = area.value.split('\n').slice(0, number)
      const from = before.reduce((sum, text) => sum + text.length + 1, 0)
      area.focus()
      area.setSelectionRange(from, area.value.indexOf('\n', from))
    }, at)
    await admin.keyboard.insertText(line)
  }
  await rewrite('  "static.about_title": About,')
  await button(admin, 'Save texts').click()
  const alert = admin.getByRole('alertdialog')
  await alert.getByText('JSON Error').waitFor(patience)
  await alert.getByText(`Line ${at + 1}, column 25`).waitFor(patience)
  expect(await findBarriers(admin)).toEqual([])
  await alert.getByRole('button', { name: 'Close' }).click()
  const caret = () => source.evaluate((area: HTMLTextAreaElement) => area.selectionStart)
  await expect.poll(caret, patience).toBe(lines.slice(0, at).join('\n').length + 1 + 24)

  await rewrite('  "static.about_title": "About {{unknown}}",')
  await button(admin, 'Save texts').click()
  await admin.getByText(/unknown placeholders: .*unknown/).waitFor(patience)
  await rewrite('  "static.about_title": "Who we are",')
  await button(admin, 'Save texts').click()
  await visitor.getByRole('heading', { level: 1, name: 'Who we are' }).waitFor(patience)
  expect(pageErrors).toEqual([])
})

it('language -> added, edited in the table, made the default, then not deletable', async () => {
  const admin = await open('/languagesetting', 'admin')
  await button(admin, 'Add language').click()
  const dialog = admin.getByRole('dialog', { name: 'Add language' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Català')
  await dialog.getByRole('textbox', { name: 'Language code', exact: true }).fill('ca')
  await dialog.getByRole('button', { name: 'Add' }).click()
  const card = admin.getByRole('listitem').filter({ hasText: 'Català' })
  await card.getByText('0% translated').waitFor(patience)
  expect(await findViolations(admin)).toEqual([])

  await card.getByRole('link', { name: 'Edit texts' }).click()
  await admin.getByRole('searchbox').fill('static.about_title')
  const cell = admin.getByRole('row').filter({ hasText: 'static.about_title' }).getByRole('gridcell').nth(1)
  await cell.dblclick()
  await admin.keyboard.press('ControlOrMeta+A')
  await admin.keyboard.type('Qui som')
  await admin.keyboard.press('Enter')
  await admin.getByRole('link', { name: 'All languages' }).click()
  await card.getByText(/^1 of/).waitFor(patience)
  await card.getByRole('button', { name: 'Make default' }).click()
  await card.getByText('Default', { exact: true }).waitFor(patience)

  const visitor = await open('/about-us')
  await visitor.getByRole('heading', { level: 1, name: 'Qui som' }).waitFor(patience)
  await expect.poll(() => visitor.locator('html').getAttribute('lang'), patience).toBe('ca')
  await card.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('alertdialog').getByText('Cannot delete default language').waitFor(patience)
})
