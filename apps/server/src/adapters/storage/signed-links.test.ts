import { describe, expect, test } from 'vitest'
import { storedPath } from './port.ts'
import { createSignedLinks } from './signed-links.ts'

const path = storedPath.profileImage('01890a5d-ac96-774b-bcce-b302099a8057')
const clock = { time: 1_700_000_000_000, now: () => clock.time }
const links = createSignedLinks({ secret: 'a secret long enough for tests', now: clock.now })

test('signed URL -> valid until it expires', () => {
  const address = links.signedUrl(path, 300)
  expect(address).toMatch(/^\/files\/users\/.*\/profileImage\?expires=1700000300&signature=[\w-]{43}$/)
  expect(links.openSigned(address)).toBe(path)
  clock.time += 299_999
  expect(links.openSigned(address)).toBe(path)
  clock.time += 1
  expect(links.openSigned(address)).toBeNull()
})

describe('modified URL', () => {
  const address = links.signedUrl(path, 3_600)
  const last = address.at(-1) === 'A' ? 'Q' : 'A'
  test.each([
    ['its path', address.replace('8057/', '8058/')],
    ['its kind', address.replace('profileImage', 'driverDocuments/1')],
    ['its time', address.replace(/expires=17/, 'expires=18')],
    ['zeros before its time', address.replace('expires=', 'expires=0')],
    ['its signature', address.slice(0, -1) + last],
    ['a shorter signature', address.slice(0, -1)],
    ['no signature', address.replace(/&signature.*/, '')],
    ['an empty signature', address.replace(/signature=.*/, 'signature=')],
    ['text appended', `${address}&x=1`],
    ['another site', `https://elsewhere.example${address}`],
    ['nothing', ''],
  ])('%s', (_what, altered) => {
    expect(links.openSigned(address)).toBe(path)
    expect(links.openSigned(altered)).toBeNull()
  })

  test('signed with another secret -> null', () => {
    const others = createSignedLinks({ secret: 'another secret that is long enough', now: clock.now })
    expect(links.openSigned(others.signedUrl(path, 300))).toBeNull()
  })
})

test.each([0, -1, 1.5, 3_601, Number.NaN])('signedUrl: %d seconds -> RangeError', (seconds) => {
  expect(() => links.signedUrl(path, seconds)).toThrow(RangeError)
})
