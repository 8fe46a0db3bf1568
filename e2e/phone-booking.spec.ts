import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { AccountWindows, at, button, field } from './harness/account-windows.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { toConfirmation } from './harness/booking-steps.ts'
import { openWindow } from './harness/browser.ts'
import { isDelivery, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { press, write } from './harness/keyboard.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'

let windows: AccountWindows
let admin: Page
let firstId: string

/** Key presses besides typed texts. */
let presses = 0
const count = async (key: string) => {
  presses += 1
  await press(admin, key)
}
const bookedId = async () => {
  const booked = admin.getByRole('dialog', { name: 'Booked' })
  const id = await booked.getByText(/^[2-9A-HJ-NP-Z]{6}$/).innerText(patience)
  return { booked, id }
}
const hasFocus = (role: 'textbox' | 'combobox' | 'button', name: string | RegExp) =>
  expect
    .poll(
      () =>
        admin
          .getByRole(role, { name })
          .first()
          .evaluate((element) => element === document.activeElement),
      patience,
    )
    .toBe(true)
const choose = async (field: 'From' | 'To', typed: string, name: string) => {
  await admin.keyboard.type(typed)
  await admin.getByRole('listbox', { name: field }).getByRole('option', { name }).first().waitFor(patience)
  await count('Enter')
}

/** The confirmation, with the focus on its button; a delivery asks for the parcel and its recipient before. */
const atConfirm = async () => {
  const confirm = await toConfirmation(admin)
  if (isDelivery) await confirm.getByRole('button', { name: /^Confirm/ }).focus()
  await hasFocus('button', /^Confirm/)
  return confirm
}

beforeAll(async () => {
  windows = await AccountWindows.start({ autoDispatch: true, MobileLoginEnabled: false })
  const { page } = await openWindow(windows.browser, { url: windows.server.url })
  page.on('pageerror', (error) => windows.pageErrors.push(error.message))
  await signIn(page, 'admin')
  admin = page
  const driver = await callAs(windows.server.url, 'driver')
  await driver.tracking.online({ online: true })
  const point = await findPlace(windows.server.url, 'Plaza Independencia')
  await driver.tracking.report({ positions: [{ ...point, at: Date.now() }] })
}, 300_000)
afterAll(() => windows?.close())

it('unknown caller: number, name and two places by keyboard -> booked with at most 12 presses', async () => {
  await admin.goto('/addbookings')
  await hasFocus('combobox', words('Rider'))
  presses = 0
  await admin.keyboard.type('099 700 901')
  await admin.getByLabel('Name of the caller').waitFor(patience)
  await count('Tab')
  await admin.keyboard.type('Ana Pereira')
  await count('Tab')
  await hasFocus('combobox', 'From')
  await choose('From', 'plaza indep', 'Plaza Independencia')
  await hasFocus('combobox', 'To')
  await choose('To', 'estadio cente', 'Estadio Centenario')
  await admin.getByRole('button', { name: 'Book Now' }).waitFor(patience)
  expect(await findBarriers(admin)).toEqual([])
  expect(await sidewaysScroll(admin)).toBeLessThanOrEqual(0)
  await takePicture(admin, 'phone-booking-new')
  await count('Enter')
  const confirm = await atConfirm()
  await confirm.getByText('Ana Pereira').waitFor(patience)
  await takePicture(admin, 'phone-booking-confirm')
  await count('Enter')
  const { booked, id } = await bookedId()
  firstId = id
  await booked.getByText('Ana Pereira').waitFor(patience)
  await booked.getByText(words('We’re asking the nearest drivers now.')).waitFor(patience)
  await takePicture(admin, 'phone-booking-booked')
  expect(presses).toBeLessThanOrEqual(12)
  console.log(`unknown caller: ${presses} key presses`)
  await press(admin, 'Enter')
  await hasFocus('combobox', words('Rider'))
})

it('driver accepts -> text with plate and link, which opens the trip', async () => {
  const driver = await callAs(windows.server.url, 'driver')
  const office = await callAs(windows.server.url, 'admin')
  const [trip] = (await office.bookings.list({ q: firstId, limit: 1 })).items
  await expect
    .poll(
      () =>
        driver.bookings.accept({ id: trip?.id ?? '' }).then(
          () => true,
          () => false,
        ),
      patience,
    )
    .toBe(true)
  const texts = async () =>
    (await office.mailbox.list({ channel: 'sms' })).filter(({ to }) => to === '+59899700901')
  await expect.poll(async () => (await texts()).length, patience).toBe(1)
  const [text] = await texts()
  const link = /https?:\/\/\S+\/track\/[\w-]+/.exec(text?.text ?? '')?.[0] ?? ''
  const { page } = await windows.open(new URL(link).pathname, { phone: true })
  await page.getByText('Estadio Centenario').first().waitFor(patience)
  await page.context().close()
})

it('known caller: number typed -> last trip repeated with at most 6 presses', async () => {
  const office = await callAs(windows.server.url, 'admin')
  const [trip] = (await office.bookings.list({ q: firstId, limit: 1 })).items
  const [reason] = await office.cancelReasons.list()
  await office.bookings.cancel({ id: trip?.id ?? '', reason: reason?.label ?? '' })
  await admin.goto('/addbookings')
  await hasFocus('combobox', words('Rider'))
  presses = 0
  await admin.keyboard.type('+598 99 700 901')
  await admin
    .getByRole('option', { name: /Plaza Independencia/ })
    .first()
    .waitFor(patience)
  await takePicture(admin, 'phone-booking-known')
  await count('Enter')
  await hasFocus('button', 'Book Now')
  await count('Enter')
  await atConfirm()
  await count('Enter')
  await bookedId()
  expect(presses).toBeLessThanOrEqual(6)
  console.log(`known caller: ${presses} key presses`)
})

it('guest in the riders table -> tagged and filtered', async () => {
  await admin.goto('/riders?guest=true')
  const row = admin.getByRole('row').filter({ hasText: 'Ana Pereira' })
  await row.getByText('Guest', { exact: true }).waitFor(patience)
  expect(await findBarriers(admin)).toEqual([])
  await takePicture(admin, 'phone-booking-riders')
})

it('registers with the number and proves it -> the trip is in the list', async () => {
  const { page } = await windows.open('/register')
  await write(field(page, 'First name'), 'Ana')
  await write(field(page, 'Last name'), 'Pereira')
  await write(field(page, 'Email'), 'ana@rides.example')
  await write(page.getByLabel('Password', { exact: true }), 'first1')
  await write(field(page, 'Phone number'), '99700901')
  await press(page, 'Enter')
  await at(page, '/')
  await page.goto('/bookings')
  await page
    .getByText(words('Booked by phone before? Confirm your number to see those trips here.'))
    .waitFor(patience)
  await takePicture(page, 'phone-booking-claim')
  await button(page, 'Confirm number').click()
  const dialog = page.getByRole('dialog', { name: 'Your phone number' })
  await dialog.getByRole('button', { name: 'Get code' }).click()
  const office = await callAs(windows.server.url, 'admin')
  const codes = async () =>
    (await office.mailbox.list({ channel: 'sms' })).filter(({ kind }) => kind === 'change_mobile')
  await expect.poll(async () => (await codes()).length, patience).toBe(1)
  const code = /\d{6}/.exec((await codes())[0]?.text ?? '')?.[0] ?? ''
  await dialog.getByRole('textbox').last().fill(code)
  await press(page, 'Enter')
  await page.getByText(firstId).waitFor(patience)
  await takePicture(page, 'phone-booking-claimed')
  expect(windows.pageErrors).toEqual([])
})
