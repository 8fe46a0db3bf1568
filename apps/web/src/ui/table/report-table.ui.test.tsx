import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startLanguage } from '../../lib/i18n.ts'
import { ReportTable } from './report-table.tsx'

interface Earning {
  id: string
  driver: string
  month: string
  share: number
}

const rows: Earning[] = [
  { id: '1', driver: 'Ana', month: '2026-10', share: 10 },
  { id: '2', driver: 'Bo', month: '2026-10', share: 5 },
  { id: '3', driver: 'Ana', month: '2026-11', share: 20 },
]
/** Server-side totals; they deliberately differ from the sum of the rows. */
const sums: Record<string, number> = { Ana: 31, 'Ana/2026-10': 11, 'Ana/2026-11': 20, Bo: 5, 'Bo/2026-10': 5 }

beforeAll(() => {
  // Without layout, no rows would be visible.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en-GB',
      default: true,
      direction: 'ltr',
      keyValuePairs: {},
    },
    [],
  )
})
afterEach(cleanup)

const onOpen = vi.fn()

function show() {
  render(
    <ReportTable<Earning, number>
      title="earnings"
      rows={rows}
      rowId={({ id }) => id}
      groups={[
        { id: 'driver', key: ({ driver }) => driver, label: ({ driver }) => driver },
        { id: 'month', key: ({ month }) => month, label: ({ month }) => month },
      ]}
      columns={[
        { id: 'name', header: 'name', cell: ({ id }) => `row ${id}` },
        { id: 'share', header: 'share', cell: ({ share }) => share, sum: (sum) => sum },
      ]}
      subtotal={(path) => sums[path.join('/')]}
      total={36}
      onOpen={onOpen}
      link={({ id }) => `/rows/${id}`}
    />,
  )
}
const lines = () => screen.getAllByRole('row').map((row) => row.textContent)

it("rendered -> closed groups with the server's subtotals, total at the end", () => {
  show()
  expect(lines()).toEqual(['nameshare', 'Ana31', 'Bo5', 'table.total36'])
  expect(screen.getAllByRole('row')[1]?.getAttribute('aria-expanded')).toBe('false')
})

it('clicks -> open group by group down to the rows, and close again', () => {
  show()
  fireEvent.click(screen.getAllByRole('row')[1] as HTMLElement)
  expect(lines()).toEqual(['nameshare', 'Ana31', '2026-1011', '2026-1120', 'Bo5', 'table.total36'])
  fireEvent.click(screen.getAllByRole('row')[3] as HTMLElement)
  expect(lines()).toContain('row 320')
  expect(screen.getByText('row 3').closest('[role="row"]')?.getAttribute('aria-level')).toBe('3')
  fireEvent.click(screen.getAllByRole('row')[1] as HTMLElement)
  expect(lines()).toEqual(['nameshare', 'Ana31', 'Bo5', 'table.total36'])
})

it('arrows -> open and close', () => {
  show()
  const first = screen.getAllByRole('row')[1] as HTMLElement
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  expect(lines()).toHaveLength(6)
  fireEvent.keyDown(first, { key: 'ArrowLeft' })
  expect(lines()).toHaveLength(4)
})

it('row -> a link to its page that opens here; with Ctrl or the middle button in a new tab', () => {
  const newTab = vi.spyOn(window, 'open').mockReturnValue(null)
  show()
  fireEvent.click(screen.getAllByRole('row')[1] as HTMLElement)
  fireEvent.click(screen.getAllByRole('row')[2] as HTMLElement)
  const link = screen.getByRole('link', { name: 'row 1' })
  expect(link.getAttribute('href')).toBe('/rows/1')
  fireEvent.click(link)
  expect(onOpen).toHaveBeenCalledOnce()
  fireEvent.click(link, { ctrlKey: true })
  fireEvent(link, new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  expect(newTab).not.toHaveBeenCalled()
  const share = screen.getByText('10', { selector: 'span' })
  fireEvent.click(share, { ctrlKey: true })
  fireEvent(share, new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  expect(newTab.mock.calls.map(([url]) => url)).toEqual(['/rows/1', '/rows/1'])
  expect(onOpen).toHaveBeenCalledOnce()
})
