import { expect, it } from 'vitest'
import { returnUrl } from './after-sign-in.ts'

const at = (next: unknown) => returnUrl(next, 'https://rides.example')

it('URL of this site -> unchanged', () => {
  expect(at('/')).toBe('/')
  expect(at('/trip/1?from=mail#map')).toBe('/trip/1?from=mail#map')
})

it.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'bookings',
  '',
  undefined,
  7,
])('%j -> null', (next) => {
  expect(at(next)).toBeNull()
})

it('sign-in page -> null', () => {
  expect(at('/login?next=/x')).toBeNull()
})
