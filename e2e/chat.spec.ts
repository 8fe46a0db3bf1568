import { setTimeout as wait } from 'node:timers/promises'
import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { enterAs, signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, words } from './harness/category.ts'
import { findPlace, type Receiver, startReceiver } from './harness/city.ts'
import { bookTrip, type Trip } from './harness/ended-trip.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takeFailurePicture, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let receiver: Receiver
let trip: Trip
let driverApi: ApiClient
let admin: ApiClient
const windows = {} as Record<'rider' | 'driver', { page: Page; context: BrowserContext; problems: string[] }>

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser({ graphics: picturesWanted })
  const rider = await callAs(server.url, 'rider')
  driverApi = await callAs(server.url, 'driver')
  admin = await callAs(server.url, 'admin')
  const me = await rider.users.me()
  if (isDelivery) await admin.wallet.credit({ uid: me?.uid ?? '', amount: 50_000_000, reason: 'For a test' })
  const pickup = await findPlace(server.url, 'Ejido 1275')
  windows.driver = await openWindow(browser, { url: server.url, phone: true, at: pickup })
  windows.rider = await openWindow(browser, { url: server.url, phone: true })
  receiver = startReceiver(windows.driver.context, pickup)
  trip = await bookTrip(server.url, rider, driverApi, { payment_mode: isDelivery ? 'wallet' : 'cash' })
  const isAsked = () =>
    driverApi.bookings.get({ id: trip.id }).then(
      () => true,
      () => false,
    )
  while (!(await isAsked())) await wait(100)
  await driverApi.bookings.accept({ id: trip.id })
  await signIn(windows.driver.page, 'driver')
  await enterAs(windows.rider.context, 'rider')
  await windows.rider.page.goto(`/trip/${trip.id}`)
}, 300_000)

afterAll(async () => {
  receiver?.off()
  await browser?.close()
  await server?.close()
})

const chatButton = (who: 'rider' | 'driver') =>
  windows[who].page.getByRole('main').getByRole('button', { name: /^Chat/ })
const sheet = (who: 'rider' | 'driver') => windows[who].page.getByRole('dialog', { name: /^Chat with/ })
const messages = (who: 'rider' | 'driver') => sheet(who).getByRole('listitem').locator('[data-kind]')
const reads = (who: 'rider' | 'driver', text: string) =>
  messages(who).filter({ hasText: text }).first().waitFor(patience)
const write = async (who: 'rider' | 'driver', text: string) => {
  await sheet(who).getByRole('textbox', { name: 'Message' }).fill(text)
  await sheet(who).getByRole('button', { name: 'Send', exact: true }).click()
}

/** Takes a screenshot of both phones when a step fails. */
async function withFailurePictures(name: string, steps: () => Promise<void>): Promise<void> {
  try {
    await steps()
  } catch (error) {
    for (const who of ['rider', 'driver'] as const)
      await takeFailurePicture(windows[who].page, `${name}-${who}`)
    throw error
  }
}

it('quick reply and text -> counted on the closed chat, read in the open one', () =>
  withFailurePictures('chat-text', async () => {
    await chatButton('driver').click()
    await sheet('driver').getByText('No messages yet').waitFor(patience)
    await takePicture(windows.driver.page, 'chat-1-empty')
    await sheet('driver').getByRole('button', { name: 'I’m on my way' }).click()
    await reads('driver', 'I’m on my way')
    await windows.rider.page.getByRole('button', { name: 'Chat, 1 unread message' }).waitFor(patience)
    await chatButton('rider').click()
    await reads('rider', 'I’m on my way')
    // The driver sees that it was read.
    await messages('driver').filter({ hasText: 'Read' }).first().waitFor(patience)
    await write('rider', 'I’m at the blue gate.\nNext to the bakery.')
    await reads('driver', 'Next to the bakery.')
    expect(await findBarriers(windows.rider.page)).toEqual([])
    expect(await sidewaysScroll(windows.rider.page)).toBeLessThanOrEqual(0)
    await takePicture(windows.rider.page, 'chat-2-rider')
  }))

it('photo -> shown to the other person, who opens it large and saves it', () =>
  withFailurePictures('chat-photo', async () => {
    const picture = await windows.rider.page.screenshot({ type: 'png' })
    await sheet('rider')
      .getByLabel('Add a photo')
      .setInputFiles({ name: 'gate.png', mimeType: 'image/png', buffer: picture })
    const photo = sheet('driver').getByRole('img', { name: /^Photo from/ })
    await photo.waitFor(patience)
    await expect
      .poll(() => photo.evaluate((image) => (image as HTMLImageElement).naturalWidth), patience)
      .toBeGreaterThan(0)
    await takePicture(windows.driver.page, 'chat-3-photo')
    const { page } = windows.driver
    const viewer = page.getByRole('dialog', { name: /^Photo from/ })
    await photo.click()
    const large = viewer.getByRole('img', { name: /^Photo from/ })
    await large.waitFor(patience)
    const [fitted, room] = [await large.boundingBox(), page.viewportSize()]
    expect((fitted?.y ?? 0) + (fitted?.height ?? 0)).toBeLessThanOrEqual(room?.height ?? 0)
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
    await takePicture(page, 'chat-3-viewer')
    const [saved] = await Promise.all([
      page.waitForEvent('download', patience),
      viewer.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^photo-[0-9a-f]{8}\.webp$/)
    // Escape and Back close the photo only.
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'hidden', ...patience })
    await photo.click()
    await large.waitFor(patience)
    await page.goBack()
    await viewer.waitFor({ state: 'hidden', ...patience })
    await sheet('driver').getByRole('textbox', { name: 'Message' }).waitFor(patience)
  }))

it('messages while the list of bookings is open -> counted in their row, without loading the list again', () =>
  withFailurePictures('chat-list', async () => {
    await sheet('rider').getByRole('button', { name: 'Close chat' }).click()
    const list = await windows.rider.context.newPage()
    let loads = 0
    list.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/bookings') loads += 1
    })
    await list.goto('/bookings')
    const row = list.getByRole('listitem').filter({ has: list.locator(`a[href="/trip/${trip.id}"]`) })
    await row.waitFor(patience)
    const counted = (count: number) =>
      row.getByText(new RegExp(`Chat, ${count} unread message`)).waitFor(patience)
    const before = loads
    for (const [index, text] of ['Still coming?', 'I’ll wait.'].entries()) {
      await write('driver', text)
      await counted(index + 1)
    }
    await takePicture(list, 'chat-3-list')
    await chatButton('rider').click()
    await reads('rider', 'I’ll wait.')
    await expect.poll(() => row.getByText(/unread message/).count(), patience).toBe(0)
    expect(loads).toBe(before)
    await list.close()
  }))

it('written without a connection, page reloaded -> sent once when it is back', () =>
  withFailurePictures('chat-offline', async () => {
    const { page, context } = windows.rider
    await context.setOffline(true)
    await write('rider', 'Are you near?')
    await sheet('rider').getByText('Sends when you’re back online').waitFor(patience)
    await takePicture(page, 'chat-4-offline')
    await context.setOffline(false)
    await reads('driver', 'Are you near?')
    await expect
      .poll(() => sheet('rider').getByText('Sends when you’re back online').count(), patience)
      .toBe(0)
    // A message whose answer is lost is sent again with the same key, also by the next page.
    await page.route('**/chat', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await write('rider', 'I see your car')
    await reads('driver', 'I see your car')
    await page.unroute('**/chat')
    await page.goto(`/trip/${trip.id}?chat=open`)
    await reads('rider', 'I see your car')
    await expect.poll(() => sheet('rider').getByText('Sending…').count(), patience).toBe(0)
    expect(await messages('driver').filter({ hasText: 'I see your car' }).count()).toBe(1)
    expect(await messages('rider').filter({ hasText: 'I see your car' }).count()).toBe(1)
  }))

it('blocked, unblocked -> neither writes meanwhile', () =>
  withFailurePictures('chat-block', async () => {
    const { page } = windows.rider
    await sheet('rider').getByRole('button', { name: 'Chat options' }).click()
    await page.getByRole('menuitem', { name: 'Block messages' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block messages' }).click()
    await sheet('driver')
      .getByText(/isn’t taking messages/)
      .waitFor(patience)
    await sheet('rider').getByRole('button', { name: 'Unblock' }).click()
    await sheet('driver').getByRole('textbox', { name: 'Message' }).waitFor(patience)
  }))

it('reported, trip over -> closed for both; an admin reads and settles', () =>
  withFailurePictures('chat-end', async () => {
    const { page } = windows.rider
    await sheet('rider').getByRole('button', { name: 'Chat options' }).click()
    await page.getByRole('menuitem', { name: 'Report' }).click()
    const report = page.getByRole('dialog', { name: 'Report this chat' })
    await report.getByRole('combobox').selectOption({ label: 'Unwanted messages' })
    await report.getByRole('button', { name: 'Send report' }).click()
    const thanks = page.getByRole('alertdialog')
    await thanks.getByText('Thanks. We received your report.').waitFor(patience)
    await thanks.getByRole('button', { name: 'Close' }).click()
    await thanks.waitFor({ state: 'hidden', ...patience })
    for (const command of ['arrive', 'start', 'reach'] as const)
      await driverApi.bookings[command]({ id: trip.id })
    await driverApi.bookings.close({ id: trip.id })
    // The console goes on to the rating; the page of the trip has the conversation.
    await windows.driver.page.goto(`/trip/${trip.id}?chat=open`)
    for (const who of ['rider', 'driver'] as const) {
      await sheet(who)
        .getByText(words('This chat is closed because the trip has ended. You can read it for a while.'))
        .waitFor(patience)
      await reads(who, 'I see your car')
      expect(await sheet(who).getByRole('textbox').count()).toBe(0)
    }
    await takePicture(page, 'chat-5-closed')
    const desk = await openWindow(browser, { url: server.url })
    await enterAs(desk.context, 'admin')
    await desk.page.goto(`/trip/${trip.id}`)
    await desk.page.getByRole('button', { name: 'Read chat' }).click()
    const reading = desk.page.getByRole('dialog')
    await reading.getByRole('button', { name: 'Read chat' }).click()
    await reading.getByText('I see your car').waitFor(patience)
    await takePicture(desk.page, 'chat-6-admin')
    await reading.getByRole('img', { name: /^Photo from/ }).click()
    const viewer = desk.page.getByRole('dialog', { name: /^Photo from/ })
    await viewer.getByRole('img').waitFor(patience)
    await takePicture(desk.page, 'chat-6-admin-photo')
    await desk.page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'hidden', ...patience })
    await reading.getByRole('textbox').fill('Nothing wrong here')
    await reading.getByRole('button', { name: 'Settle report' }).click()
    // The note is isolated from the text around it.
    await reading.getByText(/Settled: .?Nothing wrong here/).waitFor(patience)
    const { items } = await admin.audit.list({})
    const actions = items.map(({ action }) => action).filter((action) => action.startsWith('chats.'))
    // The photos belong to the reading.
    expect(actions.sort()).toEqual(['chats.read', 'chats.settleReport'])
    const expected = /Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/
    const problems = [windows.rider, windows.driver, desk].flatMap((window) => window.problems)
    expect(problems.filter((problem) => !expected.test(problem))).toEqual([])
  }))
