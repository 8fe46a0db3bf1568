import { expect, test } from 'vitest'
import { startNotice } from './start-notice.ts'

const plain = {
  url: 'http://127.0.0.1:1',
  database: 'PostgreSQL',
  demo: null,
  category: 'taxi',
  setupLink: null,
  unsent: [],
  publicUrlMissing: false,
} as const

test.each([
  ['taxi', '12 simulated drivers, 3 simulated riders'],
  ['delivery', '12 simulated couriers, 3 simulated senders'],
] as const)('demo of %s -> %s', (category, people) => {
  const demo = { accounts: ['a@demo.test'], password: 'p', drivers: 12, riders: 3 }
  expect(startNotice({ ...plain, category, demo })).toContain(people)
})

test('unsent channels -> notice with the variables that enable sending', () => {
  const both = startNotice({ ...plain, unsent: ['mail', 'text messages'] })
  expect(both).toContain('mail and text messages: links and codes are stored')
  expect(both).toContain('3 days')
  expect(both).toContain('SMTP_URL with MAIL_FROM; SMS_KEY with SMS_SECRET and SMS_FROM')
  const mail = startNotice({ ...plain, unsent: ['mail'] })
  expect(mail).toContain('SMTP_URL')
  expect(mail).not.toContain('SMS_KEY')
  expect(startNotice(plain)).not.toContain('not sent')
})

test('no PUBLIC_URL in production -> notice', () => {
  expect(startNotice({ ...plain, publicUrlMissing: true })).toContain('PUBLIC_URL to the public address')
  expect(startNotice(plain)).not.toContain('PUBLIC_URL')
})
