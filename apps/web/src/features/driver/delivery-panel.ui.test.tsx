import { ApiError } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import type { PublicSettings } from '@hansom/contract/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { imageStore } from '../../lib/image-store.ts'
import { initialTopics } from '../../lib/initial-topics.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { noChat, startConsole } from './driver.fixture.ts'
import { RequestCard } from './request-card.tsx'
import { deliveryOf, tripOf } from './trip.fixture.ts'
import type { TakenStep, TappedStep } from './trip-commands.ts'
import { TripPanel } from './trip-panel.tsx'
import type { StepRefusal } from './use-offline-queue.ts'

const delivering = (more: Partial<PublicSettings> = {}) => startConsole({ category: 'delivery', ...more })
beforeEach(() => {
  delivering()
  storeMe(null)
})
afterEach(() => {
  cleanup()
  initialTopics.clear()
  vi.unstubAllGlobals()
})

const carrying = (changes: Partial<BookingView> = {}) =>
  tripOf({ status: 'STARTED', prepaid: true, payment_mode: 'wallet', delivery: deliveryOf(3), ...changes })

function show(booking: BookingView, tapped: TappedStep[] = [], refusal: StepRefusal | null = null) {
  const taken: TakenStep[] = []
  render(
    <QueryClientProvider client={queryClient}>
      <TripPanel
        chat={noChat}
        booking={booking}
        own={null}
        tapped={tapped}
        refusal={refusal}
        onStep={(step) => taken.push(step)}
      />
    </QueryClientProvider>,
  )
  return taken
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 })
const tappedStep = (step: TakenStep): TappedStep => ({ ...step, at: 1, key: `${step.step} ${step.stop}` })
const started = tappedStep({ booking: 'b', step: 'start' })

it('request card: delivery -> number of stops, parcel and windows', () => {
  const request = carrying({
    status: 'NEW',
    parcelTypeSelected: { description: 'Large box', amount: 0 },
    optionSelected: { description: 'Fragile', amount: 0 },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RequestCard request={request} busy={false} onAccept={() => {}} onDecline={() => {}} />
    </QueryClientProvider>,
  )
  const text = screen.getByRole('article').textContent ?? ''
  expect(text).toContain('3 stops · Large box · Fragile')
  expect(text).toMatch(/1 time window/)
})

it('stop list: next stop first, with person, phone, instructions and navigation', () => {
  show(carrying(), [started])
  const active = screen.getByRole('article', { name: 'Stop 1' })
  expect(active.textContent).toMatch(/Street 1.*Ada Lee.*Ring twice/)
  expect(screen.getByRole('link', { name: 'Call Ada Lee' }).getAttribute('href')).toBe('tel:+598990001')
  const link = within(active).getByRole('link', { name: 'Navigate' }).getAttribute('href') ?? ''
  expect(decodeURIComponent(link)).toContain('-34.91')
  const rows = within(screen.getByRole('list', { name: 'Other stops' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => /Street \d|Ejido/.exec(textContent ?? '')?.[0])).toEqual([
    'Street 2',
    'Street 3',
    'Ejido',
  ])
})

it('stop list: ahead of the plan -> expected as the sender sees it, from the courier’s position', () => {
  const base = Math.floor(Date.now() / 60_000) * 60_000
  const inMinutes = (minutes: number) => base + minutes * 60_000
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'America/Montevideo' })
  const delivery = deliveryOf(2)
  const stops = delivery.stops.map((stop) => ({
    ...stop,
    planned_at: inMinutes(60 + 10 * stop.n),
    window_from: null,
    window_to: null,
    ...(stop.n === 0 ? { outcome: 'collected' as const, done_at: base } : {}),
  }))
  initialTopics.set('tracking:b', { id: 1, lat: 0, lng: 0, at: base, status: 'STARTED', arrivalS: 20 * 60 })
  show(carrying({ tracked: true, delivery: { ...delivery, stops } }))
  const shown = screen.getAllByText(/^Expected/).map(({ textContent }) => textContent)
  expect(shown.map((text) => text?.replace(/[\u2066-\u2069]/g, ''))).toEqual(
    [20, 30].map((minutes) => `Expected ${clock.format(inMinutes(minutes))}`),
  )
})

it('stop list: another stop chosen -> reported instead', () => {
  const taken = show(carrying(), [started])
  press('Do now: Cleo Paz')
  press('Delivered')
  expect(taken).toEqual([{ booking: 'b', step: 'deliver', stop: 3 }])
})

it('second tap of a double tap -> not counted for the next stop', () => {
  const taken = show(carrying(), [started])
  fireEvent.click(screen.getByRole('button', { name: 'Delivered' }), { detail: 2 })
  expect(taken).toEqual([])
})

it('could not deliver: reason -> reported, the return follows the last stop', () => {
  const taken = show(carrying(), [started])
  press('Couldn’t deliver')
  const dialog = screen.getByRole('dialog')
  fireEvent.click(within(dialog).getByLabelText('Wrong address'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Couldn’t deliver' }))
  expect(taken).toEqual([{ booking: 'b', step: 'fail_drop', stop: 1, reason: 'wrong_address' }])
  cleanup()
  const [failed] = taken
  if (!failed) throw new Error('nothing reported')
  show(carrying(), [started, tappedStep(failed)])
  const rows = within(screen.getByRole('list', { name: 'Other stops' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent).join()).toMatch(/Street 3.*Ejido.*Wrong address/)
})

it('could not deliver: photo and wait are needed -> asked for in the dialog', () => {
  delivering({ AllowFinalDeliveryImageCapture: true, deliveryWaitMinutes: 3 })
  show(carrying(), [started])
  press('Couldn’t deliver')
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.queryByText(/Wait there/)).toBeNull()
  fireEvent.click(dialog.getByLabelText('No one there'))
  expect(dialog.getByText(/You’re not near this stop. Wait there for 3 minutes/)).toBeDefined()
  expect(dialog.getByRole('group', { name: 'Photo of the place' })).toBeDefined()
  const confirm = dialog.getByRole('button', { name: 'Couldn’t deliver' })
  expect(confirm.hasAttribute('disabled')).toBe(true)
})

it('signature: recipient cannot sign -> the typed name goes with the step', async () => {
  delivering({ deliverySignature: true })
  const taken = show(carrying(), [started])
  press('Delivered')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(await dialog.findByRole('checkbox', { name: /They can’t sign/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Delivered' }))
  expect(dialog.getByText('Enter the name.')).toBeDefined()
  fireEvent.change(dialog.getByRole('textbox', { name: /Received by/ }), { target: { value: 'Ada' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Delivered' }))
  await waitFor(() =>
    expect(taken).toEqual([{ booking: 'b', step: 'deliver', stop: 1, name: 'Ada', unsigned: true }]),
  )
})

const twoDone = [
  started,
  tappedStep({ booking: 'b', step: 'deliver', stop: 1 }),
  tappedStep({ booking: 'b', step: 'deliver', stop: 2 }),
]

it('last stop: prepaid -> the trip ends and closes by itself; in cash -> the amount is asked for', () => {
  const prepaid = show(carrying(), twoDone)
  press('Delivered')
  expect(prepaid.map(({ step }) => step)).toEqual(['deliver', 'reach', 'close'])
  cleanup()
  const cash = show(carrying({ prepaid: false, payment_mode: 'cash' }), twoDone)
  press('Delivered')
  expect(cash.map(({ step }) => step)).toEqual(['deliver', 'reach'])
})

it('cash at the last drop -> confirmed before the parcel is handed over, then nothing is left to collect', async () => {
  const delivery = deliveryOf(3)
  const stops = delivery.stops.map((stop) => (stop.n === 3 ? { ...stop, collect: 1_380_000 } : stop))
  const cash = { prepaid: false, payment_mode: 'cash' as const, delivery: { ...delivery, stops } }
  const taken = show(carrying(cash), twoDone)
  expect(screen.getByRole('article', { name: 'Stop 3' }).textContent).toContain('Collect in cash: $138')
  press('Delivered')
  const sheet = await screen.findByRole('dialog')
  const confirm = () => fireEvent.click(within(sheet).getByRole('button', { name: 'Delivered' }))
  confirm()
  expect(within(sheet).getByRole('alert').textContent).toBe('Collect the cash, then confirm it.')
  expect(taken).toEqual([])
  fireEvent.click(within(sheet).getByRole('checkbox', { name: /I have .*138.* in cash/ }))
  confirm()
  await waitFor(() => expect(taken.map(({ step }) => step)).toEqual(['deliver', 'reach', 'close']))
  expect(taken[0]).toMatchObject({ stop: 3, cash: 1_380_000 })
})

it('proof sheet: only the needed proofs, all of them before it is sent', async () => {
  delivering({ AllowFinalDeliveryImageCapture: true, deliveryName: true, deliveryCode: true })
  vi.stubGlobal('createImageBitmap', async () => ({ width: 40, height: 30, close: () => {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['small'], { type: 'image/jpeg' })),
  )
  const delivery = deliveryOf(3)
  const stops = delivery.stops.map((stop) => (stop.n === 1 ? { ...stop, code_needed: true } : stop))
  const taken = show(carrying({ delivery: { ...delivery, stops } }), [started])
  press('Delivered')
  const sheet = await screen.findByRole('dialog', { name: 'Hand over to Ada Lee' })
  expect(within(sheet).queryByText('Signature')).toBeNull()
  expect(within(sheet).queryByLabelText('Parcel label')).toBeNull()
  const confirm = () => fireEvent.click(within(sheet).getByRole('button', { name: 'Delivered' }))
  confirm()
  expect(
    within(sheet)
      .getAllByRole('alert')
      .map(({ textContent }) => textContent),
  ).toEqual(['Take a photo.', 'Enter the name.', 'Enter all four digits.'])
  expect(taken).toEqual([])
  fireEvent.change(within(sheet).getByLabelText('Received by'), { target: { value: ' Ada ' } })
  fireEvent.change(within(sheet).getByLabelText('Delivery code'), { target: { value: '12a345' } })
  const input = sheet.querySelector('input[type=file]') as HTMLInputElement
  expect(input.getAttribute('capture')).toBe('environment')
  fireEvent.change(input, { target: { files: [new File(['raw'], 'p.jpg', { type: 'image/jpeg' })] } })
  await within(sheet).findByRole('img', { name: 'The parcel in your photo' })
  confirm()
  await waitFor(() => expect(taken).toHaveLength(1))
  expect(taken[0]).toMatchObject({ step: 'deliver', stop: 1, name: 'Ada', code: '1234' })
  const [image] = taken[0]?.images ?? []
  expect(await (await imageStore.get(image?.file ?? ''))?.text()).toBe('small')
})

it('proof sheet: code refused -> asked again, the uploaded photo and the name are kept', async () => {
  delivering({ AllowFinalDeliveryImageCapture: true, deliveryName: true, deliveryCode: true })
  const delivery = deliveryOf(3)
  const stops = delivery.stops.map((stop) =>
    stop.n === 1
      ? { ...stop, code_needed: true, photo: '/photo?at=1' }
      : { ...stop, outcome: stop.n ? null : ('collected' as const) },
  )
  const refusal = {
    error: new ApiError('wrong_otp', 422, { data: { left: 4 } }),
    step: tappedStep({ booking: 'b', step: 'deliver', stop: 1, name: 'Ada', code: '1111' }),
  }
  const taken = show(carrying({ delivery: { ...delivery, stops } }), [], refusal)
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByRole('alert').textContent).toMatch(/code/i)
  expect((within(sheet).getByLabelText('Received by') as HTMLInputElement).value).toBe('Ada')
  fireEvent.change(within(sheet).getByLabelText('Delivery code'), { target: { value: '2222' } })
  fireEvent.click(within(sheet).getByRole('button', { name: 'Delivered' }))
  await waitFor(() => expect(taken[0]).toMatchObject({ code: '2222', name: 'Ada' }))
  expect(taken[0]?.images).toBeUndefined()
})

it('proof sheet: label refused -> said at its field, until it is changed', async () => {
  delivering({ deliveryScan: true })
  const refusal = {
    error: new ApiError('wrong_label', 422),
    step: tappedStep({ booking: 'b', step: 'deliver', stop: 1, scan: 'B-2' }),
  }
  show(carrying(), [started], refusal)
  const sheet = within(await screen.findByRole('dialog'))
  const field = sheet.getByLabelText('Parcel label')
  await waitFor(() => expect(document.activeElement).toBe(field))
  const isRefused = () => field.getAttribute('aria-invalid') === 'true'
  expect(isRefused()).toBe(true)
  expect(sheet.getAllByRole('alert')).toHaveLength(1)
  fireEvent.change(field, { target: { value: 'B-1' } })
  expect(isRefused()).toBe(false)
  expect(sheet.queryByRole('alert')).toBeNull()
})

it('held stop -> open again, and said so', () => {
  show(carrying(), [
    started,
    { ...tappedStep({ booking: 'b', step: 'deliver', stop: 1, code: '1' }), held: true },
    tappedStep({ booking: 'b', step: 'deliver', stop: 2 }),
  ])
  expect(screen.getByText(/A stop was not accepted/)).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Stop 1' })).toBeTruthy()
})
