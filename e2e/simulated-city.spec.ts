import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from './harness/accounts.ts'
import { choosePlace, followTrip, toConfirmation } from './harness/booking-steps.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, startOf, words } from './harness/category.ts'
import { changeSettings } from './harness/database.ts'
import { carDistance } from './harness/map.ts'
import { amountsIn } from './harness/money.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takeFailurePicture, takePicture } from './harness/pictures.ts'
import { createDataFolder, launchServer, type RunningServer, root } from './harness/server-process.ts'

let server: RunningServer
let browser: Browser

/** Imports the small extract into a new data folder, as a newcomer with another city does. */
async function importVaduz(): Promise<string> {
  const dataDir = await createDataFolder()
  const command = ['scripts/command.mjs', 'maps', 'import', 'apps/server/fixtures/vaduz.osm.pbf']
  const env = { ...process.env, DATA_DIR: dataDir, INIT_CWD: '' }
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env })
  expect(stdout).toContain('Imported Vaduz')
  return dataDir
}

beforeAll(async () => {
  const dataDir = await importVaduz()
  const category = isDelivery ? { CATEGORY: 'delivery' } : {}
  server = await launchServer(
    { MAP_REGION: 'vaduz', DEMO_DRIVERS: '12', DEMO_SPEED: '12', ...category },
    dataDir,
  )
  if (isDelivery) await changeSettings(server, { deliveryCash: true })
  await rm(dataDir, { recursive: true, force: true })
  browser = await openBrowser({ graphics: picturesWanted })
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

it('simulated driver in an imported city -> takes a manual booking and drives it to the end', {
  timeout: 400_000,
}, async () => {
  const { context, page, problems } = await openWindow(browser, { url: server.url, phone: true })
  const reads = (words: RegExp) =>
    page.getByRole('heading', { level: 1 }).filter({ hasText: words }).waitFor({ timeout: 180_000 })
  try {
    await signIn(page, 'rider')
    await choosePlace(page, 'From', 'stadtle 43', 'Städtle 43')
    await choosePlace(page, 'To', 'furst-franz-josef-str. 68', 'Fürst-Franz-Josef-Strasse 68')
    const near = page.getByRole('radio', { name: /\d.* away/ }).first()
    await near.waitFor(patience)
    await near.check()
    await takePicture(page, 'city-1-fares')
    await page.getByRole('button', { name: 'Book Now' }).click()
    const confirm = await toConfirmation(page)
    await confirm.getByRole('button', { name: /^Confirm · / }).click()
    const { bookingId } = await followTrip(page)

    const driving = words('You’re on your way')
    await reads(new RegExp(`is on the way|has arrived|${driving}`))
    if (picturesWanted) await expect.poll(() => carDistance(page, 'pickup'), patience).not.toBeNull()
    await takePicture(page, 'city-2-coming')
    await reads(new RegExp(driving))
    await takePicture(page, 'city-3-driving')
    await reads(/Paid/)
    await page.getByRole('term').filter({ hasText: 'Paid in cash' }).waitFor(patience)
    const lines = await amountsIn(page.getByRole('main'))
    expect(lines.get('Paid in cash')).toBe(lines.get('Total'))
    await takePicture(page, 'city-4-paid')
    await page
      .getByRole('group', { name: startOf('How was your trip with …?', 'trip.rate_driver') })
      .getByRole('radio', { name: '4 stars' })
      .check({ force: true })
    await page.getByRole('button', { name: 'Send rating' }).click()
    await reads(new RegExp(words('Trip complete')))

    await page.goto('/bookings')
    const row = page.getByRole('listitem').filter({ hasText: bookingId })
    await row.getByText('Complete', { exact: true }).waitFor(patience)
    await takePicture(page, 'city-5-history')
    expect(problems).toEqual([])
  } catch (error) {
    await takeFailurePicture(page, 'city')
    throw error
  } finally {
    await context.close()
  }
})
