import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AccountWindows,
  at,
  button,
  expectAlert,
  field,
  link,
  signInByForm,
} from './harness/account-windows.ts'
import { isDelivery, usualCar, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { chooseFile, goTo, press, pressOn, write } from './harness/keyboard.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'

let windows: AccountWindows

beforeAll(async () => {
  windows = await AccountWindows.start({
    MobileLoginEnabled: true,
    email_verify: true,
    driver_approval: true,
    bank_fields: true,
    RiderWithDraw: true,
  })
}, 300_000)
afterAll(() => windows?.close())

async function fillPerson(page: Page, email: string, mobile: string): Promise<void> {
  await write(field(page, 'First name'), 'Marta')
  await write(field(page, 'Last name'), 'Suárez')
  await write(field(page, 'Email'), email)
  await write(page.getByLabel('Password', { exact: true }), 'first1')
  await write(field(page, 'Phone number'), mobile)
}

const rider = 'marta@rides.example'

describe('rider account', () => {
  it('sign-up with errors -> fixed, email confirmed, signed in', async () => {
    const { page, context } = await windows.open('/login')
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
    await page.getByText(/Confirm your email/).waitFor(patience)
    await takePicture(page, 'accounts-registered')
    await pressOn(link(page, 'Go to sign-in'))
    await at(page, '/login')

    await signInByForm(page, rider, 'first1')
    await expectAlert(page, /Confirm your email/)
    await expect.poll(() => field(page, 'Email').inputValue(), patience).toBe('')

    const confirmation = await windows.followLink('verify_email', rider)
    await pressOn(button(confirmation, 'Confirm email'))
    await confirmation.getByText('is confirmed').waitFor(patience)
    await takePicture(confirmation, 'accounts-verified')
    await confirmation.context().close()

    await signInByForm(page, rider, 'first1')
    await at(page, '/')
    await context.close()
  })

  it('wrong or missing email or password -> error message', async () => {
    const { page, context } = await windows.open('/login')
    await signInByForm(page, rider, 'wrong9')
    await expectAlert(page, /Incorrect email/)
    await write(field(page, 'Email'), 'no address')
    await press(page, 'Enter')
    await expectAlert(page, /Enter your email/)
    await expect.poll(() => field(page, 'Email').inputValue(), patience).toBe('')
    await context.close()
  })

  it('password reset by email -> new password, the link works once', async () => {
    const { page, context } = await windows.open('/login')
    await pressOn(button(page, 'Forgot your password?'))
    const dialog = page.getByRole('dialog', { name: 'Set a new password' })
    await write(dialog.getByRole('textbox', { name: 'Email' }), rider)
    await takePicture(page, 'accounts-forgot')
    await press(page, 'Enter')
    await dialog.getByText('sent it a link').waitFor(patience)
    await press(page, 'Enter')
    await dialog.waitFor({ ...patience, state: 'detached' })

    const reset = await windows.followLink('reset', rider)
    await write(reset.getByLabel('New password'), 'short')
    await press(reset, 'Enter')
    await reset.getByText('Use 6–30 characters').waitFor(patience)
    await write(reset.getByLabel('New password'), 'second2')
    await press(reset, 'Enter')
    await reset.getByText('Your password is set').waitFor(patience)
    await reset.context().close()

    await signInByForm(page, rider, 'first1')
    await expectAlert(page, /Incorrect email/)
    await signInByForm(page, rider, 'second2')
    await at(page, '/')

    const again = await windows.followLink('reset', rider)
    await write(again.getByLabel('New password'), 'third3')
    await press(again, 'Enter')
    await again.getByText('used or has expired').waitFor(patience)
    await Promise.all([again.context().close(), context.close()])
  })

  it('sign-in by phone -> the number is locked until the code is right', async () => {
    const { page, context } = await windows.open('/login', { phone: true })
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
    const sms = await windows.message('sign_in_code', '+59899222333')
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
    const href = await (await windows.message('prove_mobile', rider)).getByRole('link').getAttribute('href')
    const elsewhere = (await windows.open(href ?? '')).page
    await pressOn(button(elsewhere, 'Sign in'))
    await elsewhere.getByText('where you entered the code').waitFor(patience)
    await elsewhere.context().close()
    await page.goto(href ?? '')
    await pressOn(button(page, 'Sign in'))
    await page.getByText('You’re signed in').waitFor(patience)
    await context.close()
  })

  it('sign-in by phone cancelled -> the form is reset', async () => {
    const { page, context } = await windows.open('/login')
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
  const { page, context } = await windows.open('/register?as=driver')
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
  const { page, context } = await windows.open('/register')
  await goTo(page.getByRole('tab', { name: words('Ride with us') }))
  await press(page, 'ArrowRight')
  await fillPerson(page, 'diego@rides.example', '99444555')
  await write(field(page, 'Make'), 'Volkswagen')
  await write(field(page, 'Model'), 'Gol')
  await write(field(page, 'Number plate'), 'SBX 1234')
  await goTo(page.getByRole('combobox', { name: words('Car type') }))
  await page.keyboard.type(usualCar.slice(0, 4))
  const licence = page.getByLabel('Photo of your driving licence')
  await chooseFile(licence, { name: 'licence.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await page.getByText('This file type isn’t supported').waitFor(patience)
  const picture = await windows.picture()
  await chooseFile(licence, { name: 'licence.png', mimeType: 'image/png', buffer: picture })
  await page.getByText('Photo uploaded').waitFor(patience)
  await takePicture(page, 'accounts-driver', true)
  await pressOn(page.locator('summary'))
  await write(field(page, 'Bank name'), 'Banco del Puerto')
  await pressOn(button(page, 'Create account'))
  await page.getByText('awaiting approval').waitFor(patience)
  await pressOn(link(page, 'Go to sign-in'))
  await at(page, '/login')

  const confirmation = await windows.followLink('verify_email', 'diego@rides.example')
  await pressOn(button(confirmation, 'Confirm email'))
  await confirmation.getByText('is confirmed').waitFor(patience)
  await signInByForm(page, 'diego@rides.example', 'first1')
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
    const { page, context } = await windows.open(`/login?next=${encodeURIComponent(next)}`)
    await signInByForm(page, 'rider@demo.test', 'demo2026')
    await at(page, path)
    expect(new URL(page.url()).origin).toBe(windows.server.url)
    await context.close()
  }
  for (const [person, path] of [
    ['driver', '/bookings'],
    ['fleet', '/dashboard'],
    ['admin', '/dashboard'],
  ] as const) {
    const { page, context } = await windows.open('/login')
    await signInByForm(page, `${person}@demo.test`, 'demo2026')
    await at(page, path)
    await context.close()
  }
})

it('sign-in: booking started before -> continues to its confirmation', async () => {
  // This page has no booking form, which would overwrite the draft.
  const { page, context } = await windows.open('/about-us')
  const [pickup, drop] = await Promise.all([
    findPlace(windows.server.url, 'Ejido 1275'),
    findPlace(windows.server.url, 'Teatro Solís'),
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
  await signInByForm(page, 'rider@demo.test', 'demo2026')
  await page.getByRole('dialog', { name: isDelivery ? 'Your parcel' : 'Confirm booking' }).waitFor(patience)
  expect(new URL(page.url()).search).toBe('')
  await context.close()
})

it('all windows: no page errors', () => {
  expect(windows.pageErrors).toEqual([])
})
