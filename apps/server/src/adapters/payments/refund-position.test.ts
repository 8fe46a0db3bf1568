import { expect, test } from 'vitest'
import { refundPosition, unclearRefund } from './refund-position.ts'

const order = { amount: 40, refundedBefore: 10, repeated: false }
const again = { ...order, repeated: true }

test('refundPosition -> to_do, done or unclear', () => {
  expect(refundPosition(order, 10)).toBe('to_do')
  expect(refundPosition(again, 10)).toBe('to_do')
  expect(refundPosition(again, 50)).toBe('done')
  // A refund was made on the provider's pages.
  expect(refundPosition(order, 50)).toBe('unclear')
  expect(refundPosition(again, 30)).toBe('unclear')
  expect(refundPosition(order, null)).toBe('to_do')
  expect(refundPosition(again, null)).toBe('unclear')
})

test('unclearRefund: repeated order -> PaymentError, not failed', () => {
  expect(unclearRefund(order, 'the panel')).toEqual({
    state: 'failed',
    why: 'other refunds exist: check the panel',
  })
  expect(() => unclearRefund(again, 'the panel')).toThrow(
    expect.objectContaining({ name: 'PaymentError', permanent: true }),
  )
})
