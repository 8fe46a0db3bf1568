import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { parseStoredPath } from '../../../adapters/storage/port.ts'
import type { TestApp } from '../../../test-app.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const { user, row, upload } = scene
let app: TestApp
let admin: string
let adminId: string
let picture: Buffer
beforeAll(async () => {
  ;({ app, admin, adminId } = scene)
  picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
})

const put = (bearer: string, uid: string, version: number, bytes = picture) =>
  upload(bearer, bytes, 'image', `/api/v1/users/${uid}/licence?version=${version}`)

const stored = async (path: string) => {
  const parsed = parseStoredPath(path)
  return parsed === null ? null : app.storage.get(parsed)
}

test('licence: admin uploads, fleet admin replaces -> re-encoded, audited, the old picture removed', async () => {
  const fleet = await user('fleetadmin')
  const driver = await user('driver', { fleetadmin: fleet.uid, approved: false })
  const first = await put(admin, driver.uid, 1)
  expect([first.statusCode, first.json().licenseImage]).toEqual([200, expect.stringContaining('/files/')])
  const firstPath = (await row(driver.uid)).license_image
  expect((await stored(firstPath))?.contentType).toBe('image/webp')
  expect((await put(fleet.bearer, driver.uid, 2)).statusCode).toBe(200)
  const secondPath = (await row(driver.uid)).license_image
  expect(await stored(secondPath)).not.toBeNull()
  expect(await stored(firstPath)).toBeNull()
  const { rows } = await app.database.pool.query(
    `select by_user, after from audit_log where subject = $1 order by at, id`,
    [driver.uid],
  )
  expect(rows).toEqual([
    { by_user: adminId, after: { licenseImage: firstPath } },
    { by_user: fleet.uid, after: { licenseImage: secondPath } },
  ])
})

test("licence: another fleet's driver, a rider, a stranger or no picture -> refused", async () => {
  const fleet = await user('fleetadmin')
  const driver = await user('driver')
  const rider = await user('rider')
  const refusal = async (answer: ReturnType<typeof put>) => (await answer).json().error
  expect(await refusal(put(fleet.bearer, driver.uid, 1))).toBe('not_found')
  expect(await refusal(put(rider.bearer, driver.uid, 1))).toBe('not_found')
  expect(await refusal(put(driver.bearer, driver.uid, 1))).toBe('not_found')
  expect(await refusal(put(admin, rider.uid, 1))).toBe('not_valid_user_type')
  expect(await refusal(put(admin, driver.uid, 1, Buffer.from('no picture')))).toBe('unsupported_media')
  expect((await row(driver.uid)).license_image).toBeNull()
})

test('licence: two uploads of one version at once -> one conflict, the stored picture exists', async () => {
  const driver = await user('driver')
  const both = await Promise.all([put(admin, driver.uid, 1), put(admin, driver.uid, 1)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await stored((await row(driver.uid)).license_image)).not.toBeNull()
})
