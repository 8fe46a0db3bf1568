import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { changeSettings } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let admin: Page

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { category: 'delivery' })
  browser = await openBrowser()
  admin = (await openWindow(browser, { url: server.url })).page
  await signIn(admin, 'admin')
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const titled = (name: string) => admin.getByRole('heading', { level: 1, name }).waitFor(patience)

it.each([
  ['en', 'Know the price. Follow the parcel.', 'Watch your parcel travel'],
  ['ar', 'اعرف السعر. تابع طردك.', 'تابع طردك في الطريق'],
] as const)(
  'landing page in %s: delivery installation -> speaks of parcels before any script',
  async (locale, slogan, benefit) => {
    const { context, page } = await openWindow(browser, { url: server.url, locale })
    const sent = (await (await context.request.get('/')).text()).replaceAll('\u00a0', ' ')
    expect(sent).toContain(`>${slogan}</h1>`)
    expect(sent).toContain(`>${benefit}</h3>`)
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: slogan }).waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  },
)

it('vehicle type: parcel type added -> stored with its amount, counted in the table', async () => {
  await admin.goto('/cartypes')
  await titled('Vehicle types')
  const row = admin.getByRole('row').filter({ hasText: 'Comfort' })
  const open = async () => {
    await row.getByRole('button', { name: 'Actions for Comfort' }).click()
    await admin.getByRole('menuitem', { name: 'Edit' }).click()
  }
  await open()
  const dialog = admin.getByRole('dialog')
  const types = dialog.getByRole('group', { name: 'Parcel types' })
  await types.getByRole('button', { name: 'Add parcel type' }).click()
  await types.getByLabel('Description', { exact: true }).fill('Large box')
  await types.getByLabel('Amount').fill('35')
  expect(await findBarriers(admin)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached', ...patience })
  // Its position is 2.
  await row.getByRole('gridcell', { name: '1', exact: true }).waitFor(patience)
  await open()
  expect(await types.getByLabel('Description', { exact: true }).inputValue()).toBe('Large box')
  expect(await types.getByLabel('Amount').inputValue()).toBe('35')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

it('menu and settings: delivery installation -> its words and its section, no seats and no panic button', async () => {
  expect(await admin.getByRole('columnheader', { name: 'Seats' }).count()).toBe(0)
  const menu = admin.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('button', { name: 'Users' }).click()
  await menu.getByRole('link', { name: 'Couriers' }).waitFor(patience)
  expect(await menu.getByRole('link', { name: 'Drivers' }).count()).toBe(0)
  await admin.goto('/settings')
  await titled('Settings')
  await admin.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor(patience)
  expect(await admin.getByText('Panic button').count()).toBe(0)
})
