import type { MessageUsage as Usage } from '@hansom/contract/integrations'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { MessageUsage } from './message-usage.tsx'

afterEach(cleanup)

test('messages of today -> sent and limit of each channel; dropped ones only where there are some', () => {
  startEnglish({
    'settings.usage_sent': '{{sent}} of {{limit}} sent',
    'settings.usage_dropped': 'Not sent: {{dropped}}',
  })
  storeTestSettings({})
  const usage: Usage[] = [
    { channel: 'mails', sent: 1200, dropped: 3, limit: 5000 },
    { channel: 'texts', sent: 7, dropped: 0, limit: 500 },
  ]
  queryClient.setQueryData(orpc.integrations.messages.queryKey(), usage)
  render(
    <QueryClientProvider client={queryClient}>
      <MessageUsage />
    </QueryClientProvider>,
  )
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent?.replace(/[\u2066-\u2069]/g, ''))
  expect(rows[0]).toMatch(/1,200 of 5,000 sentNot sent: 3$/)
  expect(rows[1]).toMatch(/7 of 500 sent$/)
})
