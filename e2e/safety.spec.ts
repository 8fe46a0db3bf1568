import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hansom/client/client'
import type { ApiClient } from '@hansom/client/rest-link'
import { Client } from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { taxiTest } from './harness/category.ts'
import { changeSettings } from './harness/database.ts'
import { bookTrip } from './harness/ended-trip.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let ann: Page
let bob: Page
let phone: Page
let admin: ApiClient
let rider: ApiClient
let driver: ApiClient
const problems: string[] = []
const password = 'safety2026'

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, { panic: true })
  admin = await callAs(server.url, 'admin')
  rider = await callAs(server.url, 'rider')
  driver = await callAs(server.url, 'driver')
  await newAdmin('elena@test.example')
  browser = await openBrowser({ graphics: picturesWanted })
  const windows = [
    await openWindow(browser, { url: server.url }),
    await openWindow(browser, { url: server.url }),
    await openWindow(browser, { url: server.url, phone: true, at: { lat: -34.9061, lng: -56.1913 } }),
  ]
  ;[ann, bob, phone] = windows.map(({ page }) => page) as [Page, Page, Page]
  await signIn(ann, 'admin')
  await signInAs(bob, 'elena@test.example')
  await signIn(phone, 'rider')
  for (const page of [ann, bob, phone]) page.on('pageerror', (error) => problems.push(error.message))
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function newAdmin(email: string): Promise<void> {
  const client = createClient({ url: server.url })
  await client.api.accounts.signUp({
    firstName: 'Elena',
    lastName: 'Test',
    email,
    password,
    mobile: '99702001',
    phoneCode: '598',
  })
  const [user] = (await admin.users.list({ q: email, usertype: 'rider' })).items
  if (!user) throw new Error(`${email} was not created`)
  await admin.users.change_type({ id: user.uid, usertype: 'admin', version: user.version })
}

async function signInAs(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/api/auth/sign-in/email', {
    headers: { origin: server.url },
    data: { email, password },
  })
  expect(answer.ok()).toBe(true)
}

/** A trip under way, open on the rider's phone. */
async function startedTrip(): Promise<{ id: string; code: string }> {
  const { id, booking_id } = await bookTrip(server.url, rider, driver, { payment_mode: 'cash' })
  await vi.waitFor(() => driver.bookings.get({ id }), patience)
  for (const command of ['accept', 'arrive', 'start'] as const) await driver.bookings[command]({ id })
  await phone.goto(`/trip/${id}`)
  return { id, code: booking_id }
}

async function endTrip(id: string): Promise<void> {
  await driver.bookings.reach({ id })
  await driver.bookings.close({ id })
}

/** Runs a statement in the database of the running server. */
async function inDatabase(statement: string, values: unknown[]): Promise<void> {
  const lines = (await readFile(join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({ host: lines[4] ?? '', user: 'hansom', database: 'hansom' })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

taxiTest('panic on the rider’s phone -> both admins are alerted, one takes over, closes it', async () => {
  await Promise.all([ann.goto('/promos'), bob.goto('/operations')])
  const { id, code } = await startedTrip()
  const hold = phone.getByRole('button', { name: 'Hold for help' })
  await hold.waitFor()
  expect(await phone.getByRole('link', { name: 'Call 911' }).getAttribute('href')).toBe('tel:911')
  expect(await findBarriers(phone)).toEqual([])
  expect(await sidewaysScroll(phone)).toBe(0)
  await takePicture(phone, 'safety-rider')
  await hold.click()
  await phone.getByRole('button', { name: 'Press again to call for help' }).click()
  await phone.getByText('Our team has been alerted').waitFor()

  // The number is isolated from the text around it.
  const alarm = new RegExp(`Safety alarm: Panic button \\(Rider\\), .?${code}`)
  await Promise.all([ann, bob].map((page) => page.getByRole('alert').getByText(alarm).waitFor()))
  expect(await findBarriers(ann)).toEqual([])
  await takePicture(ann, 'safety-banner')
  // It stays in sight, however far the page is scrolled.
  await bob.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => bob.evaluate(() => scrollY)).toBeGreaterThan(200)
  const seen = await bob.getByRole('alert').getByText(alarm).boundingBox()
  expect(seen?.y).toBeGreaterThan(0)
  await takePicture(bob, 'safety-scrolled')
  await bob.getByRole('button', { name: 'I’m on it' }).click()
  await ann.getByText(/Elena Test.* is on it/).waitFor()
  await phone.getByText('Someone from our team is looking after you now.').waitFor()

  await bob.getByRole('link', { name: 'Open alarm' }).click()
  const card = bob.getByRole('article', { name: 'Panic button' })
  await card
    .getByText(/Position at/)
    .first()
    .waitFor()
  expect(await findBarriers(bob)).toEqual([])
  await takePicture(bob, 'safety-page')
  await card.getByRole('textbox', { name: 'Note' }).fill('Called the rider: pressed by mistake')
  await card.getByRole('button', { name: 'Close alarm' }).click()
  await ann.getByText(alarm).waitFor({ state: 'detached' })
  await bob.getByRole('heading', { name: 'Closed alarms' }).waitFor()
  await endTrip(id)
  expect(problems).toEqual([])
})

taxiTest(
  'car stands for three minutes -> the rider is asked; no answer -> the admins are alerted',
  async () => {
    const { id, code } = await startedTrip()
    const { now } = await driver.settings.clock()
    // The minutes in which the car stood, 2 km north of the pickup. The point of the start is in these minutes, too.
    await inDatabase('delete from tracking where booking_id = $1', [id])
    await inDatabase('update bookings set trip_start_time = $2 where id = $1', [
      id,
      Math.round(now) - 400_000,
    ])
    await inDatabase(
      `insert into tracking (booking_id, at, status, lat, lng, accuracy)
      select id, $2::bigint - n * 10000, 'STARTED', (pickup ->> 'lat')::float8 + 0.02, (pickup ->> 'lng')::float8, 10
        from bookings, generate_series(0, 22) n where id = $1`,
      [id, Math.round(now)],
    )
    const question = phone.getByRole('alertdialog', { name: 'Is everything all right?' })
    await question.waitFor()
    expect(await findBarriers(phone)).toEqual([])
    await takePicture(phone, 'safety-question')
    await inDatabase('update safety_events set answer_by = opened_at where booking_id = $1', [id])
    await ann
      .getByRole('alert')
      .getByText(new RegExp(`Safety alarm: Unusual stop, .?${code}`))
      .waitFor()
    await phone.getByText('Our team has been alerted').waitFor()
    await endTrip(id)
    expect(problems).toEqual([])
  },
)

taxiTest(
  'trusted contact added in the profile, trip sent from its page -> mail with a link that opens',
  async () => {
    await phone.goto('/profile')
    await phone.getByRole('button', { name: 'Add contact' }).click()
    const contact = phone.getByRole('dialog')
    await contact.getByRole('textbox', { name: 'Name' }).fill('Maria')
    await contact.getByLabel('Email').fill('maria@test.example')
    expect(await findBarriers(phone)).toEqual([])
    await takePicture(phone, 'safety-contact')
    await contact.getByRole('button', { name: 'Save', exact: true }).click()
    await contact.waitFor({ state: 'hidden', ...patience })
    await phone.getByRole('button', { name: 'Edit Maria' }).waitFor()
    const { id } = await startedTrip()
    await phone.getByRole('button', { name: 'Send to my contacts' }).click()
    await phone
      .getByText(/Link sent to .?Maria/)
      .first()
      .waitFor()
    const link = await vi.waitFor(async () => {
      const mail = (await admin.mailbox.list({ channel: 'mail' })).find(
        ({ to }) => to === 'maria@test.example',
      )
      expect(mail?.subject).toMatch(/is sharing a trip with you$/)
      return /\/track\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
    }, patience)
    const { page } = await openWindow(browser, { url: server.url })
    await page.goto(link)
    await page.getByRole('heading', { name: /On the way to/ }).waitFor()
    await page.close()
    await endTrip(id)
    expect(problems).toEqual([])
  },
)
