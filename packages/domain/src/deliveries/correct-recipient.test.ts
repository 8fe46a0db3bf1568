import { expect, test } from 'vitest'
import { correctRecipient } from './correct-recipient.ts'
import { delivery } from './delivery.fixture.ts'

const [, drop] = delivery.stops
if (!drop) throw new Error('the delivery has no drop')
const stop = { ...drop, code: '1111', phone: '+59899111222', email: 'ada@example.test' }
const recipient = { person: stop.person, phone: stop.phone, email: 'bea@example.test' }
const phoneOf = (text: string) => text.replaceAll(' ', '')

test('another contact, the draw repeats the old code -> draws again', () => {
  const drawn = ['1111', '1111', '2222']
  const tools = { drawCode: () => drawn.shift() ?? '', phoneOf }
  expect(correctRecipient('STARTED', stop, recipient, tools)).toMatchObject({
    isOther: true,
    fields: { code: '2222' },
  })
})

test('the same contact in another spelling -> code stays', () => {
  const spelled = { ...recipient, phone: '+598 99 111 222', email: 'Ada@Example.test' }
  expect(correctRecipient('STARTED', stop, spelled, { drawCode: () => '2222', phoneOf })).toMatchObject({
    isOther: false,
    fields: { code: '1111', email: 'Ada@Example.test' },
  })
})
