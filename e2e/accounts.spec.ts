import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { findPlace } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { chooseFile, goTo, press, pressOn, write } from './harness/keyboard.ts'
import { patience } from './harness/patience.ts'
import { enterAs } from './harness/people.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let mailbox: Page
/** Page errors of all windows. */
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  await changeSettings(server, {
    MobileLoginEnabled: true,
    email_verify: true,
    driver_approval: true,
    bank_fields: true,
    RiderWithDraw: true,
  })
  browser = await openBrowser()
  mailbox = (await open('/login?next=/mailbox')).page
  await signIn(mailbox, 'admin@demo.test', 'demo2026')
  await mailbox.getByRole('heading', { name: 'Mailbox' }).waitFor(patience)
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(path: string, options: { phone?: boolean } = {}) {
  const window = await openWindow(browser, { url: server.url, ...options })
  window.page.on('pageerror', (error) => pageErrors.push(error.message))
  await window.page.goto(path)
  await window.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(patience)
  return window
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
/** Waits for the path, with any query. */
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path, patience)

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await write(field(page, 'Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await press(page, 'Enter')
}

/** Waits for the form's error message. */
async function expectAlert(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('main').getByRole('alert').filter({ hasText: text }).waitFor(patience)
}

/** The newest message of a kind to a recipient, on the mailbox page. */
async function message(kind: string, to: string): Promise<Locator> {
  const card = mailbox.locator(`li[data-kind="${kind}"]`).filter({ hasText: to }).first()
  await card.waitFor(patience)
  return card
}

/** Opens the link of a message in a new window. */
async function followLink(kind: string, to: string): Promise<Page> {
  const href = await (await message(kind, to)).getByRole('link').getAttribute('href')
  return (await open(href ?? '')).page
}

async function fillPerson(page: Page, email: string, mobile: string): Promise<void> {
  await write(field(page, 'First name'), 'Marta')
  await write(field(page, 'Last name'), 'Suárez')
  await write(field(page, 'Email'), email)
  await write(page.getByLabel('Password', { exact: true }), 'first1')
  await write(field(page, 'Phone number'), mobile)
}

const rider = 'marta@rides.example'
/** HANSOM_LOOKS=all tests every look of every page, as in screens.spec.ts. */
const everyLook = process.env.HANSOM_LOOKS === 'all'

describe('rider account', () => {
  it('sign-up with errors -> fixed, email confirmed, signed in', async () => {
    const { page, context } = await open('/login')
    await pressOn(link(page, 'Create account'))
    await at(page, '/register')

    await pressOn(button(page, 'Create account'))
    const summary = page.getByRole('group', { name: /fix the following/ })
    await summary.waitFor(patience)
    await expect
      .poll(() => summary.evaluate((element) => element === document.activeElement), patience)
      .toBe(true)
    await takePicture(page, 'accounts-register-errors')
    await pressOn(summary.getByRole('button', { name: 'Email' }))
    await expect
      .poll(() => field(page, 'Email').evaluate((element) => element === document.activeElement), patience)
      .toBe(true)

    await fillPerson(page, rider, '99222333')
    await press(page, 'Enter')
    await page.getByText('Your account is ready').waitFor(patience)
    await page.getByText(/Confirm your email/).waitFor(patience)
    await takePicture(page, 'accounts-registered')
    await pressOn(link(page, 'Go to sign-in'))
    await at(page, '/login')

    await signIn(page, rider, 'first1')
    await expectAlert(page, /Confirm your email/)
    await expect.poll(() => field(page, 'Email').inputValue(), patience).toBe('')

    const confirmation = await followLink('verify_email', rider)
    await pressOn(button(confirmation, 'Confirm email'))
    await confirmation.getByText('is confirmed').waitFor(patience)
    await takePicture(confirmation, 'accounts-verified')
    await confirmation.context().close()

    await signIn(page, rider, 'first1')
    await at(page, '/')
    await context.close()
  })

  it('wrong or missing email or password -> error message', async () => {
    const { page, context } = await open('/login')
    await signIn(page, rider, 'wrong9')
    await expectAlert(page, /Incorrect email/)
    await write(field(page, 'Email'), 'no address')
    await press(page, 'Enter')
    await expectAlert(page, /Enter your email/)
    await expect.poll(() => field(page, 'Email').inputValue(), patience).toBe('')
    await context.close()
  })

  it('password reset by email -> new password, the link works once', async () => {
    const { page, context } = await open('/login')
    await pressOn(button(page, 'Forgot your password?'))
    const dialog = page.getByRole('dialog', { name: 'Set a new password' })
    await write(dialog.getByRole('textbox', { name: 'Email' }), rider)
    await takePicture(page, 'accounts-forgot')
    await press(page, 'Enter')
    await dialog.getByText('sent it a link').waitFor(patience)
    await press(page, 'Enter')
    await dialog.waitFor({ ...patience, state: 'detached' })

    const reset = await followLink('reset', rider)
    await write(reset.getByLabel('New password'), 'short')
    await press(reset, 'Enter')
    await reset.getByText('Use 6–30 characters').waitFor(patience)
    await write(reset.getByLabel('New password'), 'second2')
    await press(reset, 'Enter')
    await reset.getByText('Your password is set').waitFor(patience)
    await reset.context().close()

    await signIn(page, rider, 'first1')
    await expectAlert(page, /Incorrect email/)
    await signIn(page, rider, 'second2')
    await at(page, '/')

    const again = await followLink('reset', rider)
    await write(again.getByLabel('New password'), 'third3')
    await press(again, 'Enter')
    await again.getByText('used or has expired').waitFor(patience)
    await Promise.all([again.context().close(), context.close()])
  })

  it('sign-in by phone -> the number is locked until the code is right', async () => {
    const { page, context } = await open('/login', { phone: true })
    await goTo(page.getByRole('tab', { name: 'Email' }))
    await press(page, 'ArrowRight')
    const country = page.getByRole('combobox', { name: 'Country' })
    await write(country, 'arg')
    await press(page, 'ArrowDown')
    await takePicture(page, 'accounts-countries')
    await press(page, 'Enter')
    await expect.poll(() => country.inputValue(), patience).toMatch(/^Argentina/)

    await write(field(page, 'Phone number'), '99222333')
    await press(page, 'Enter')
    await expectAlert(page, /No account found/)
    await expect.poll(() => country.inputValue(), patience).toMatch(/^Uruguay/)

    await write(field(page, 'Phone number'), '99222333')
    await press(page, 'Enter')
    await field(page, 'Code').waitFor(patience)
    await expect.poll(() => field(page, 'Phone number').isDisabled(), patience).toBe(true)
    await expect.poll(() => field(page, 'Country').isDisabled(), patience).toBe(true)
    await expect
      .poll(() => field(page, 'Code').evaluate((element) => element === document.activeElement), patience)
      .toBe(true)
    expect(await field(page, 'Code').getAttribute('autocomplete')).toBe('one-time-code')
    await takePicture(page, 'accounts-code')

    await write(field(page, 'Code'), '12')
    await press(page, 'Enter')
    await expectAlert(page, /six-digit/)
    const sms = await message('sign_in_code', '+59899222333')
    await pressOn(sms.getByRole('button', { name: /^Copy \d{6}$/ }))
    const code = (await sms.locator('bdi').last().textContent()) ?? ''
    await write(field(page, 'Code'), code === '100001' ? '100002' : '100001')
    await press(page, 'Enter')
    await expectAlert(page, /code is wrong/)
    await goTo(field(page, 'Code'))
    await page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`)
    await expect.poll(() => field(page, 'Code').inputValue(), patience).toBe(code)
    await press(page, 'Enter')
    // No user has verified this number yet.
    await write(page.getByLabel('Password', { exact: true }), 'wrong9')
    await press(page, 'Enter')
    await expectAlert(page, /Incorrect email/)
    await takePicture(page, 'accounts-prove-phone')
    await pressOn(button(page, 'Email me a link'))
    await page.getByText('Open it in this browser').waitFor(patience)
    const href = await (await message('prove_mobile', rider)).getByRole('link').getAttribute('href')
    const elsewhere = (await open(href ?? '')).page
    await pressOn(button(elsewhere, 'Sign in'))
    await elsewhere.getByText('where you entered the code').waitFor(patience)
    await elsewhere.context().close()
    await page.goto(href ?? '')
    await pressOn(button(page, 'Sign in'))
    await page.getByText('You’re signed in').waitFor(patience)
    await context.close()
  })

  it('sign-in by phone cancelled -> the form is reset', async () => {
    const { page, context } = await open('/login')
    await goTo(page.getByRole('tab', { name: 'Email' }))
    await press(page, 'ArrowRight')
    await write(field(page, 'Phone number'), '99000001')
    await press(page, 'Enter')
    await field(page, 'Code').waitFor(patience)
    await pressOn(button(page, 'Cancel'))
    await expect.poll(() => field(page, 'Phone number').inputValue(), patience).toBe('')
    await expect.poll(() => field(page, 'Phone number').isEnabled(), patience).toBe(true)
    await context.close()
  })
})

it('press while the page moves on blur -> counts', async () => {
  const { page, context } = await open('/register?as=driver')
  const create = button(page, 'Create account')
  await create.scrollIntoViewIfNeeded()
  await page.locator('input[name="other_info"]').evaluate((field: HTMLInputElement) => {
    field.focus({ preventScroll: true })
    // Emulates browsers without scroll anchoring.
    document.documentElement.style.overflowAnchor = 'none'
    const message = document.createElement('p')
    message.style.height = '120px'
    field.addEventListener('blur', () => field.form?.before(message), { once: true })
  })
  const place = await create.boundingBox()
  if (!place) throw new Error('the button is not visible')
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  expect((await create.boundingBox())?.y).toBeGreaterThan(place.y + place.height)
  await page.mouse.up()
  await page.getByRole('group', { name: /fix the following/ }).waitFor(patience)
  await context.close()
})

it('driver sign-up: car and licence -> waits for approval', async () => {
  const { page, context } = await open('/register')
  await goTo(page.getByRole('tab', { name: 'Ride with us' }))
  await press(page, 'ArrowRight')
  await fillPerson(page, 'diego@rides.example', '99444555')
  await write(field(page, 'Make'), 'Volkswagen')
  await write(field(page, 'Model'), 'Gol')
  await write(field(page, 'Registration number'), 'SBX 1234')
  await goTo(page.getByRole('combobox', { name: 'Car type' }))
  await page.keyboard.type('Econ')
  const licence = page.getByLabel('Photo of your driving licence')
  await chooseFile(licence, { name: 'licence.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await page.getByText('This file type isn’t supported').waitFor(patience)
  const picture = await mailbox.screenshot({ type: 'png' })
  await chooseFile(licence, { name: 'licence.png', mimeType: 'image/png', buffer: picture })
  await page.getByText('Photo uploaded').waitFor(patience)
  await takePicture(page, 'accounts-driver', true)
  await pressOn(page.locator('summary'))
  await write(field(page, 'Bank name'), 'Banco del Puerto')
  await pressOn(button(page, 'Create account'))
  await page.getByText('awaiting approval').waitFor(patience)
  await pressOn(link(page, 'Go to sign-in'))
  await at(page, '/login')

  const confirmation = await followLink('verify_email', 'diego@rides.example')
  await pressOn(button(confirmation, 'Confirm email'))
  await confirmation.getByText('is confirmed').waitFor(patience)
  await signIn(page, 'diego@rides.example', 'first1')
  await expectAlert(page, /awaiting approval/)
  await Promise.all([confirmation.context().close(), context.close()])
})

it('sign-in: requested page -> opened if it is on this site and allowed for the user', async () => {
  for (const [next, path] of [
    ['/profile', '/profile'],
    ['//evil.example', '/'],
    ['/.//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/mailbox', '/'],
  ] as const) {
    const { page, context } = await open(`/login?next=${encodeURIComponent(next)}`)
    await signIn(page, 'rider@demo.test', 'demo2026')
    await at(page, path)
    expect(new URL(page.url()).origin).toBe(server.url)
    await context.close()
  }
  for (const [person, path] of [
    ['driver', '/bookings'],
    ['fleet', '/dashboard'],
    ['admin', '/dashboard'],
  ] as const) {
    const { page, context } = await open('/login')
    await signIn(page, `${person}@demo.test`, 'demo2026')
    await at(page, path)
    await context.close()
  }
})

it('sign-in: booking started before -> continues to its confirmation', async () => {
  // This page has no booking form, which would overwrite the draft.
  const { page, context } = await open('/about-us')
  const [pickup, drop] = await Promise.all([
    findPlace(server.url, 'Ejido 1275'),
    findPlace(server.url, 'Teatro Solís'),
  ])
  const draft = {
    pickup: { ...pickup, add: 'Ejido 1275' },
    drop: { ...drop, add: 'Teatro Solís' },
    carTypeId: null,
    later: false,
    at: '',
  }
  await page.evaluate((kept) => sessionStorage.setItem('hansom-draft', kept), JSON.stringify(draft))
  await page.goto('/')
  // The first press shows the time field, because no car is nearby.
  await pressOn(button(page, 'Book Later'))
  await page.getByRole('main').locator('input[type="datetime-local"]').waitFor(patience)
  await pressOn(button(page, 'Book Later'))
  const asks = page.getByRole('alertdialog')
  await pressOn(asks.getByRole('button', { name: 'Sign in' }))
  await at(page, '/login')
  await signIn(page, 'rider@demo.test', 'demo2026')
  await page.getByRole('dialog', { name: 'Confirm booking' }).waitFor(patience)
  expect(new URL(page.url()).search).toBe('')
  await context.close()
})

describe('profile', () => {
  const settled = async (page: Page) =>
    expect.poll(() => page.locator('main [aria-busy="true"]').count(), patience).toBe(0)

  it('name, picture and password -> changed, other sessions end', async () => {
    const first = await open('/login?next=/profile')
    const { page } = first
    await signIn(page, rider, 'second2')
    await write(field(page, 'First name'), 'Martina')
    await press(page, 'Enter')
    await page.getByText('Profile saved').waitFor(patience)
    await expect.poll(() => field(page, 'Email').isDisabled(), patience).toBe(true)
    await expect.poll(() => field(page, 'Account type').inputValue(), patience).toBe('Rider')

    const picture = await mailbox.screenshot({ type: 'png' })
    await chooseFile(page.getByLabel('Add photo'), {
      name: 'me.png',
      mimeType: 'image/png',
      buffer: picture,
    })
    await expect
      .poll(() => page.getByRole('img', { name: 'Your photo' }).getAttribute('src'), patience)
      .toBeTruthy()
    await settled(page)

    const second = await open('/login?next=/profile')
    await signIn(second.page, rider, 'second2')
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
    await at(page, '/')
    await Promise.all([first.context.close(), second.context.close()])
  })

  it('saved place -> renamed, removed and restored', async () => {
    const { page, context } = await open('/login?next=/profile')
    await signIn(page, 'rider@demo.test', 'demo2026')
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
    await pressOn(page.getByRole('link', { name: 'Booking history' }).first())
    expect((await gone).status()).toBe(200)
    await context.close()
  })

  it('new mobile -> added once verified by a code', async () => {
    const { page, context } = await open('/login?next=/profile')
    await signIn(page, 'fleet@demo.test', 'demo2026')
    await pressOn(button(page, 'Add number'))
    const dialog = page.getByRole('dialog', { name: 'Your phone number' })
    await write(dialog.getByRole('textbox', { name: 'Phone number' }), '99888777')
    await press(page, 'Enter')
    await dialog.getByRole('textbox', { name: 'Code' }).waitFor(patience)
    const sms = await message('change_mobile', '+59899888777')
    const code = (await sms.locator('bdi').last().textContent()) ?? ''
    await write(dialog.getByRole('textbox', { name: 'Code' }), code)
    await press(page, 'Enter')
    await dialog.waitFor({ ...patience, state: 'detached' })
    await expect.poll(() => field(page, 'Phone number').inputValue(), patience).toBe('+59899888777')
    await expect.poll(() => field(page, 'Phone number').isDisabled(), patience).toBe(true)
    await context.close()
  })

  it('account deletion with an open trip -> refused with the reason', async () => {
    const person = await callAs(server.url, 'rider')
    const [pickup, drop] = await Promise.all([
      findPlace(server.url, 'Ejido 1275'),
      findPlace(server.url, 'Teatro Solís'),
    ])
    const [carType] = await person.call<{ id: string }[]>('GET', '/api/v1/car-types')
    await person.call('POST', '/api/v1/bookings', {
      pickup: { ...pickup, add: 'Ejido 1275' },
      drop: { ...drop, add: 'Teatro Solís' },
      car_type_id: carType?.id,
      bookLater: true,
      tripdate: Date.now() + 3 * 3_600_000,
      payment_mode: 'cash',
    })
    const { page, context } = await open('/login?next=/profile')
    await signIn(page, 'rider@demo.test', 'demo2026')
    await pressOn(button(page, 'Delete my account'))
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
    await write(dialog.getByLabel(/^To confirm/), 'rider@demo.test')
    await write(dialog.getByLabel('Password', { exact: true }), 'wrong9')
    await press(page, 'Enter')
    await dialog.getByText('Incorrect password').waitFor(patience)
    await write(dialog.getByLabel('Password', { exact: true }), 'demo2026')
    await press(page, 'Enter')
    await dialog.getByText('You have a trip in progress').waitFor(patience)
    await pressOn(dialog.getByRole('link', { name: 'Bookings' }))
    await at(page, '/bookings')
    await context.close()
  })

  it('account deletion -> data downloaded, confirmed by email address and password', async () => {
    const { page, context } = await open('/login?next=/profile')
    await signIn(page, rider, 'third3')
    await goTo(link(page, 'Download my data'))
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')])
    const data = await (await context.request.get(download.url())).json()
    expect(JSON.stringify(data)).toContain(rider)

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
    await signIn(page, rider, 'third3')
    await expectAlert(page, /Incorrect email/)
    await context.close()
  })
})

describe('accessibility and horizontal scroll, in both directions and both themes', () => {
  // Each page in both directions and both themes; the pairing alternates.
  it.each([
    ['visitor', '/login', 'ar'],
    ['visitor', '/register?as=driver', 'en'],
    ['visitor', '/reset-password?token=none', 'ar'],
    ['visitor', '/invitation?token=none', 'en'],
    ['visitor', '/verify-email?token=none', 'ar'],
    ['rider', '/profile', 'en'],
    ['rider', '/login?next=/mailbox', 'ar'],
    ['admin', '/mailbox', 'en'],
  ] as const)('%s at %s', async (viewer, path, darkOne) => {
    const wrong: string[] = []
    for (const locale of ['en', 'ar'] as const) {
      for (const dark of everyLook ? [false, true] : [locale === darkOne]) {
        const { context, page } = await openWindow(browser, { url: server.url, locale, dark })
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
  expect(pageErrors).toEqual([])
})
