import type { Page } from 'playwright-core'

type Field = 'From' | 'To'

/** Types into a place field and takes the proposal of that name, with the mouse. */
export async function choosePlace(page: Page, field: Field, typed: string, proposal: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('combobox', { name: field }).fill('')
  await page.keyboard.type(typed, { delay: 20 })
  await page.getByRole('listbox', { name: field }).getByRole('option', { name: proposal }).first().click()
}

/** The booking id and the trip's own id after a booking, from the success dialog and the trip's page. */
export async function followTrip(page: Page): Promise<{ bookingId: string; tripId: string }> {
  const dialog = page.getByRole('dialog', { name: 'Booked' })
  await dialog.waitFor()
  const bookingId = await dialog.getByText(/^[2-9A-HJ-NP-Z]{6}$/).innerText()
  await dialog.getByRole('button', { name: 'Follow your trip' }).click()
  await page.waitForURL(/\/trip\//)
  return { bookingId, tripId: page.url().split('/trip/')[1] ?? '' }
}
