import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { accounts, fillSignIn, signIn } from './harness/accounts.ts'
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
  await context.addInitScript(countListeners)
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
    // The driver's own state, which follows the acceptance; the trip's booking may be stored before it.
    const state = () =>
      page.evaluate(async () => {
        const pages = await caches.open('hansom-pages')
        const [start, stored] = await Promise.all([pages.match('/bookings'), pages.match('/offline/state')])
        if (!start || !stored) return ''
        const { kept } = (await stored.json()) as { kept: { entries: [object, object][] } }
        const own = kept.entries.find(([key]) => JSON.stringify(key).includes('"tracking","state"'))
        return JSON.stringify(own?.[1] ?? '')
      })
    await expect.poll(state, patience).toContain('"queue":true')
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

/** Counts what listens to the page's long-lived objects, in `listening()`: it must not grow with each user of the page. */
const countListeners = `(() => {
  const kinds = ['Window', 'HTMLDocument', 'ServiceWorkerContainer', 'ServiceWorkerRegistration', 'MediaQueryList', 'BroadcastChannel']
  const ids = new WeakMap()
  let last = 0
  const idOf = (one) => ids.get(one) ?? (ids.set(one, ++last), last)
  const listeners = new Set()
  const observers = new Set()
  const timers = new Set()
  const keyOf = (target, type, listener, options) => {
    const kind = target?.constructor?.name ?? 'Window'
    if (!listener || !kinds.includes(kind) || options?.once) return null
    return [kind, type, idOf(target ?? window), idOf(listener), Boolean(options?.capture ?? options === true)].join(' ')
  }
  const { addEventListener, removeEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const key = keyOf(this, type, listener, options)
    if (key) listeners.add(key)
    return addEventListener.call(this ?? window, type, listener, options)
  }
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    listeners.delete(keyOf(this, type, listener, options))
    return removeEventListener.call(this ?? window, type, listener, options)
  }
  const { observe, disconnect } = PerformanceObserver.prototype
  PerformanceObserver.prototype.observe = function (...given) {
    observers.add(this)
    return observe.apply(this, given)
  }
  PerformanceObserver.prototype.disconnect = function () {
    observers.delete(this)
    return disconnect.call(this)
  }
  const { setInterval, clearInterval } = window
  window.setInterval = (...given) => {
    const timer = setInterval(...given)
    timers.add(timer)
    return timer
  }
  window.clearInterval = (timer) => {
    timers.delete(timer)
    clearInterval(timer)
  }
  window.listening = () => {
    const counts = { observers: observers.size, timers: timers.size }
    for (const key of listeners) {
      const name = key.split(' ').slice(0, 2).join(' ')
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
})()`

taxiTest('signed out and in again in one page -> nothing listens twice', () =>
  showing('installed-console-again', async () => {
    const listening = () => page.evaluate('listening()') as Promise<Record<string, number>>
    const again = async () => {
      await page.getByRole('button', { name: 'My account' }).click(patience)
      await page.getByRole('button', { name: 'Sign out' }).click(patience)
      await page.getByRole('button', { name: 'My account' }).waitFor({ ...patience, state: 'detached' })
      const email = page.getByRole('textbox', { name: 'Email' })
      // In the same page, as a link does. The page itself may lead to the front page meanwhile.
      const enter = async () => {
        const onward = page.getByRole('button', { name: 'Continue', exact: true })
        if (await page.getByRole('switch').isVisible()) return true
        if (await onward.isVisible()) await onward.click().catch(() => {})
        else if (await email.isVisible()) await fillSignIn(page, accounts.driver).catch(() => {})
        else {
          await page.evaluate(() => {
            history.pushState({}, '', '/login')
            dispatchEvent(new PopStateEvent('popstate'))
          })
        }
        return false
      }
      await expect.poll(enter, { ...patience, interval: 1_500 }).toBe(true)
      // The console keeps its pages again.
      await expect
        .poll(
          () =>
            page.evaluate(async () => (await caches.open('hansom-pages')).keys().then((all) => all.length)),
          patience,
        )
        .toBe(2)
    }
    page.setDefaultTimeout(5_000)
    // What loads on demand for the first time may add listeners once.
    await again()
    await again()
    const before = await listening()
    for (let round = 0; round < 3; round++) await again()
    await expect.poll(listening, patience).toEqual(before)
    expect(before.observers).toBeGreaterThan(0)
  }),
)
