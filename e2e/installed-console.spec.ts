import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { taxiTest } from './harness/category.ts'
import { findPlace, type Receiver, startReceiver } from './harness/city.ts'
import { type Connection, openConnection } from './harness/connection.ts'
import { changeSettings } from './harness/database.ts'
import { bookTrip, type Trip } from './harness/ended-trip.ts'
import { patience } from './harness/patience.ts'
import { takePicture, withFailurePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let connection: Connection
let context: BrowserContext
let page: Page
let receiver: Receiver
let rider: ApiClient
let trip: Trip

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { otp_secure: false, dispatch: { waveSeconds: 300 } })
  browser = await openBrowser()
  rider = await callAs(server.url, 'rider')
  const driver = await callAs(server.url, 'driver')
  const pickup = await findPlace(server.url, 'Ejido 1275')
  connection = await openConnection(server.url)
  ;({ page, context } = await openWindow(browser, { url: connection.url, phone: true, at: pickup }))
  receiver = startReceiver(context, pickup)
  await signIn(page, 'driver')
  await page.getByRole('switch').waitFor(patience)
  trip = await bookTrip(server.url, rider, driver, { payment_mode: 'cash' })
  await button('Accept').click(patience)
  await button('I’ve arrived').waitFor(patience)
}, 300_000)

afterAll(async () => {
  receiver?.off()
  await browser?.close()
  connection?.close()
  await server?.close()
})

const showing = (name: string, steps: () => Promise<void>) => withFailurePicture(page, name, steps)
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true })
const status = async () => (await rider.bookings.get({ id: trip.id })).status
const kept = (name: string) => page.evaluate((name) => localStorage.getItem(name) ?? '', name)

taxiTest('offline: the console opens again; steps and positions wait, a cash trip cannot be closed', () =>
  showing('installed-console-offline', async () => {
    const state = () =>
      page.evaluate(async () => {
        const pages = await caches.open('hansom-pages')
        const [start, state] = await Promise.all([pages.match('/bookings'), pages.match('/offline/state')])
        return start ? ((await state?.text()) ?? '') : ''
      })
    await expect.poll(state, patience).toContain('ACCEPTED')
    connection.cut()
    await page.reload()
    await button('I’ve arrived').click(patience)
    await button('Start trip').click(patience)
    await button('End trip').click(patience)
    // The car stands at the pickup.
    await page.getByRole('button', { name: 'Yes, end the trip here' }).click(patience)
    await page.getByText(/updates? will be sent/).waitFor(patience)
    await expect.poll(() => kept('hansom-driver-positions'), patience).toContain('"lat"')
    // The steps outlive another start of the app.
    await page.reload()
    await page.getByText(/updates? will be sent/).waitFor(patience)
    await takePicture(page, 'installed-console-offline')
    expect(
      JSON.parse(await kept('hansom-driver-steps')).items.map(({ step }: { step: string }) => step),
    ).toEqual(['arrive', 'start', 'reach'])
    expect(await button(/^Collected|^Complete trip/).count()).toBe(0)
    expect(await status()).toBe('ACCEPTED')
  }),
)

taxiTest('sign-out without a connection -> says what would be lost; the driver stays', () =>
  showing('installed-console-sign-out', async () => {
    await page.getByRole('button', { name: 'My account' }).click(patience)
    await page.getByRole('button', { name: 'Sign out' }).click(patience)
    const question = page.getByRole('alertdialog', { name: 'Sign out and lose unsent work?' })
    await question.waitFor(patience)
    const { booking_id } = await rider.bookings.get({ id: trip.id })
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^Trip ${booking_id}\\s+3 steps$`)),
      expect.stringMatching(/^\d+ positions?$/),
    ])
    await takePicture(page, 'installed-console-sign-out')
    await question.getByRole('button', { name: 'Stay signed in' }).click(patience)
    await question.waitFor({ state: 'detached' })
    expect(JSON.parse(await kept('hansom-driver-steps')).items).toHaveLength(3)
    await page.keyboard.press('Escape')
    await page.getByText(/updates? will be sent/).waitFor(patience)
  }),
)

taxiTest('connection back -> the steps arrive once, in order; the trip can be closed', () =>
  showing('installed-console-online', async () => {
    const sent: string[] = []
    context.on('response', (response) => {
      const step = /\/bookings\/[\w-]+\/(arrive|start|reach)$/.exec(new URL(response.url()).pathname)?.[1]
      if (step && response.ok()) sent.push(step)
    })
    await connection.restore()
    await expect.poll(status, patience).toBe('REACHED')
    await expect.poll(() => kept('hansom-driver-steps'), patience).toBe('')
    await button(/^Collected/).click(patience)
    await expect.poll(status, patience).toBe('PAID')
    expect(sent).toEqual(['arrive', 'start', 'reach'])
  }),
)
