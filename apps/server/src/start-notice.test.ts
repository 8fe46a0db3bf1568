import { expect, test } from 'vitest'
import { startNotice } from './start-notice.ts'

const plain = {
  url: 'http://127.0.0.1:1',
  database: 'PostgreSQL',
  demo: null,
  setupLink: null,
  unsent: [],
  publicUrlMissing: false,
}

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
