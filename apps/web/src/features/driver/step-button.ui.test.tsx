import type { BookingView } from '@hansom/contract/bookings'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { startLanguage } from '../../lib/i18n.ts'
import { StepButton } from './step-button.tsx'
import type { TakenStep } from './trip-commands.ts'

afterEach(cleanup)

it('takes a step by tap or key, but never by the second tap of a double one', () => {
  const english = {
    langName: 'English',
    langLocale: 'en',
    dateLocale: 'en',
    default: true,
    direction: 'ltr',
  } as const
  startLanguage({ ...english, keyValuePairs: { 'driver.step_start': 'Start' } }, [])
  const taken: TakenStep[] = []
  render(
    <StepButton
      booking={{ id: 'b', otp_needed: false } as BookingView}
      step="start"
      onStep={(step) => taken.push(step)}
    />,
  )
  const button = screen.getByRole('button', { name: 'Start' })
  fireEvent.click(button, { detail: 2 })
  expect(taken).toEqual([])
  fireEvent.click(button, { detail: 1 })
  fireEvent.click(button, { detail: 0 })
  expect(taken).toEqual([
    { booking: 'b', step: 'start' },
    { booking: 'b', step: 'start' },
  ])
})
