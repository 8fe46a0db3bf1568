import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import {
  AccountWindows,
  at,
  button,
  expectAlert,
  field,
  link,
  signInByForm,
} from './harness/account-windows.ts'
import { enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openWindow, phoneSize } from './harness/browser.ts'
import { isDelivery, taxiTest, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { chooseFile, goTo, press, pressOn, write } from './harness/keyboard.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'

let windows: AccountWindows
const rider = 'marta@rides.example'
/** HANSOM_ALL=1 tests every look of every page, as in screens.spec.ts. */
const everyLook = process.env.HANSOM_ALL === '1'

beforeAll(async () => {
  windows = await AccountWindows.start({
    MobileLoginEnabled: true,
    email_verify: false,
    driver_approval: true,
    bank_fields: true,
    RiderWithDraw: true,
  })
  const { url } = windows.server
  const answer = await fetch(`${url}/api/v1/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({
      firstName: 'Marta',
      lastName: 'Suárez',
      email: rider,
      password: 'second2',
      phoneCode: '598',
      mobile: '99222333',
      usertype: 'rider',
    }),
  })
  expect(answer.status).toBe(201)
}, 300_000)
afterAll(() => windows?.close())

describe('profile', () => {
  const settled = async (page: Page) =>
    expect.poll(() => page.locator('main [aria-busy="true"]').count(), patience).toBe(0)

  it('name, picture and password -> changed, other sessions end', async () => {
    const first = await windows.open('/login?next=/profile')
    const { page } = first
    await signInByForm(page, rider, 'second2')
    await write(field(page, 'First name'), 'Martina')
    await press(page, 'Enter')
    await page.getByText('Profile saved').waitFor(patience)
    expect(await page.getByRole('region', { name: 'Saved places' }).count()).toBe(isDelivery ? 0 : 1)
    await expect.poll(() => field(page, 'Email').isDisabled(), patience).toBe(true)
    await expect.poll(() => field(page, 'Account type').inputValue(), patience).toBe(words('Rider'))

    const picture = await windows.picture()
    await chooseFile(page.getByLabel('Add photo'), {
      name: 'me.png',
      mimeType: 'image/png',
      buffer: picture,
    })
    await expect
      .poll(() => page.getByRole('img', { name: 'Your photo' }).getAttribute('src'), patience)
      .toBeTruthy()
    await settled(page)

    const second = await windows.open('/login?next=/profile')
    await signInByForm(second.page, rider, 'second2')
    await second.page.getByRole('heading', { name: 'Where you’re signed in' }).waitFor(patience)
    await page.reload()
    await page
      .getByRole('button', { name: /^Sign out Chrome/ })
      .first()
      .waitFor(patience)
    await takePicture(page, 'accounts-profile', true)

    await write(page.getByLabel('Current password'), 'wrong9')
    await write(page.getByLabel('New password'), 'third3')
    await press(page, 'Enter')
    await page.getByText('Incorrect current password').waitFor(patience)
    await write(page.getByLabel('Current password'), 'second2')
    await press(page, 'Enter')
    await page.getByText('Password changed').waitFor(patience)
    await expect.poll(() => page.getByRole('button', { name: /^Sign out Chrome/ }).count(), patience).toBe(0)
    await second.page.goto('/profile')
    await at(second.page, '/login')

    await pressOn(button(page, 'Sign out everywhere'))
    await pressOn(page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }))
    await at(page, '/')
    await Promise.all([first.context.close(), second.context.close()])
  })

  taxiTest('saved place -> renamed, removed and restored', async () => {
    const { page, context } = await windows.open('/login?next=/profile')
    await signInByForm(page, 'rider@demo.test', 'demo2026')
    const places = page.getByRole('region', { name: 'Saved places' })
    await pressOn(places.getByRole('button', { name: /^Rename/ }).first())
    const dialog = page.getByRole('dialog', { name: 'Name this place' })
    await write(dialog.getByLabel('Name'), 'Grandmother')
    await press(page, 'Enter')
    await places.getByText('Grandmother').waitFor(patience)

    await pressOn(places.getByRole('button', { name: 'Remove Grandmother' }))
    await pressOn(places.getByRole('button', { name: 'Undo' }))
    await places.getByText('Grandmother').waitFor(patience)
    await pressOn(places.getByRole('button', { name: 'Remove Grandmother' }))
    const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE', patience)
    await pressOn(page.getByRole('link', { name: words('Booking history') }).first())
    expect((await gone).status()).toBe(200)
    await context.close()
  })

  it('new mobile -> added once verified by a code', async () => {
    const { page, context } = await windows.open('/login?next=/profile')
    await signInByForm(page, 'fleet@demo.test', 'demo2026')
    await pressOn(button(page, 'Add number'))
    const dialog = page.getByRole('dialog', { name: 'Your phone number' })
    await write(dialog.getByRole('textbox', { name: 'Phone number' }), '99888777')
    await press(page, 'Enter')
    await dialog.getByRole('textbox', { name: 'Code' }).waitFor(patience)
    const sms = await windows.message('change_mobile', '+59899888777')
    const code = (await sms.locator('bdi').last().textContent()) ?? ''
    await write(dialog.getByRole('textbox', { name: 'Code' }), code)
    await press(page, 'Enter')
    await dialog.waitFor({ ...patience, state: 'detached' })
    await expect.poll(() => field(page, 'Phone number').inputValue(), patience).toBe('+59899888777')
    await expect.poll(() => field(page, 'Phone number').isDisabled(), patience).toBe(true)
    await context.close()
  })

  it('account deletion with an open trip -> refused with the reason', async () => {
    const person = await callAs(windows.server.url, 'rider')
    const [pickup, drop] = await Promise.all([
      findPlace(windows.server.url, 'Ejido 1275'),
      findPlace(windows.server.url, 'Teatro Solís'),
    ])
    const [carType] = await person.carTypes.list()
    await person.bookings.create({
      pickup: { ...pickup, add: 'Ejido 1275' },
      drop: { ...drop, add: 'Teatro Solís' },
      car_type_id: carType?.id ?? '',
      bookLater: true,
      tripdate: Date.now() + 3 * 3_600_000,
      payment_mode: 'cash',
    })
    const { page, context } = await windows.open('/login?next=/profile')
    await signInByForm(page, 'rider@demo.test', 'demo2026')
    await pressOn(button(page, 'Delete my account'))
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
    await write(dialog.getByLabel(/^To confirm/), 'rider@demo.test')
    await write(dialog.getByLabel('Password', { exact: true }), 'wrong9')
    await press(page, 'Enter')
    await dialog.getByText('Incorrect password').waitFor(patience)
    await write(dialog.getByLabel('Password', { exact: true }), 'demo2026')
    await press(page, 'Enter')
    await dialog.getByText(words('You have a trip in progress. Finish or cancel it first.')).waitFor(patience)
    await pressOn(dialog.getByRole('link', { name: words('Bookings', 'common.nav_bookings') }))
    await at(page, '/bookings')
    await context.close()
  })

  it('account deletion -> data downloaded, confirmed by email address and password', async () => {
    const { page, context } = await windows.open('/login?next=/profile')
    await signInByForm(page, rider, 'third3')
    await goTo(link(page, 'Download my data'))
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')])
    expect(await readFile(await download.path(), 'utf8')).toContain(rider)

    await pressOn(button(page, 'Delete my account'))
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
    await write(dialog.getByLabel(/^To confirm/), 'someone')
    await press(page, 'Enter')
    await dialog.getByText('doesn’t match').waitFor(patience)
    await takePicture(page, 'accounts-delete')
    await write(dialog.getByLabel(/^To confirm/), rider)
    await write(dialog.getByLabel('Password', { exact: true }), 'third3')
    await press(page, 'Enter')
    await at(page, '/')
    await page.goto('/login')
    await signInByForm(page, rider, 'third3')
    await expectAlert(page, /Incorrect email/)
    await context.close()
  })
})

describe('accessibility and horizontal scroll, in both directions and both themes', () => {
  // One look of each page, in turn; npm run test:long has all four.
  it.each([
    ['visitor', '/login', 'en'],
    ['visitor', '/register?as=driver', 'ar'],
    ['visitor', '/reset-password?token=none', 'en'],
    ['visitor', '/invitation?token=none', 'ar'],
    ['visitor', '/verify-email?token=none', 'en'],
    ['rider', '/profile', 'en'],
    ['rider', '/login?next=/mailbox', 'ar'],
    ['admin', '/mailbox', 'ar'],
  ] as const)('%s at %s', async (viewer, path, usual) => {
    const wrong: string[] = []
    for (const locale of everyLook ? (['en', 'ar'] as const) : [usual]) {
      for (const dark of everyLook ? [false, true] : [locale === 'en']) {
        const { context, page } = await openWindow(windows.browser, { url: windows.server.url, locale, dark })
        if (viewer !== 'visitor') await enterAs(context, viewer)
        await page.goto(path)
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
        const name = `${path} ${locale} ${dark ? 'dark' : 'light'}`
        for (const size of ['desk', 'phone'] as const) {
          if (size === 'phone') await page.setViewportSize(phoneSize)
          wrong.push(...(await findBarriers(page)).map((barrier) => `${name} ${size}: ${barrier}`))
          const beyond = await sidewaysScroll(page)
          if (beyond > 0) wrong.push(`${name} ${size}: scrolls ${beyond} px sideways`)
        }
        await context.close()
      }
    }
    expect(wrong).toEqual([])
  })
})

it('all windows: no page errors', () => {
  expect(windows.pageErrors).toEqual([])
})
