import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { findPlace, type Receiver, startReceiver } from './harness/city.ts'
import { type Connection, openConnection } from './harness/connection.ts'
import { changeSettings, queryServer } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takePicture, withFailurePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let connection: Connection
let browser: Browser
let context: BrowserContext
let page: Page
let recipient: Page
let receiver: Receiver
let sender: ApiClient
let admin: ApiClient
let photo: Buffer
let id: string

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, {
    category: 'delivery',
    otp_secure: false,
    deliveryCode: true,
    deliveryName: true,
    AllowFinalDeliveryImageCapture: true,
    // The courier of this test stays at the pickup.
    deliveryWaitMinutes: 0,
    dispatch: { waveSeconds: 300 },
  })
  browser = await openBrowser({ graphics: picturesWanted })
  sender = await callAs(server.url, 'rider')
  admin = await callAs(server.url, 'admin')
  const driver = await callAs(server.url, 'driver')
  const names = ['Ejido 1275', 'Teatro Solís', 'Palacio Legislativo', 'Estadio Centenario']
  const [pickup, ...drops] = await Promise.all(names.map((name) => findPlace(server.url, name)))
  if (!pickup) throw new Error('no pickup')
  connection = await openConnection(server.url)
  const window = await openWindow(browser, { url: connection.url, phone: true, at: pickup })
  context = window.context
  page = window.page
  receiver = startReceiver(context, pickup)
  await signIn(page, 'driver')
  await page.getByRole('switch').waitFor(patience)
  photo = await page.screenshot({ type: 'png' })

  const rider = await sender.users.me()
  await admin.wallet.credit({ uid: rider?.uid ?? '', amount: 500_000_000, reason: 'For a test' })
  const [carType] = (await sender.carTypes.list()).filter(({ name }) => name === 'Economy')
  const { now } = await driver.settings.clock()
  await driver.tracking.online({ online: true })
  await driver.tracking.report({ positions: [{ ...pickup, at: Math.round(now) }] })
  const [first, second, third] = drops.map((drop, at) => ({ ...drop, add: names[at + 1] ?? '' }))
  const person = (deliveryPerson: string, n: number) => ({
    deliveryPerson,
    deliveryPersonPhone: `+59899000${n}00`,
  })
  const trip = await sender.bookings.create({
    pickup: { ...pickup, add: 'Ejido 1275, Centro' },
    drop: first as NonNullable<typeof first>,
    car_type_id: carType?.id ?? '',
    bookLater: false,
    payment_mode: 'wallet',
    instructionData: {
      ...person('Ada Lee', 1),
      deliveryInstructions: 'Ring twice',
      moreDrops: [
        { drop: second as NonNullable<typeof second>, ...person('Ben Sosa', 2) },
        { drop: third as NonNullable<typeof third>, ...person('Cleo Paz', 3) },
      ],
    },
  })
  id = trip.id
}, 300_000)

afterAll(async () => {
  receiver?.off()
  await browser?.close()
  connection?.close()
  await server?.close()
})

const showing = (name: string, steps: () => Promise<void>) => withFailurePicture(page, name, steps)

const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const stop = (name: string) => page.getByRole('article', { name, exact: true })
const seen = async () => {
  const { status, delivery } = await sender.bookings.get({ id })
  return { status, stops: delivery?.stops ?? [] }
}
const outcomes = async () => (await seen()).stops.map(({ outcome }) => outcome)
const codeOf = async (n: number) => (await seen()).stops[n]?.code ?? ''

/** Fills the open proof sheet and confirms it. */
async function prove(given: { name: string; code?: string; confirm: string }): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet
    .locator('input[type=file]')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo })
  await sheet.getByRole('img', { name: 'The parcel in your photo' }).waitFor(patience)
  await sheet.getByRole('textbox', { name: 'Received by' }).fill(given.name)
  if (given.code) await sheet.getByRole('textbox', { name: 'Delivery code' }).fill(given.code)
  await sheet.getByRole('button', { name: given.confirm, exact: true }).click()
}

it('request -> stops and total distance; pickup -> collected without proofs', () =>
  showing('courier-request', async () => {
    const request = page.getByRole('article', { name: /Request from/ })
    await request.getByText(/3 stops/).waitFor(patience)
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
    await takePicture(page, 'courier-request')
    await button('Accept').click()
    await stop('Pickup').waitFor(patience)
    await button('I’ve arrived').click()
    await takePicture(page, 'courier-pickup')
    await button('Collect parcel').click()
    await stop('Stop 1').getByText('Ring twice').waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'courier-stop')
  }))

it('recipient opens the link of their message -> code; instructions they change reach the courier', () =>
  showing('courier-recipient', async () => {
    const linkOf = async () => {
      const messages = await admin.mailbox.list({ channel: 'sms' })
      return messages.find(({ to }) => to === '+59899000100')?.text.match(/\/track\/\S+/)?.[0]
    }
    await expect.poll(linkOf, patience).toBeTruthy()
    const window = await openWindow(browser, { url: server.url, phone: true })
    recipient = window.page
    await recipient.goto((await linkOf()) ?? '')
    await recipient.getByRole('heading', { name: 'You’re next' }).waitFor(patience)
    const code = recipient.getByRole('region', { name: 'Code for the courier' })
    expect(await code.textContent()).toContain(await codeOf(1))
    expect(await findBarriers(recipient)).toEqual([])
    await recipient.getByRole('textbox', { name: 'How to find you' }).fill('Blue door')
    await recipient.getByRole('button', { name: 'Save for the courier' }).click()
    await recipient.getByRole('button', { name: 'Saved' }).waitFor(patience)
    await stop('Stop 1').getByText('Blue door').waitFor(patience)
  }))

it('first stop: wrong code, then photo, name and code -> delivered, the sender sees the photo', () =>
  showing('courier-first', async () => {
    await button('Delivered').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Delivered', exact: true }).click()
    await sheet.getByText('Take a photo.').waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    const code = await codeOf(1)
    await prove({ name: 'Ada', code: code === '1000' ? '1001' : '1000', confirm: 'Delivered' })
    await sheet.getByText(/Wrong code/).waitFor(patience)
    await takePicture(page, 'courier-wrong-code')
    await prove({ name: 'Ada', code, confirm: 'Delivered' })
    await stop('Stop 2').waitFor(patience)
    await expect.poll(outcomes, patience).toEqual(['collected', 'delivered', null, null])
    const [, first] = (await seen()).stops
    expect(first?.received_by).toBe('Ada')
    expect(first?.photo).toContain('/stops/1/deliver_image?at=')
  }))

it('recipient afterwards -> who received the parcel, and its photo', () =>
  showing('courier-proof', async () => {
    await recipient.getByRole('heading', { name: 'Your parcel was delivered' }).waitFor(patience)
    await recipient.getByText(/Received by .*Ada/).waitFor(patience)
    const shown = recipient.getByRole('link', { name: 'Photo by the courier' }).locator('img')
    const width = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width, patience).toBeGreaterThan(0)
    await recipient.context().close()
  }))

it('second stop: no one there -> failed, the way back is the last stop', () =>
  showing('courier-second', async () => {
    await button('Couldn’t deliver').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No one there').click()
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'place.png', mimeType: 'image/png', buffer: photo })
    await dialog.getByRole('img', { name: 'The place in your photo' }).waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'courier-fail')
    await dialog.getByRole('button', { name: 'Couldn’t deliver', exact: true }).click()
    await stop('Stop 3').waitFor(patience)
    await page.getByText('Return to the sender').waitFor(patience)
    await expect.poll(outcomes, patience).toEqual(['collected', 'delivered', 'failed', null, null])
    expect((await seen()).stops[2]?.photo).toContain('/stops/2/deliver_image?at=')
  }))

it('third stop offline, upload cut in the middle, app opened again -> photo, step and positions arrive once, in order', () =>
  showing('courier-offline', async () => {
    const code = await codeOf(3)
    // The service worker has stored the console.
    await page.waitForFunction(
      async () => (await (await caches.open('hansom-pages')).match('/bookings')) !== undefined,
      undefined,
      patience,
    )
    const upload = `/api/v1/bookings/${id}/stops/3/deliver_image`
    const arrived: string[] = []
    const reported: number[] = []
    context.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!response.ok()) return
      if (pathname === upload || pathname.endsWith('/deliver')) arrived.push(pathname)
      if (pathname.endsWith('/positions')) {
        const { positions } = response.request().postDataJSON() as { positions: { at: number }[] }
        reported.push(...positions.map(({ at }) => at))
      }
    })
    const waiting = () => page.getByText(/update will be sent/).waitFor(patience)
    const kept = async (name: string) =>
      JSON.parse((await page.evaluate((name) => localStorage.getItem(name), name)) ?? '{"items":[]}').items
    connection.cut()
    await button('Delivered').click()
    await prove({ name: 'Cleo', code, confirm: 'Delivered' })
    await waiting()
    await stop('Return to the sender').waitFor(patience)
    await expect.poll(async () => (await kept('hansom-driver-positions')).length, patience).toBeGreaterThan(2)
    const offline = (await kept('hansom-driver-positions')).map(({ at }: { at: number }) => at)

    const isCut = connection.cutDuring(`PUT ${upload}`, 1_500)
    await connection.restore()
    await isCut
    await waiting()
    await page.reload()
    await stop('Return to the sender').waitFor(patience)
    await waiting()
    await takePicture(page, 'courier-offline')
    expect(await outcomes()).toEqual(['collected', 'delivered', 'failed', null, null])
    expect(arrived).toEqual([])
    expect((await kept('hansom-driver-steps')).length).toBe(1)

    await connection.restore()
    await expect.poll(outcomes, patience).toEqual(['collected', 'delivered', 'failed', 'delivered', null])
    expect((await seen()).stops[3]).toMatchObject({ received_by: 'Cleo', photo: expect.any(String) })
    await expect.poll(() => kept('hansom-driver-steps'), patience).toEqual([])
    expect(arrived).toEqual([upload, `/api/v1/bookings/${id}/deliver`])
    // Those from before the step came before it, all of them once; the trip's route has them.
    await expect.poll(() => offline.filter((at: number) => !reported.includes(at)), patience).toEqual([])
    expect(reported).toEqual([...new Set(reported)].toSorted((a, b) => a - b))
    const stored = await queryServer<{ at: number }>(
      server,
      'select at::float8 as at from tracking where booking_id = $1',
      [id],
    )
    expect(stored.map(({ at }) => at)).toEqual(expect.arrayContaining(offline))
  }))

it('parcel returned -> the trip ends and closes by itself', () =>
  showing('courier-return', async () => {
    await button('Returned to the sender').click()
    await prove({ name: 'Sam', confirm: 'Returned to the sender' })
    await page.getByText('Delivery complete').waitFor(patience)
    await expect.poll(async () => (await seen()).status, patience).toBe('PAID')
    expect(await outcomes()).toEqual(['collected', 'delivered', 'failed', 'delivered', 'returned'])
  }))

it('sign-out -> nothing of the console stays on the device', () =>
  showing('courier-sign-out', async () => {
    await page.goto('/profile')
    await page.evaluate(() =>
      fetch('/api/auth/sign-out', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
    )
    const left = () =>
      page.evaluate(async () => {
        const cache = await caches.open('hansom-pages')
        return (await cache.keys()).map(({ url }) => url)
      })
    await expect.poll(left, patience).toEqual([])
  }))
