import type { Locator, Page } from 'playwright-core'
import { isDelivery, recipient, words } from './category.ts'
import { recordedHistory } from './history-log.ts'
import { patience } from './patience.ts'

type Field = 'From' | 'To'

/** Types into a place field and selects the suggestion of that name with the mouse. */
export async function choosePlace(page: Page, field: Field, typed: string, proposal: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('combobox', { name: field }).fill('')
  await page.keyboard.type(typed, { delay: 20 })
  await page.getByRole('listbox', { name: field }).getByRole('option', { name: proposal }).first().click()
}

/**
 * The confirmation of the trip in the form, after Book. A delivery gets the first parcel type and a recipient on the way;
 * by a sender it is paid in cash at the pickup.
 */
export async function toConfirmation(page: Page): Promise<Locator> {
  const confirm = page.getByRole('dialog', { name: words('Confirm booking') })
  if (!isDelivery) return confirm
  await page.getByRole('dialog', { name: 'Your parcel' }).getByRole('button', { name: 'Continue' }).click()
  const { deliveryPerson, deliveryPersonPhone } = recipient
  // Senders choose from their address book.
  const person = (role: 'combobox' | 'textbox') => confirm.getByRole(role, { name: 'Recipient’s name' })
  await person('combobox').or(person('textbox')).fill(deliveryPerson)
  await confirm.getByLabel('Recipient’s phone').fill(deliveryPersonPhone)
  const cash = confirm.getByRole('radio', { name: 'Cash at pickup' })
  await confirm.getByRole('button', { name: /^Confirm · / }).waitFor(patience)
  if ((await cash.count()) > 0) await cash.check()
  return confirm
}

/**
 * Follows a new booking from the success dialog to the trip's page and returns its code and id. Throws with the message
 * shown to the rider when the booking was refused.
 */
export async function followTrip(page: Page): Promise<{ bookingId: string; tripId: string }> {
  const dialog = page.getByRole('dialog', { name: 'Booked' })
  const refused = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: words('Confirm booking') }).getByRole('alert'))
  await dialog.or(refused).first().waitFor(patience)
  if (await refused.isVisible()) throw new Error(`booking refused: ${await refused.innerText()}`)
  const bookingId = await dialog.getByText(/^[2-9A-HJ-NP-Z]{6}$/).innerText()
  await dialog.getByRole('button', { name: words('Track this trip') }).click()
  await page.waitForURL(/\/trip\//, patience).catch(async (cause) => {
    const sight = await page.locator('body').innerText()
    const history = await recordedHistory(page)
    throw new Error(`no trip page, but ${page.url()} with: ${sight.slice(0, 500)}\n${history}`, { cause })
  })
  return { bookingId, tripId: page.url().split('/trip/')[1] ?? '' }
}
