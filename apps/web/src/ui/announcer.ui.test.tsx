import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Announcer, announce } from './announcer.tsx'

afterEach(cleanup)

it('announcement no longer true -> removed, but not a later one', () => {
  render(<Announcer />)
  const said = () => screen.getByRole('status').textContent
  let remove = () => {}
  const request = () => {
    remove = announce('New request')
  }
  act(request)
  expect(said()).toBe('New request')
  act(() => remove())
  expect(said()).toBe('')
  act(request)
  act(() => {
    announce('Trip cancelled')
  })
  act(() => remove())
  expect(said()).toBe('Trip cancelled')
})
