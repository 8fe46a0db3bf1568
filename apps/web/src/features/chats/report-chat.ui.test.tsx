import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { ReportDialog } from './report-chat.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('report sent with a chosen reason -> says so until it is closed', async () => {
  startEnglish({})
  vi.stubGlobal('fetch', async () => Response.json({}))
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <ReportDialog booking="0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f" onClose={onClose} />
    </QueryClientProvider>,
  )
  // No reason is chosen before the user does it.
  const reason = screen.getByRole<HTMLSelectElement>('combobox')
  expect(reason.value).toBe('')
  fireEvent.change(reason, { target: { value: 'spam' } })
  fireEvent.click(screen.getByRole('button', { name: 'chat.report_send' }))
  await screen.findByText('chat.reported')
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'common.close' }))
  expect(onClose).toHaveBeenCalled()
})
