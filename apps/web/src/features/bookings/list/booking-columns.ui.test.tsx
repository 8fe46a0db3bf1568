import type { BookingRow } from '@hansom/contract/bookings'
import chat from '@hansom/domain/languages/packs/en/chat.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { bookingColumns } from './booking-columns.tsx'

afterEach(cleanup)

const at = Date.parse('2026-03-02T15:04:00Z')
const booking = {
  chat: { messages: 3, last_at: at, reports: 1, report: { reason: 'unsafe', at } },
} as BookingRow

const Provider = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

/** The names of the columns that the list shows by default, and the text of the reports' cells. */
function shown(isReported: boolean, isAdmin = true) {
  const names: string[] = []
  function Cells() {
    const [format, { t }] = [useFormat(), useText()]
    const plain = (text: string) => text
    const columns = bookingColumns({
      format,
      t,
      isAdmin,
      isDelivery: false,
      carTypeName: plain,
      reasonText: plain,
      isReported,
    })
    names.push(...columns.filter(({ hidden }) => !hidden).map(({ id }) => id))
    return columns
      .filter(({ id }) => id.startsWith('report'))
      .map(({ id, cell }) => <p key={id}>{cell(booking)}</p>)
  }
  storeTestSettings({ timezone: 'UTC' })
  startEnglish(Object.fromEntries(Object.entries(chat).map(([name, text]) => [`chat.${name}`, text])))
  const cells = [...render(<Cells />, { wrapper: Provider }).container.querySelectorAll('p')].map(
    ({ textContent }) => textContent,
  )
  return { names, cells }
}

it('list of reported chats -> reason and date of the newest report, in place of price and route', () => {
  const { names, cells } = shown(true)
  expect(names).toEqual(expect.arrayContaining(['chat', 'report_reason', 'reported_at']))
  expect(names).not.toEqual(expect.arrayContaining(['trip_cost']))
  expect(names).not.toEqual(expect.arrayContaining(['route']))
  expect(cells).toEqual([chat.reason_unsafe, 'Mar 2, 2026 15:04'])
})

it('other lists -> without the reports; a fleet admin has no such columns', () => {
  const { names } = shown(false)
  expect(names).toEqual(expect.arrayContaining(['trip_cost', 'route']))
  expect(names.some((name) => name.startsWith('report'))).toBe(false)
  expect(shown(true, false).cells).toEqual([])
})
