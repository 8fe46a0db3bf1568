import type { Me } from '@hansom/contract/users'
import type { AlertKind } from '@hansom/domain/alerts/alerts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { AlertsSection } from './alerts-section.tsx'

let stored: AlertKind[] = []
let fails = false

afterEach(() => {
  cleanup()
  queryClient.clear()
  fails = false
  vi.unstubAllGlobals()
})

async function section(usertype: 'admin' | 'fleetadmin', kinds: AlertKind[]) {
  stored = kinds
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT' && fails)
      return Response.json({ code: 'x', data: { key: 'too_many_requests' } }, { status: 429 })
    if (method === 'PUT') stored = (JSON.parse(String(body)) as { kinds: AlertKind[] }).kinds
    return Response.json({ kinds: stored })
  })
  storeTestSettings({})
  startEnglish({ 'alert.mail_intro': 'At most every {{minutes}} minutes' })
  storeMe({ uid: 'a', usertype, version: 1 } as Me)
  render(
    <QueryClientProvider client={queryClient}>
      <AlertsSection />
    </QueryClientProvider>,
  )
  await screen.findAllByRole('switch')
}

const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>('switch')
    .filter(({ checked }) => checked)
    .map(({ name }) => name)

it('admin -> a switch for each kind, and how often mail comes', async () => {
  await section('admin', ['refund'])
  expect(screen.getAllByRole('switch')).toHaveLength(10)
  expect(chosen()).toEqual(['refund'])
  screen.getByText('At most every 10 minutes')
})

it('fleet admin -> only the kinds of their fleet', async () => {
  await section('fleetadmin', [])
  expect(screen.getAllByRole<HTMLInputElement>('switch').map(({ name }) => name)).toEqual([
    'safety',
    'driver_waiting',
    'objection',
  ])
})

it('two switches in quick succession -> both are saved, with a confirmation', async () => {
  await section('admin', ['refund'])
  fireEvent.click(screen.getByLabelText('alert.payment.label'))
  fireEvent.click(screen.getByLabelText('alert.withdrawal.label'))
  expect(chosen()).toEqual(['withdrawal', 'payment', 'refund'])
  await waitFor(() => expect(stored).toEqual(['refund', 'payment', 'withdrawal']))
  await screen.findByText('alert.mail_saved')
  fireEvent.click(screen.getByLabelText('alert.refund.label'))
  expect(screen.queryByText('alert.mail_saved')).toBeNull()
  await waitFor(() => expect(stored).toEqual(['payment', 'withdrawal']))
})

it('not saved -> the error, and the switch shows what is stored', async () => {
  await section('admin', ['refund'])
  fails = true
  fireEvent.click(screen.getByLabelText('alert.payment.label'))
  await screen.findByRole('alert')
  await waitFor(() => expect(chosen()).toEqual(['refund']))
  expect(screen.queryByText('alert.mail_saved')).toBeNull()
})
