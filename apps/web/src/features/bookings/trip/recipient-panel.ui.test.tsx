import type { SharedParcelView } from '@hansom/contract/trip-links'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { RecipientPanel } from './recipient-panel.tsx'

type Parcel = SharedParcelView['parcel']

beforeEach(() => {
  startEnglish({
    'recipient.next': 'You are next',
    'recipient.failed': 'Not delivered',
    'recipient.delivered': 'Delivered',
    'recipient.code': 'Code for the courier',
    'recipient.collect': 'Delivery fee in cash',
    'recipient.instructions': 'How to find you',
    'recipient.save': 'Save for the courier',
    'recipient.photo': 'Photo by the courier',
    'recipient.received_by': 'Received by {{name}}',
    'recipient.failure_refused': 'Refused, goes back',
    'recipient.returned_refused': 'Refused, was returned',
  })
  storeTestSettings({ category: 'delivery' })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const coming: Parcel = {
  stage: 'next',
  sender: 'Ana',
  place: { lat: 1, lng: 1, add: 'Second street 2' },
  parcel: 'Box',
  before: 0,
  vehicle: { carType: 'Bike', vehicle_number: 'SDX 4021', vehicle_make: null, vehicle_model: null },
  window_from: null,
  window_to: null,
  expected_at: Date.now() + 600_000,
  code: '1234',
  collect: null,
  instructions: 'Ring twice',
  may_edit: true,
  failure: null,
  returned: false,
  done_at: null,
  received_by: null,
  photo_at: null,
  signature_at: null,
}
const over: Parcel = {
  ...coming,
  stage: 'delivered',
  place: null,
  parcel: null,
  vehicle: null,
  expected_at: null,
  code: null,
  instructions: null,
  may_edit: false,
  done_at: 1_700_000_000_000,
}

function show(parcel: Parcel) {
  render(
    <QueryClientProvider client={queryClient}>
      <RecipientPanel token="a-token" parcel={parcel} />
    </QueryClientProvider>,
  )
}

it('parcel is next -> code, vehicle and address; typed instructions are sent', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: URL, { method, body }: RequestInit) => {
    sent.push([method, new URL(url, location.href).pathname, JSON.parse(String(body))])
    return Response.json({ point: null, parcel: coming })
  })
  show(coming)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You are next')
  expect(screen.getByRole('region', { name: 'Code for the courier' }).textContent).toContain('1234')
  expect(screen.getByText('SDX 4021')).toBeTruthy()
  expect(screen.getByText('Second street 2')).toBeTruthy()
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Blue door' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save for the courier' }))
  await vi.waitFor(() =>
    expect(sent).toEqual([['PUT', '/api/v1/track/a-token/instructions', { instructions: 'Blue door' }]]),
  )
})

it('fee to pay in cash -> the amount has a place of its own', () => {
  show({ ...coming, collect: 283 * unit })
  expect(screen.getByRole('region', { name: 'Delivery fee in cash' }).textContent).toContain('$283')
})

it('courier is near -> instructions are text', () => {
  show({ ...coming, may_edit: false })
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByText('Ring twice')).toBeTruthy()
})

it('delivered -> receiver and proof, nothing to do', () => {
  show({ ...over, received_by: 'Ada', photo_at: 5 })
  expect(screen.getByText(/Received by/).textContent).toContain('Ada')
  const photo = screen.getByRole('link', { name: 'Photo by the courier' })
  expect(photo.querySelector('img')?.getAttribute('src')).toBe('/api/v1/track/a-token/photo?at=5')
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('region')).toBeNull()
})

it('failed -> the reason', () => {
  show({ ...over, stage: 'failed', failure: 'refused' })
  expect(screen.getByText('Refused, goes back')).toBeTruthy()
  expect(screen.queryByRole('img')).toBeNull()
})

it('failed and returned -> says so', () => {
  show({ ...over, stage: 'failed', failure: 'refused', returned: true })
  expect(screen.getByText('Refused, was returned')).toBeTruthy()
})
