import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { ChatFigures } from './chat-figures.tsx'

afterEach(cleanup)

const shown = (figures: Parameters<typeof ChatFigures>[0]['chat']) => {
  storeTestSettings()
  startEnglish({ 'history.chat_messages_other': '{{count}} messages' })
  return render(
    <QueryClientProvider client={queryClient}>
      <ChatFigures chat={figures} />
    </QueryClientProvider>,
  ).container
}

it('messages without a report -> their number, and day and time of the last', () => {
  const at = Date.parse('2026-03-02T15:04:00Z')
  const cell = shown({ messages: 6, last_at: at, reports: 0, report: null })
  expect(cell.textContent).toContain('6 messages')
  expect(cell.querySelector('time')?.getAttribute('datetime')).toBe('2026-03-02T15:04:00.000Z')
  expect(cell.querySelector('time')?.textContent).toMatch(/\d+\D\d+/)
  expect(cell.querySelector('time')?.title).toContain('Mar')
  expect(cell.textContent).not.toContain('history.chat_reported')
})

it('open report -> says so, also without messages', () => {
  const cell = shown({ messages: 0, last_at: null, reports: 1, report: null })
  expect(cell.textContent).toContain('history.chat_reported')
  expect(cell.querySelector('time')).toBeNull()
})
