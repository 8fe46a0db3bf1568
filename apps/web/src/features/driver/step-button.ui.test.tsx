import { ApiError } from '@hansom/client/api-error'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serverNow } from '../../lib/clock.ts'
import { startConsole } from './driver.fixture.ts'
import { StepButton } from './step-button.tsx'
import { tripOf } from './trip.fixture.ts'
import type { TakenStep } from './trip-commands.ts'
import type { StepRefusal } from './use-offline-queue.ts'

beforeEach(() => startConsole())
afterEach(cleanup)

const waiting = tripOf({ status: 'ARRIVED', otp_needed: true })

function refusal(error: ApiError, otp: string): StepRefusal {
  return { error, step: { booking: 'b', step: 'start', otp, at: serverNow(), key: 'k' } }
}

function show(booking = waiting, refused: StepRefusal | null = null) {
  const taken: TakenStep[] = []
  const part = (
    <StepButton
      booking={booking}
      step="start"
      refusal={refused}
      busy={false}
      onStep={(step) => taken.push(step)}
    />
  )
  return { taken, ...render(part) }
}
const button = () => screen.getByRole('button', { name: 'Start trip' })
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Trip code' })

it('step: tap or key -> taken; second tap of a double tap -> ignored', () => {
  const { taken } = show(tripOf())
  fireEvent.click(button(), { detail: 2 })
  expect(taken).toEqual([])
  fireEvent.click(button(), { detail: 1 })
  fireEvent.click(button(), { detail: 0 })
  expect(taken).toEqual([
    { booking: 'b', step: 'start' },
    { booking: 'b', step: 'start' },
  ])
})

it('code: wrong -> error at the field with the tries left, input kept and focused', () => {
  show(waiting, refusal(new ApiError('wrong_otp', 422, { data: { left: 3 } }), '12345'))
  expect(field().value).toBe('12345')
  expect(document.activeElement).toBe(field())
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('Wrong code. 3 tries left.')
  fireEvent.change(field(), { target: { value: '54321' } })
  expect(screen.queryByRole('alert')).toBeNull()
})

it('code: refused after the field was shown again -> error still shown', () => {
  const { rerender } = show()
  const refused = refusal(new ApiError('wrong_otp', 422, { data: { left: 4 } }), '00000')
  rerender(
    <StepButton booking={waiting} step="start" refusal={refused} busy={false} onStep={() => undefined} />,
  )
  expect(field().value).toBe('00000')
  expect(screen.getByRole('alert').textContent).toBe('Wrong code. 4 tries left.')
})

it('code: too short -> error at the field, nothing sent', () => {
  const { taken } = show()
  fireEvent.change(field(), { target: { value: '123' } })
  fireEvent.click(button(), { detail: 1 })
  expect(taken).toEqual([])
  expect(screen.getByRole('alert').textContent).toBe('Enter all 5 digits.')
  expect(document.activeElement).toBe(field())
})

it('code: blocked, known after a reload -> shows the remaining time, accepts no input', () => {
  const { taken } = show({ ...waiting, otp_blocked_until: serverNow() + 40_000 })
  fireEvent.change(field(), { target: { value: '12345' } })
  fireEvent.submit(field())
  expect(taken).toEqual([])
  expect(button().hasAttribute('disabled')).toBe(true)
  expect(screen.getByRole('alert').textContent).toMatch(/Try again in (39|40) seconds/)
})
