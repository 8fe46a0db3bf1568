import type { OperationFiguresView, OperationsView } from '@hansom/contract/reports'
import texts from '@hansom/domain/languages/packs/en/reports.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { startLanguage } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeTestSettings } from '../../lib/test-data.fixture.ts'
import { useOperationGroups } from './operation-groups.ts'
import { useFigureTexts } from './use-figure-texts.ts'

afterEach(cleanup)

const figures = {
  bookings: 10,
  outcomes: { completed: 10, no_driver: 0 },
  offers: 50,
  acceptances: 10,
  offered: 10,
  accepted: 10,
  acceptS: null,
  pickupS: null,
} as unknown as OperationFiguresView

function start(langLocale: string) {
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const keyValuePairs = { 'reports.op_requests_accepted': texts.op_requests_accepted }
  const dateLocale = langLocale
  startLanguage(
    { langName: langLocale, langLocale, dateLocale, default: true, direction: 'ltr', keyValuePairs },
    [],
  )
}
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

it('acceptance: every booking, a fifth of the requests -> both are named', () => {
  start('en')
  const { result } = renderHook(() => useFigureTexts()(figures), { wrapper })
  expect(result.current.acceptance).toEqual({ figure: '100%', note: 'Requests accepted: 10 of 50' })
})

it.each(['en', 'ar', 'en-US'])('hours: %s -> the 24-hour clock of the other times', (locale) => {
  start(locale)
  const view = { hours: [{ hour: 23, ...figures }] } as unknown as OperationsView
  const { result } = renderHook(() => useOperationGroups(view, 'hour', {}), { wrapper })
  const digits = new Intl.NumberFormat(locale, { useGrouping: false }).format(23)
  expect(result.current[0]?.label).toMatch(new RegExp(`^${digits}:\\S+$`))
})
