import type { Me } from '@hansom/contract/users'
import { defaultPreferences, type MessagePreferences } from '@hansom/domain/messages/topics'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { MessagesSection } from './messages-section.tsx'

let stored: MessagePreferences = defaultPreferences
let fails = false

afterEach(() => {
  cleanup()
  queryClient.clear()
  fails = false
  stored = defaultPreferences
  vi.unstubAllGlobals()
})

async function section(me: Partial<Me>) {
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT' && fails)
      return Response.json({ code: 'x', data: { key: 'too_many_requests' } }, { status: 429 })
    if (method === 'PUT') stored = JSON.parse(String(body)) as MessagePreferences
    return Response.json(stored)
  })
  storeTestSettings({})
  startEnglish({})
  render(
    <QueryClientProvider client={queryClient}>
      <MessagesSection me={me as Me} />
    </QueryClientProvider>,
  )
  await screen.findAllByRole('switch')
}

const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>('switch')
    .filter(({ checked }) => checked)
    .map(({ name }) => name)

it('number not verified -> emails are on, texts cannot be switched on', async () => {
  await section({ mobile: '+59899123456', mobile_verified_at: null })
  expect(chosen()).toEqual(['booking', 'reminder', 'driver', 'receipt'])
  expect(screen.getByLabelText<HTMLInputElement>(/trip_texts/).disabled).toBe(true)
})

it('switches in quick succession -> all are saved', async () => {
  await section({ mobile: '+59899123456', mobile_verified_at: 1 })
  fireEvent.click(screen.getByLabelText('profile.mail_reminder'))
  fireEvent.click(screen.getByLabelText(/trip_texts/))
  await waitFor(() => expect(stored).toEqual({ mails: ['booking', 'driver', 'receipt'], texts: true }))
})

it('not saved -> the error, and the switch shows what is stored', async () => {
  await section({ mobile: null, mobile_verified_at: null })
  fails = true
  fireEvent.click(screen.getByLabelText('profile.mail_receipt'))
  await screen.findByRole('alert')
  await waitFor(() => expect(chosen()).toHaveLength(4))
})
