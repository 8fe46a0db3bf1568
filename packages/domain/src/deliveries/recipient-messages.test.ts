import { expect, test } from 'vitest'
import { recipientMessageOf } from './recipient-messages.ts'

test('accepted or cancelled -> every recipient', () => {
  expect(recipientMessageOf({ command: 'accept', from: 'NEW', to: 'ACCEPTED', stops: [] })).toEqual({
    message: 'coming',
    stops: 'all',
  })
  expect(recipientMessageOf({ command: 'cancel', from: 'ACCEPTED', to: 'CANCELLED', stops: [] })).toEqual({
    message: 'cancelled',
    stops: 'all',
  })
})

test('outcome or correction -> only the stops that changed', () => {
  const driving = { from: 'STARTED', to: 'STARTED', stops: [2] } as const
  expect(recipientMessageOf({ command: 'deliver', ...driving })).toEqual({ message: 'outcome', stops: [2] })
  expect(recipientMessageOf({ command: 'correct_recipient', ...driving })).toEqual({
    message: 'coming',
    stops: [2],
  })
})

test('ended by an admin -> cancelled for the open stops; ended with every stop done -> none', () => {
  const ended = { command: 'reach', from: 'STARTED', to: 'REACHED' } as const
  expect(recipientMessageOf({ ...ended, stops: [2, 3] })).toEqual({ message: 'cancelled', stops: [2, 3] })
  expect(recipientMessageOf({ ...ended, stops: [] })).toBeNull()
})

test('other events, and later ones of a cancelled delivery -> none', () => {
  expect(recipientMessageOf({ command: 'arrive', from: 'ACCEPTED', to: 'ARRIVED', stops: [] })).toBeNull()
  expect(
    recipientMessageOf({ command: 'add_proof', from: 'CANCELLED', to: 'CANCELLED', stops: [1] }),
  ).toBeNull()
})
