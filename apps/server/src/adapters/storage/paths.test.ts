import { describe, expect, test } from 'vitest'
import { parseStoredPath, storedPath, userFolder } from './port.ts'

const uid = '01890a5d-ac96-774b-bcce-b302099a8057'

test('storedPath -> every kind of path', () => {
  expect(storedPath.profileImage(uid)).toBe(`users/${uid}/profileImage`)
  expect(storedPath.driverDocument(uid, 1_700_000_000_000)).toBe(`users/${uid}/driverDocuments/1700000000000`)
  expect(storedPath.bookingImage(uid, 'deliver_image', null)).toBe(`bookings/${uid}/deliver_image`)
  expect(storedPath.stopImage(uid, 21, 'signature', null)).toBe(`bookings/${uid}/stops/21/signature`)
  expect(storedPath.stopImage(uid, 1, 'signature', uid)).toBe(`bookings/${uid}/stops/1/signature-${uid}`)
  expect(storedPath.chatPhoto(uid, uid)).toBe(`chats/${uid}/${uid}`)
  expect(storedPath.carTypeImage(uid, 1_700_000_000_000)).toBe(`car-types/${uid}/1700000000000`)
  expect(userFolder(uid)).toBe(`users/${uid}/`)
  expect(parseStoredPath(storedPath.profileImage(uid))).toBe(storedPath.profileImage(uid))
})

describe('storedPath: rejects', () => {
  const wrong = [
    '..',
    '',
    '.',
    `${uid}/..`,
    `../${uid}`,
    `${uid}\n`,
    `${uid}%2f`,
    uid.toUpperCase(),
    'a'.repeat(36),
  ]
  test.each(wrong)('invalid id %j -> RangeError', (id) => {
    expect(() => storedPath.profileImage(id)).toThrow(RangeError)
    expect(() => storedPath.driverDocument(id, 1)).toThrow(RangeError)
    expect(() => storedPath.bookingImage(id, 'pickup_image', null)).toThrow(RangeError)
    expect(() => storedPath.stopImage(id, 1, 'signature', null)).toThrow(RangeError)
    expect(() => storedPath.carTypeImage(id, 1)).toThrow(RangeError)
    expect(() => storedPath.chatPhoto(uid, id)).toThrow(RangeError)
    expect(() => userFolder(id)).toThrow(RangeError)
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21])('invalid time %d -> RangeError', (at) => {
    expect(() => storedPath.driverDocument(uid, at)).toThrow(RangeError)
    expect(() => storedPath.carTypeImage(uid, at)).toThrow(RangeError)
  })

  test('invalid name -> RangeError', () => {
    expect(() => storedPath.stopImage(uid, 100, 'signature', null)).toThrow(RangeError)
    expect(() => storedPath.stopImage(uid, -1, 'signature', null)).toThrow(RangeError)
    expect(() => storedPath.bookingImage(uid, '../x' as 'pickup_image', null)).toThrow(RangeError)
    expect(parseStoredPath(`users/${uid}/profileImage\n`)).toBeNull()
    expect(parseStoredPath(`users/${uid}/../${uid}/profileImage`)).toBeNull()
    expect(parseStoredPath(`x/users/${uid}/profileImage`)).toBeNull()
  })
})
