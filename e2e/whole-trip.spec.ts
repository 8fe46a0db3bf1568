import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts, fillSignIn, signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { choosePlace, followTrip, toConfirmation } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, startOf, usualCar, words } from './harness/category.ts'
import { findPlace, findRoute, startReceiver } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { recordHistory } from './harness/history-log.ts'
import { recordLiveFrames } from './harness/live-frames.ts'
import { carDistance, mapDrawn } from './harness/map.ts'
import { amountIn, amountsIn } from './harness/money.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takeFailurePicture, takePicture, takeReadmePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser

/** Time in this city runs three times as fast, and so do its cars; not for screenshots, where the demo displays it. */
const speed = picturesWanted ? 1 : 3

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_SPEED: String(speed) })
  browser = await openBrowser({ graphics: true })
  // A slow machine must not lose a request to its countdown.
  await changeSettings(server, { otp_secure: true, dispatch: { waveSeconds: 300 } })
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const dropLabel = 'Tristán Narvaja'

/** The driver's location at the start; the pickup and the drop of the trip. */
const spots = { driver: 'Plaza Cagancha', pickup: 'Ejido 1275', drop: 'Tristán Narvaja 1500' }

it('trip from booking to ratings, with a reload and dropped connections -> complete', {
  timeout: 600_000,
}, async () => {
  const [start, pickup, drop] = await Promise.all(
    [spots.driver, spots.pickup, spots.drop].map((name) => findPlace(server.url, name)),
  )
  if (!start || !pickup || !drop) throw new Error('place not found')
  const approach = await findRoute(server.url, start, pickup)
  const route = await findRoute(server.url, pickup, drop)

  const phone = await openWindow(browser, { url: server.url, phone: true, at: start })
  const desk = await openWindow(browser, { url: server.url })
  const receiver = startReceiver(phone.context, start)
  const driver = phone.page
  const rider = desk.page
  const frames = recordLiveFrames(rider)
  await recordHistory(rider)
  const driverConsole = driver.getByRole('main')
  const step = (name: string) => driverConsole.getByRole('button', { name, exact: true })
  const line = rider.getByRole('heading', { level: 1 })
  /** Starts the trip with a code; a courier collects the cash with the parcel. */
  let cash = Number.NaN
  const startWith = async (code: string) => {
    await driver.getByLabel(words('Trip code')).fill(code)
    await step(words('Start trip', 'driver.step_start')).click()
    if (!isDelivery) return
    const sheet = driver.getByRole('dialog')
    cash = amountIn(
      await sheet
        .getByText(/in cash/)
        .first()
        .innerText(),
    )
    await sheet.getByRole('checkbox').check()
    await sheet.getByRole('button', { name: 'Collect parcel', exact: true }).click()
  }
  /** The last step at the drop; for the rider the trip is under way before it. */
  const end = isDelivery ? 'Delivered' : 'End trip'
  const driving = new RegExp(words('You’re on your way'))
  const riderReads = (text: RegExp) => line.filter({ hasText: text }).waitFor(patience)

  try {
    // The driver goes online, because requests only arrive then.
    await signIn(driver, 'driver')
    await driver.waitForURL('**/bookings')
    const online = driver.getByRole('switch')
    await online.filter({ hasText: 'You’re offline' }).click()
    await online.filter({ hasText: 'You’re online' }).waitFor(patience)
    await driver.getByText(words('Waiting for trip requests')).waitFor(patience)
    await expect.poll(() => driver.getByText('Waiting for your location…').count(), patience).toBe(0)
    await takePicture(driver, 'driver-1-online')

    // The signed-out rider finds both places, one with a typo and one without the accent, and sees the fare.
    await rider.goto('/')
    await choosePlace(rider, 'From', 'ejdio 1275', spots.pickup)
    await choosePlace(rider, 'To', 'tristan narvaja 1500', dropLabel)
    const economy = rider.getByRole('radio', { name: new RegExp(usualCar) })
    await economy.waitFor(patience)
    await rider.getByRole('radio', { name: new RegExp(`${usualCar}.*\\d.* away`) }).waitFor(patience)
    await economy.check()
    const fare = amountIn(
      (await rider.locator('label').filter({ has: economy }).innerText()).split('\n').at(-1) ?? '',
    )
    expect(fare).toBeGreaterThan(0)
    await takePicture(rider, 'rider-1-fares')

    // Booking asks to sign in; the draft is still there afterwards.
    await rider.getByRole('button', { name: 'Book Now' }).click()
    const asks = rider.getByRole('alertdialog')
    await asks.getByText(words('You need an account to book a trip.')).waitFor()
    await asks.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(rider, accounts.rider)
    // The confirmation opens as soon as the fare is known, and hides the form behind it from screen readers.
    const draft = { includeHidden: true }
    await expect
      .poll(() => rider.getByRole('combobox', { name: 'From', ...draft }).inputValue(), patience)
      .toContain(spots.pickup)
    await expect
      .poll(() => rider.getByRole('combobox', { name: 'To', ...draft }).inputValue(), patience)
      .toContain(dropLabel)
    const chosen = rider.getByRole('radio', { name: new RegExp(usualCar), ...draft })
    await expect.poll(() => chosen.isChecked(), patience).toBe(true)

    // After sign-in the booking continues automatically: the confirmation shows the parts of the fare, which add up.
    const confirm = await toConfirmation(rider)
    await confirm.getByText('Base fare').waitFor(patience)
    const quoted = await amountsIn(confirm)
    expect(quoted.get('Total')).toBe(fare)
    expect(sumWithout(quoted, ['Total'])).toBe(fare)
    await takePicture(rider, 'rider-2-confirm')
    await confirm.getByRole('button', { name: /^Confirm/ }).dblclick()
    await rider.getByRole('dialog', { name: 'Booked' }).waitFor(patience)
    await takePicture(rider, 'rider-3-booked')
    const { bookingId, tripId } = await followTrip(rider)
    expect(bookingId).toMatch(/^\w{6}$/)
    await riderReads(new RegExp(words('Finding your driver')))
    await rider.getByText(bookingId).first().waitFor()
    await takePicture(rider, 'rider-4-searching')

    // The request shows the driver's share, the fare, the route to the pickup and a countdown.
    const request = driver.getByRole('article', { name: /Request from/ })
    await request.waitFor(patience)
    await request.getByText(/to the pickup/).waitFor()
    await request.getByRole('timer').waitFor()
    expect(amountIn(await request.getByText(startOf('Rider pays …', 'driver.rider_pays')).innerText())).toBe(
      fare,
    )
    expect(amountIn(await request.innerText())).toBeLessThan(fare)
    await takePicture(driver, 'driver-2-request')
    await request.getByRole('button', { name: 'Accept' }).click()
    await driver.getByText(words('Drive to the pickup')).waitFor(patience)
    await riderReads(/Bruno.* is on the way/)
    await rider.getByText('SDM 2026').first().waitFor()
    await takePicture(driver, 'driver-3-accepted')

    // The car moves closer on the rider's map, smoothly. Elsewhere there is no motion: without a graphics card, drawing
    // it takes most of the processor's time.
    await rider.emulateMedia({ reducedMotion: 'no-preference' })
    await receiver.drive(approach, { to: 0.2, speed })
    await mapDrawn(rider)
    let before: number | null = null
    await expect.poll(async () => (before = await carDistance(rider, 'pickup')), patience).not.toBeNull()
    await receiver.drive(approach, { from: 0.2, to: 0.4, speed })
    await expect.poll(() => carDistance(rider, 'pickup'), patience).toBeLessThan(before ?? 0)
    await takePicture(rider, 'rider-5-coming')
    await takeReadmePicture(rider)
    await rider.emulateMedia({ reducedMotion: 'reduce' })

    // A reload shows the same trip.
    await rider.reload()
    await riderReads(/Bruno.* is on the way/)
    await expect.poll(() => carDistance(rider, 'pickup'), patience).not.toBeNull()
    await mapDrawn(rider)
    const code = await readCode(rider)

    // The rider goes offline; meanwhile the driver arrives. Back online, no event is missing.
    await desk.context.setOffline(true)
    await rider.getByText('No internet connection').waitFor(patience)
    await takePicture(rider, 'rider-6-offline')
    await receiver.drive(approach, { from: 0.4, speed })
    await step('I’ve arrived').click()
    await driver.getByLabel(words('Trip code')).waitFor(patience)
    await takePicture(driver, 'driver-4-code')
    await desk.context.setOffline(false)
    await riderReads(/Bruno.* has arrived/)
    await takePicture(rider, 'rider-7-arrived')

    // A wrong code is refused, the right one starts the trip.
    await startWith(code === '12345' ? '54321' : '12345')
    await driver.getByRole('alert').filter({ hasText: 'Wrong code. 4 tries left.' }).waitFor(patience)
    await startWith(code)
    await step(end).waitFor(patience)
    await riderReads(driving)

    await receiver.drive(route, { to: 0.5, speed })
    const half = (await carDistance(rider, 'drop')) ?? 0
    await takePicture(rider, 'rider-8-driving')
    await takePicture(driver, 'driver-5-driving')

    // The driver goes offline during the trip. Steps taken meanwhile are queued, marked, and sent in order.
    await phone.context.setOffline(true)
    await driver.getByText('No internet connection').first().waitFor(patience)
    await receiver.drive(route, { from: 0.5, speed })
    await step(end).click()
    const collected = driverConsole.getByRole('button', { name: /^Collected/ })
    if (isDelivery) await driver.getByText(/updates? will be sent/).waitFor(patience)
    else {
      await driver.getByText('1 update will be sent').waitFor(patience)
      // The amount to collect is not known yet, so a cash trip cannot be closed.
      await driver.getByText(/The fare will be calculated/).waitFor(patience)
      expect(await collected.count()).toBe(0)
    }
    await takePicture(driver, 'driver-6-offline')
    await riderReads(driving)
    await phone.context.setOffline(false)
    if (!isDelivery) {
      await collected.waitFor(patience)
      cash = amountIn(await collected.innerText())
      await collected.click()
    }
    await driver.getByText(words('Trip complete')).waitFor(patience)
    await expect.poll(() => driver.getByText(/will be sent/).count(), patience).toBe(0)
    await riderReads(/Paid/)
    await expect.poll(() => carDistance(rider, 'drop'), patience).not.toBe(half)
    await takePicture(driver, 'driver-7-finished')

    // The receipt is for the driven route; its parts add up to the last digit.
    await rider.getByRole('term').filter({ hasText: 'Paid in cash' }).waitFor(patience)
    const receipt = await amountsIn(rider.getByRole('main'))
    const total = receipt.get('Total') ?? Number.NaN
    expect(
      sumOf(receipt, [
        'Base fare',
        'Distance',
        'Time',
        words('Extras'),
        'Minimum fare adjustment',
        'Booking fee',
      ]),
    ).toBe(total)
    expect(receipt.get('Paid in cash')).toBe(total)
    expect(cash).toBe(total)
    await takePicture(rider, 'rider-10-receipt')
    await rider
      .getByRole('group', { name: startOf('How was your trip with …?', 'trip.rate_driver') })
      .getByRole('radio', { name: '5 stars' })
      .check({ force: true })
    await rider.getByLabel(/Leave a comment/).fill('Calm and on time')
    await rider.getByRole('button', { name: 'Send rating' }).click()
    await riderReads(new RegExp(words('Trip complete')))
    // The response to the rating may be faster than the live connection, which closes with the page.
    await expect.poll(() => frames.statuses(tripId), patience).toContain('COMPLETE')
    await takePicture(rider, 'rider-11-complete', true)

    await driver
      .getByRole('group', {
        name: new RegExp(`${startOf('How was your trip with …?', 'driver.rate_rider')}.*Ana`),
      })
      .getByRole('radio', { name: '4 stars' })
      .check({ force: true })
    await driver.getByRole('button', { name: 'Send rating' }).click()
    await driver.getByText('Thanks for your rating.').waitFor(patience)
    await driver.getByRole('button', { name: 'Continue' }).click()
    await driver.getByText(words('Waiting for trip requests')).waitFor(patience)
    await takePicture(driver, 'driver-8-after', true)

    // Both find it in their histories.
    for (const page of [rider, driver]) {
      await page.goto('/bookings')
      const row = page.getByRole('listitem').filter({ hasText: bookingId })
      await row.getByText('Complete', { exact: true }).waitFor(patience)
    }

    expect(frames.gaps(tripId)).toEqual([])
    expect(frames.connections()).toBeGreaterThanOrEqual(3)
    const statuses = frames.statuses(tripId)
    for (const status of ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'PAID', 'COMPLETE']) {
      expect(statuses).toContain(status)
    }
    const admin = await callAs(server.url, 'admin')
    const steps = await admin.bookings.events({ id: tripId })
    expect(steps.map(({ to }) => to)).toEqual(expect.arrayContaining(['REACHED', 'PAID']))
    expect(unexpected(desk.problems)).toEqual([])
    expect(unexpected(phone.problems)).toEqual([refusedCode])
  } catch (error) {
    await takeFailurePicture(rider, 'rider')
    await takeFailurePicture(driver, 'driver')
    throw error
  } finally {
    receiver.off()
    await desk.context.close()
    await phone.context.close()
  }
})

/** The browser's own log of the one wrong code that was tried. */
const refusedCode =
  'console: Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)'

/** All problems except the browser's own logs of the connections dropped on purpose. */
function unexpected(problems: readonly string[]): string[] {
  return problems.filter((problem) => !problem.includes('net::ERR_INTERNET_DISCONNECTED'))
}

function sumOf(lines: Map<string, number>, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (lines.get(name) ?? 0), 0)
}

function sumWithout(lines: Map<string, number>, names: readonly string[]): number {
  return sumOf(
    lines,
    [...lines.keys()].filter((name) => !names.includes(name)),
  )
}

/** The code as read aloud by the page, "1 2 3 4 5". */
async function readCode(page: Page): Promise<string> {
  const read = await page.getByRole('region', { name: words('Trip code for your driver') }).innerText()
  return read.replace(/\D/g, '').slice(0, 5)
}
