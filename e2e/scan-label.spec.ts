import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { findPlace, type Receiver, startReceiver } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { patience } from './harness/patience.ts'
import { takeFailurePicture, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let folder: string
let receiver: Receiver
const browsers: Browser[] = []

afterAll(async () => {
  receiver?.off()
  for (const browser of browsers) await browser.close()
  await server?.close()
  if (folder) await rm(folder, { recursive: true })
})

/** Left and right edges of the bars on the labels of a PDF, in modules after the quiet zone. */
function barsIn(pdf: Buffer): [left: number, right: number][] {
  const text = pdf.toString('latin1')
  for (const { index, 0: word } of text.matchAll(/stream\r?\n/g)) {
    const start = index + word.length
    let content: string
    try {
      content = inflateSync(pdf.subarray(start, text.indexOf('endstream', start))).toString('latin1')
    } catch {
      continue
    }
    // A filled rectangle as high as the barcode: x0 0, x1 0, x1 62, x0 62.
    const bars = content.matchAll(/^([\d.]+) 0 m\n([\d.]+) 0 l\n\2 62 l\n\1 62 l\nh\nf$/gm)
    const found = Array.from(bars, ([, left, right]): [number, number] => [Number(left), Number(right)])
    if (found.length > 0) return found
  }
  throw new Error('no barcode in the PDF')
}

/** A video of the bars for the browser's camera: 640 by 480, two equal frames of YUV 4:2:0 (YUV4MPEG2). */
function videoOf(bars: readonly [number, number][]): Buffer {
  const [width, height, pixels] = [640, 480, 4]
  const luma = Buffer.alloc(width * height, 255)
  for (let row = 140; row < 340; row += 1) {
    for (const [left, right] of bars) {
      const at = row * width + 20
      luma.fill(0, at + left * pixels, at + right * pixels)
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  return Buffer.concat([head, frame, frame])
}

it("courier scans the printed label with the camera -> the parcel's text, accepted at the pickup", async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, {
    category: 'delivery',
    otp_secure: false,
    deliveryScan: true,
    dispatch: { waveSeconds: 300 },
  })
  const [sender, driver, admin] = await Promise.all([
    callAs(server.url, 'rider'),
    callAs(server.url, 'driver'),
    callAs(server.url, 'admin'),
  ])
  const [pickup, drop] = await Promise.all([
    findPlace(server.url, 'Ejido 1275'),
    findPlace(server.url, 'Teatro Solís'),
  ])
  if (!pickup || !drop) throw new Error('no places')
  const rider = await sender.users.me()
  await admin.wallet.credit({ uid: rider?.uid ?? '', amount: 500_000_000, reason: 'For a test' })
  const carType = (await sender.carTypes.list()).find(({ name }) => name === 'Economy')
  const { now } = await driver.settings.clock()
  await driver.tracking.online({ online: true })
  await driver.tracking.report({ positions: [{ ...pickup, at: Math.round(now) }] })
  const trip = await sender.bookings.create({
    pickup: { ...pickup, add: 'Ejido 1275' },
    drop: { ...drop, add: 'Teatro Solís' },
    car_type_id: carType?.id ?? '',
    bookLater: false,
    payment_mode: 'wallet',
    instructionData: { deliveryPerson: 'Ada Lee', deliveryPersonPhone: '+59899000100' },
  })

  const printer = await openBrowser()
  browsers.push(printer)
  const desk = await openWindow(printer, { url: server.url })
  await signIn(desk.page, 'rider')
  const answer = await desk.context.request.get(`/api/v1/bookings/${trip.id}/labels.pdf`)
  const bars = barsIn(await answer.body())
  // Start, text, check symbol and stop.
  expect(bars).toHaveLength(3 * (trip.booking_id.length + 2 + 2) + 4)
  folder = await mkdtemp(join(tmpdir(), 'scan-label-'))
  const camera = join(folder, 'label.y4m')
  await writeFile(camera, videoOf(bars))

  const phone = await openBrowser({ camera })
  browsers.push(phone)
  const { page, context } = await openWindow(phone, { url: server.url, phone: true, at: pickup })
  try {
    receiver = startReceiver(context, pickup)
    await signIn(page, 'driver')
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
    await button('Accept').click()
    await button('I’ve arrived').click()
    await button('Collect parcel').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Scan with the camera' }).click()
    const label = sheet.getByRole('textbox', { name: 'Parcel label' })
    await expect.poll(() => label.inputValue(), patience).toBe(`${trip.booking_id}-1`)
    await takePicture(page, 'scanned-label')
    await sheet.getByRole('button', { name: 'Collect parcel', exact: true }).click()
    await page.getByRole('article', { name: 'Stop 1', exact: true }).waitFor(patience)
    await expect
      .poll(async () => (await sender.bookings.get({ id: trip.id })).status, patience)
      .toBe('STARTED')
  } catch (error) {
    await takeFailurePicture(page, 'scan-label')
    throw error
  }
})
