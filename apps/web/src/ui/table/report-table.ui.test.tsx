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
/** As a server has counted them: other figures than the rows in the page would add up to. */
const sums: Record<string, number> = { Ana: 31, 'Ana/2026-10': 11, 'Ana/2026-11': 20, Bo: 5, 'Bo/2026-10': 5 }

beforeAll(() => {
  // A page without layout has no height to show rows in.
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
    />,
  )
}
const lines = () => screen.getAllByRole('row').map((row) => row.textContent)

it("shows groups with the server's sums, closed, and the total at the end", () => {
  show()
  expect(lines()).toEqual(['nameshare', 'Ana31', 'Bo5', 'table.total36'])
  expect(screen.getAllByRole('row')[1]?.getAttribute('aria-expanded')).toBe('false')
})

it('opens group by group down to the rows, and closes again', () => {
  show()
  fireEvent.click(screen.getAllByRole('row')[1] as HTMLElement)
  expect(lines()).toEqual(['nameshare', 'Ana31', '2026-1011', '2026-1120', 'Bo5', 'table.total36'])
  fireEvent.click(screen.getAllByRole('row')[3] as HTMLElement)
  expect(lines()).toContain('row 320')
  expect(screen.getByText('row 3').closest('[role="row"]')?.getAttribute('aria-level')).toBe('3')
  fireEvent.click(screen.getAllByRole('row')[1] as HTMLElement)
  expect(lines()).toEqual(['nameshare', 'Ana31', 'Bo5', 'table.total36'])
})

it('opens and closes by the arrows', () => {
  show()
  const first = screen.getAllByRole('row')[1] as HTMLElement
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  expect(lines()).toHaveLength(6)
  fireEvent.keyDown(first, { key: 'ArrowLeft' })
  expect(lines()).toHaveLength(4)
})
