import type { CheckoutView } from '@hansom/contract/payments'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { wasRedirected } from './provider-handoff.tsx'
import { FormStep } from './step.tsx'

const submitted = vi.fn((event: Event) => event.preventDefault())

beforeEach(() => {
  sessionStorage.clear()
  submitted.mockClear()
  document.addEventListener('submit', submitted)
  startEnglish()
})
afterEach(() => {
  cleanup()
  document.removeEventListener('submit', submitted)
})

const open = (id: string) =>
  render(
    <FormStep
      view={{ id, provider: 'payfast' } as CheckoutView}
      action="https://provider.example/process"
      fields={[
        { name: 'b', value: '2' },
        { name: 'a', value: '1' },
        { name: 'b', value: '3' },
      ]}
    />,
  )

it('form step -> posted automatically, fields in order, once per window', () => {
  open('p1')
  expect(submitted).toHaveBeenCalledTimes(1)
  const form = submitted.mock.calls[0]?.[0].target as HTMLFormElement
  expect([form.method, form.action]).toEqual(['post', 'https://provider.example/process'])
  expect([...new FormData(form)]).toEqual([
    ['b', '2'],
    ['a', '1'],
    ['b', '3'],
  ])
  expect(wasRedirected('p1')).toBe(true)

  // Back or a reload shows the page again.
  cleanup()
  open('p1')
  expect(submitted).toHaveBeenCalledTimes(1)
  // The button still posts it.
  screen.getByRole('button').click()
  expect(submitted).toHaveBeenCalledTimes(2)
})

it('another payment -> posted automatically', () => {
  open('p2')
  expect(submitted).toHaveBeenCalledTimes(1)
})
