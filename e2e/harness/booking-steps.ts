import type { Page } from 'playwright-core'
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
 * Follows a new booking from the success dialog to the trip's page and returns its code and id. Throws with the message
 * shown to the rider when the booking was refused.
 */
export async function followTrip(page: Page): Promise<{ bookingId: string; tripId: string }> {
  const dialog = page.getByRole('dialog', { name: 'Booked' })
  const refused = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: 'Confirm booking' }).getByRole('alert'))
  await dialog.or(refused).first().waitFor(patience)
  if (await refused.isVisible()) throw new Error(`booking refused: ${await refused.innerText()}`)
  const bookingId = await dialog.getByText(/^[2-9A-HJ-NP-Z]{6}$/).innerText()
  await dialog.getByRole('button', { name: 'Track this trip' }).click()
  await page.waitForURL(/\/trip\//, patience)
  return { bookingId, tripId: page.url().split('/trip/')[1] ?? '' }
}
