import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { type Account, enterAs, fillSignIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { words } from './harness/category.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
const pageErrors: string[] = []

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(account: Account, path: string, look: { phone?: boolean } = {}): Promise<Page> {
  const { page } = await openWindow(browser, { url: server.url, ...look })
  page.on('pageerror', (error) => pageErrors.push(error.message))
  await enterAs(page.context(), account)
  await page.goto(path)
  await page.locator('[data-table] [role="grid"], [data-table] [role="list"]').waitFor(patience)
  return page
}

/** The cell of a column in a person's row. */
async function cellOf(page: Page, person: string, column: string) {
  const names = await page.getByRole('columnheader').allInnerTexts()
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: person }) })
  return row.locator(`[aria-colindex="${names.findIndex((name) => name.trim() === column) + 1}"]`)
}

/** Types into a cell by keyboard. */
async function write(page: Page, person: string, column: string, text: string) {
  const cell = await cellOf(page, person, column)
  await cell.focus()
  await page.keyboard.press('F2')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Enter')
}

const registration = async (id: string) => {
  const admin = await callAs(server.url, 'admin')
  return (await admin.users.get({ id })).vehicleNumber
}

it('fleet admin -> sees their drivers, invites one, and confirms a deletion by name', async () => {
  const page = await open('fleet', '/drivers')
  await page.getByRole('button', { name: words('Add driver') }).click()
  const dialog = page.getByRole('dialog', { name: words('Add driver') })
  await dialog.getByLabel('First name').fill('Robin')
  await dialog.getByLabel('Last name').fill('Reyes')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('driver@demo.test')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').first().waitFor(patience)
  await dialog.getByRole('textbox', { name: 'Email' }).fill('robin@people.test')
  await dialog.getByLabel(words('Car type')).selectOption({ index: 1 })
  await dialog.getByLabel('Plate').fill('SBB 2020')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ ...patience, state: 'detached' })
  const row = page.getByRole('rowheader', { name: 'Robin Reyes' })
  await row.waitFor(patience)

  const admin = await callAs(server.url, 'admin')
  const mails = await admin.mailbox.list({ channel: 'mail' })
  expect(mails.map(({ to }) => to)).toContain('robin@people.test')

  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Actions for Robin Reyes' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const removal = page.getByRole('dialog', { name: 'Delete Robin Reyes?' })
  await removal.getByRole('textbox', { name: 'Name' }).fill('Robin')
  await removal.getByRole('button', { name: 'Delete' }).click()
  await removal.getByText('The name doesn’t match.').waitFor(patience)
  await removal.getByRole('textbox', { name: 'Name' }).fill('Robin Reyes')
  await removal.getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ ...patience, state: 'detached' })
})

it('drivers table -> search and filters in the URL, an edit in the database', async () => {
  const page = await open('admin', '/drivers')
  const person = (await page.getByRole('rowheader').first().innerText()).split('\n').at(-1) ?? ''
  await page.getByRole('searchbox', { name: 'Search' }).fill(person)
  await page.waitForURL((url) => url.searchParams.get('q') === person, patience)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Approval' }).click()
  await page.getByRole('checkbox', { name: 'Approved' }).check()
  await page.waitForURL((url) => url.searchParams.get('approval') === 'approved', patience)
  await page.keyboard.press('Escape')
  await write(page, person, 'Plate', 'SAA 1010')
  const cell = await cellOf(page, person, 'Plate')
  await expect.poll(() => cell.innerText(), patience).toBe('SAA 1010')
  await page.getByText(`${person} saved`).waitFor({ ...patience, state: 'attached' })
  await page.reload()
  await page.getByRole('rowheader', { name: person }).waitFor(patience)
  expect(await (await cellOf(page, person, 'Plate')).innerText()).toBe('SAA 1010')
  await page.getByRole('rowheader', { name: person }).click()
  const drawer = page.getByRole('dialog', { name: person })
  await drawer.getByText('SAA 1010').waitFor(patience)
  expect(await findBarriers(page)).toEqual([])
})

it('two admins edit one row -> the second sees both values and chooses', async () => {
  const first = await open('admin', '/drivers')
  const second = await open('admin', '/drivers')
  const person = (await first.getByRole('rowheader').first().innerText()).split('\n').at(-1) ?? ''
  const admin = await callAs(server.url, 'admin')
  const { items } = await admin.users.list({ usertype: 'driver' })
  const id = items.find(({ firstName, lastName }) => `${firstName} ${lastName}` === person)?.uid ?? ''
  await (await cellOf(second, person, 'Plate')).focus()
  await second.keyboard.press('F2')
  await write(first, person, 'Plate', 'SCC 3030')
  await expect.poll(() => registration(id), patience).toBe('SCC 3030')
  await second.keyboard.insertText('SDD 4040')
  await second.keyboard.press('Enter')
  const dialog = second.getByRole('alertdialog', { name: 'Someone else changed this' })
  await dialog.waitFor(patience)
  const sides = dialog.getByRole('row').filter({ hasText: 'Plate' }).getByRole('cell')
  await expect.poll(() => sides.allInnerTexts(), patience).toEqual(['SDD 4040', 'SCC 3030'])
  expect(await findBarriers(second)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => registration(id), patience).toBe('SDD 4040')
})

it('rider with a new user type -> moves to that table', async () => {
  // A user without history: unpaid trips would block the change.
  const person = 'Noemi Nueva'
  const admin = await callAs(server.url, 'admin')
  await admin.users.create({
    usertype: 'rider',
    firstName: 'Noemi',
    lastName: 'Nueva',
    email: 'noemi.nueva@demo.test',
  })
  const page = await open('admin', '/riders')
  await page.getByRole('button', { name: `Actions for ${person}` }).click()
  await page.getByRole('menuitem', { name: 'Change user type' }).click()
  const dialog = page.getByRole('dialog', { name: `User type of ${person}` })
  await dialog.getByRole('radio', { name: 'Fleet admin' }).check()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Change user type' }).click()
  await page.getByRole('rowheader', { name: person }).waitFor({ ...patience, state: 'detached' })
  // The closed dialog leaves its history entry, which would cancel a navigation that starts meanwhile.
  await expect.poll(() => page.evaluate(() => history.state.modals?.depth ?? 0), patience).toBe(0)
  await page.goto('/fleetadmins')
  await page.getByRole('rowheader', { name: person }).waitFor(patience)
})

it('drawer of a user -> Back closes it; closed by Esc or Back, the next Back leaves the page', async () => {
  const page = await open('admin', '/drivers')
  await page
    .getByRole('link', { name: words('Riders'), exact: true })
    .first()
    .click()
  const row = page.getByRole('rowheader').first()
  const drawer = page.getByRole('dialog')
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await row.click()
    await drawer.getByText('Referral code').waitFor(patience)
    await close()
    await drawer.waitFor({ ...patience, state: 'detached' })
    await page.waitForURL('**/riders', patience)
  }
  await page.goBack()
  await page.waitForURL('**/drivers', patience)
  await page.goto('/riders?open=')
  await row.waitFor(patience)
})

it('phone -> a list of cards', async () => {
  const page = await open('admin', '/riders', { phone: true })
  await page.getByRole('listitem').first().waitFor(patience)
  expect(await sidewaysScroll(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  const cards = page.getByRole('list', { name: words('Riders') })
  await cards
    .getByRole('link', { name: /^Open / })
    .first()
    .click()
  await page.getByRole('dialog').getByText('Referral code').waitFor(patience)
  expect(pageErrors).toEqual([])
})

/** A driver who signed up and waits for approval. */
async function waitingDriver(firstName: string): Promise<{ name: string; email: string; password: string }> {
  const email = `${firstName.toLowerCase()}.waits@people.test`
  const password = 'Waiting2026'
  const person = {
    firstName,
    lastName: 'Waits',
    email,
    password,
    mobile: `+5989977${1000 + firstName.length}`,
  }
  const answer = await fetch(`${server.url}/user_signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ regData: { ...person, usertype: 'driver' } }),
  })
  expect(await answer.json()).toHaveProperty('uid')
  return { name: `${firstName} Waits`, email, password }
}

/** The drawer of the person in the open table. */
async function openDrawer(page: Page, name: string) {
  await page.getByRole('rowheader', { name }).click()
  const drawer = page.getByRole('dialog', { name, exact: true })
  await drawer.getByText('Referral code').waitFor(patience)
  return drawer
}

it('waiting driver -> rejected with a reason that they read, then completed and approved', async () => {
  const { name, email, password } = await waitingDriver('Wanda')
  const page = await open('admin', '/drivers?approval=waiting')
  const drawer = await openDrawer(page, name)
  await drawer.getByText('Waiting', { exact: true }).waitFor(patience)
  await takePicture(page, 'people-drawer-waiting')
  await drawer.getByRole('button', { name: 'Reject' }).click()
  const rejection = page.getByRole('dialog', { name: `Reject` })
  await rejection.getByRole('button', { name: 'Reject' }).click()
  await rejection.getByText('Required.').waitFor(patience)
  await rejection.getByRole('textbox', { name: 'Reason' }).fill('The licence is missing.')
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-reject')
  await rejection.getByRole('button', { name: 'Reject' }).click()
  await drawer.getByText('Rejected', { exact: true }).waitFor(patience)

  const { page: theirs } = await openWindow(browser, { url: server.url })
  await theirs.goto('/login')
  await fillSignIn(theirs, email, password)
  await theirs.getByText(/The licence is missing\./).waitFor(patience)
  await takePicture(theirs, 'people-rejected-login')
  const admin = await callAs(server.url, 'admin')
  const mailsOf = async (to: string) =>
    (await admin.mailbox.list({ channel: 'mail' })).filter((mail) => mail.to === to)
  await expect
    .poll(async () => (await mailsOf(email)).map(({ text }) => text).join(), patience)
    .toMatch(/licence is missing/)

  await drawer.getByRole('button', { name: `Add licence of ${name}` }).click()
  const licence = page.getByRole('dialog', { name: `Licence of ${name}` })
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } })
  await licence
    .getByLabel('Add licence')
    .setInputFiles({ name: 'licence.png', mimeType: 'image/png', buffer })
  await licence.getByRole('img', { name: `Licence of ${name}` }).waitFor(patience)
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-licence')
  await page.keyboard.press('Escape')
  await licence.waitFor({ ...patience, state: 'detached' })

  await drawer.getByRole('button', { name: 'Approve' }).click()
  const approval = page.getByRole('dialog', { name: 'Approve' })
  await approval.getByText(words('Car type'), { exact: true }).waitFor(patience)
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-approve')
  await approval.getByRole('button', { name: 'Approve' }).click()
  await drawer.getByText('Approved', { exact: true }).waitFor(patience)
  await fillSignIn(theirs, email, password)
  await theirs.waitForURL('**/bookings', patience)
  await theirs.context().close()
})

it('driver signs up -> counted in the menu and the bell without a reload, opened there, gone when approved', async () => {
  const page = await open('admin', '/riders')
  const menu = page.getByRole('navigation', { name: 'Main' })
  const counted = (count: number) =>
    menu.getByRole('link', { name: `${words('Drivers')}, ${count} to do`, exact: true })
  const { counts } = await (await callAs(server.url, 'admin')).alerts.counts()
  const before = counts.find(({ kind }) => kind === 'driver_waiting')?.count ?? 0
  const { name } = await waitingDriver('Marisol')
  await counted(before + 1).waitFor(patience)
  await page.getByRole('button', { name: /^Notifications: \d+ new, \d+ to do$/ }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await bell
    .getByRole('link', { name: new RegExp(`^${words('Drivers to approve')}, \\d+ to do$`) })
    .waitFor(patience)
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'bell-to-do')
  await bell.getByRole('link', { name: `${name} is waiting for approval` }).click()
  const drawer = page.getByRole('dialog', { name, exact: true })
  await drawer.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
  await drawer.getByText('Approved', { exact: true }).waitFor(patience)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ ...patience, state: 'detached' })
  await counted(before + 1).waitFor({ ...patience, state: 'detached' })
  const left =
    before === 0 ? menu.getByRole('link', { name: words('Drivers'), exact: true }) : counted(before)
  await left.waitFor(patience)
})

it('email corrected, balance paid out -> told at both addresses, then deleted', async () => {
  const admin = await callAs(server.url, 'admin')
  const name = 'Delia Deuda'
  const { uid } = await admin.users.create({
    usertype: 'rider',
    firstName: 'Delia',
    lastName: 'Deuda',
    email: 'delia.old@people.test',
  })
  const amount = 250 * 10_000
  await admin.wallet.credit({ uid, amount, reason: 'Lost item' })
  const page = await open('admin', '/riders')
  const drawer = await openDrawer(page, name)
  await takePicture(page, 'people-drawer-rider')
  await drawer.getByRole('button', { name: 'Correct email or phone' }).click()
  const contacts = page.getByRole('dialog', { name: 'Contacts of' })
  await contacts.getByRole('textbox', { name: 'Email' }).fill('delia.new@people.test')
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-contacts')
  await contacts.getByRole('button', { name: 'Save contacts' }).click()
  await drawer.getByText('delia.new@people.test').waitFor(patience)
  const addressed = async () => (await admin.mailbox.list({ channel: 'mail' })).map(({ to }) => to)
  await expect
    .poll(addressed, patience)
    .toEqual(expect.arrayContaining(['delia.old@people.test', 'delia.new@people.test']))
  await page.keyboard.press('Escape')
  await drawer.waitFor({ ...patience, state: 'detached' })

  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const removal = page.getByRole('dialog', { name: `Delete ${name}?` })
  await removal.getByText(/has .*250.* in the wallet/).waitFor(patience)
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-delete-balance')
  await removal.getByRole('button', { name: 'Pay out balance' }).click()
  const payout = page.getByRole('dialog', { name: 'Pay out to' })
  await payout.getByRole('button', { name: 'Request payout' }).click()
  await payout.getByText('Required.').first().waitFor(patience)
  await payout.getByRole('textbox', { name: 'Bank', exact: true }).fill('Banco')
  await payout.getByRole('textbox', { name: 'Account number' }).fill('123-456')
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, 'people-payout')
  await payout.getByRole('button', { name: 'Request payout' }).click()
  await removal.getByText(/has a withdrawal to decide first/).waitFor(patience)
  await takePicture(page, 'people-delete-withdrawal')
  const [request] = (await admin.withdraws.list({ uid, limit: 1 })).items
  expect(request).toMatchObject({ amount, bankAccount: '123-456', processed: false })
  await admin.withdraws.process({ id: request?.id ?? '' })
  await removal.getByRole('textbox', { name: 'Name' }).fill(name)
  await removal.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('rowheader', { name }).waitFor({ ...patience, state: 'detached' })
  expect(pageErrors).toEqual([])
})
