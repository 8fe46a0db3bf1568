import { expect, test } from 'vitest'
import { refundPosition, unclearRefund } from './refund-position.ts'

const order = { amount: 40, refundedBefore: 10, repeated: false }
const again = { ...order, repeated: true }

test('an order is given, or was, or nobody knows', () => {
  expect(refundPosition(order, 10)).toBe('to_do')
  expect(refundPosition(again, 10)).toBe('to_do')
  expect(refundPosition(again, 50)).toBe('done')
  // Somebody has given back at the provider's own pages.
  expect(refundPosition(order, 50)).toBe('unclear')
  expect(refundPosition(again, 30)).toBe('unclear')
  expect(refundPosition(order, null)).toBe('to_do')
  expect(refundPosition(again, null)).toBe('unclear')
})

test('what may have been given has not failed: a person looks', () => {
  expect(unclearRefund(order, 'the panel')).toEqual({
    state: 'failed',
    why: 'other money was given back too: look at the panel',
  })
  expect(() => unclearRefund(again, 'the panel')).toThrow(
    expect.objectContaining({ name: 'PaymentError', permanent: true }),
  )
})
