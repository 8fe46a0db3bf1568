import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../test-app.ts'
import { usersScene } from './admin/users.fixture.ts'

const scene = usersScene()
const { user, call, booking, upload } = scene
let app: TestApp
let admin: string
beforeAll(() => void ({ app, admin } = scene))

describe('own account', () => {
  test('names and bank details -> changed; blank names -> refused', async () => {
    const { bearer } = await user('rider')
    const me = await call('PATCH', '/api/v1/me', bearer, {
      firstName: 'New',
      bankName: 'Bank',
      version: 1,
    })
    expect(me.body).toMatchObject({ firstName: 'New', bankName: 'Bank' })
    expect(
      (await call('PATCH', '/api/v1/me', bearer, { lastName: ' ', version: me.body.version })).body.error,
    ).toBe('proper_input_name')
    const stale = await call('PATCH', '/api/v1/me', bearer, { lastName: 'X', version: me.body.version - 1 })
    expect(stale.body.error).toBe('conflict')
  })

  test('language -> stored for messages, without a conflict for open forms', async () => {
    const { bearer } = await user('rider')
    const chosen = await call('PUT', '/api/v1/me/language', bearer, { locale: 'pt-BR' })
    expect(chosen.body).toMatchObject({ locale: 'pt-BR', version: 1 })
    const bad = await call('PUT', '/api/v1/me/language', bearer, { locale: '../en' })
    expect(bad.status).toBe(400)
    const named = await call('PATCH', '/api/v1/me', bearer, { firstName: 'New', version: 1 })
    expect(named.body).toMatchObject({ firstName: 'New', locale: 'pt-BR' })
  })

  test('optional name -> trimmed; a blank one is removed', async () => {
    const { bearer } = await user('rider')
    const rename = (preferredName: string, version: number) =>
      call('PATCH', '/api/v1/me', bearer, { preferredName, version })
    const named = await rename(' Beto ', 1)
    expect(named.body.preferredName).toBe('Beto')
    const unnamed = await rename(' ', named.body.version)
    expect(unnamed.body.preferredName).toBeNull()
  })

  test('places -> added, renamed and removed by their owner only, up to the limit', async () => {
    const mine = await user('rider')
    const other = await user('rider')
    const place = { description: 'Home', lat: -34.9, lng: -56.1 }
    const { body: added } = await call<{ id: string }>('POST', '/api/v1/me/addresses', mine.bearer, place)
    const url = `/api/v1/me/addresses/${added.id}`
    expect((await call('PATCH', url, other.bearer, { label: 'Mine' })).status).toBe(404)
    expect((await call('DELETE', url, other.bearer)).status).toBe(404)
    const named = await call('PATCH', url, mine.bearer, { label: ' Flat ' })
    expect(named.body).toMatchObject({ description: 'Home', label: 'Flat' })
    const unnamed = await call('PATCH', url, mine.bearer, { label: ' ' })
    expect(unnamed.body).toMatchObject({ description: 'Home', label: null })
    expect((await call('DELETE', url, mine.bearer)).status).toBe(200)
    const many = await Promise.all(
      Array.from({ length: 104 }, () => call('POST', '/api/v1/me/addresses', mine.bearer, place)),
    )
    expect(many.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(many.find(({ status }) => status !== 201)?.body.error).toBe('too_many_addresses')
  })

  test('saved views -> of one user and table, replaced by name, removed, up to the limit', async () => {
    const mine = await user('fleetadmin')
    const other = await user('fleetadmin')
    const save = (name: string, search: string | null, table = 'bookings') =>
      call<object[]>('PUT', '/api/v1/me/views', mine.bearer, { table, name, search })
    const list = async (bearer: string, table: string) =>
      (await call('GET', `/api/v1/me/views?table=${table}`, bearer)).body
    await save('Late', 'status=NEW')
    expect((await save('Late', 'status=CANCELLED')).body).toEqual([
      { name: 'Late', search: 'status=CANCELLED' },
    ])
    expect(await list(mine.bearer, 'bookings')).toEqual([{ name: 'Late', search: 'status=CANCELLED' }])
    expect(await list(mine.bearer, 'drivers')).toEqual([])
    expect(await list(other.bearer, 'bookings')).toEqual([])
    expect((await save('Late', null)).body).toEqual([])
    const many = await Promise.all(Array.from({ length: 52 }, (_, n) => save(`View ${n}`, 'q=x')))
    expect(many.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(many.find(({ status }) => status !== 200)?.body).toMatchObject({ error: 'too_many_views' })
  })

  test('picture -> re-encoded, visible to those concerned', async () => {
    const rider = await user('rider')
    const stranger = await user('rider')
    const driver = await user('driver')
    const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'blue' } })
      .withExif({ IFD0: { Copyright: 'whose camera' } })
      .jpeg()
      .toBuffer()
    const answer = await upload(rider.bearer, picture)
    const { profile_image } = answer.json<{ profile_image: string }>()
    expect(profile_image).toMatch(new RegExp(`^/api/v1/users/${rider.uid}/photo\\?v=\\d+$`))
    const see = (bearer: string | null) =>
      app.server.inject({ url: profile_image, headers: bearer === null ? {} : { authorization: bearer } })
    const seen = await see(rider.bearer)
    expect([seen.statusCode, seen.headers['content-type'], seen.headers['x-content-type-options']]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ])
    expect((await sharp(seen.rawPayload).metadata()).width).toBe(512)
    expect(seen.rawPayload.includes('whose camera')).toBe(false)
    expect((await see(admin)).statusCode).toBe(200)
    expect((await see(driver.bearer)).statusCode).toBe(404)
    expect((await see(stranger.bearer)).statusCode).toBe(404)
    expect((await see(null)).statusCode).toBe(401)
    await booking(rider.uid, driver.uid, 'ACCEPTED')
    expect((await see(driver.bearer)).statusCode).toBe(200)

    // A shared trip does not give access forever.
    const monthMs = 30 * 24 * 3_600_000
    const ended = (status: string, ago: number) =>
      app.database.pool.query('update bookings set status = $2, closed_at = $3 where driver = $1', [
        driver.uid,
        status,
        Date.now() - ago,
      ])
    await ended('COMPLETE', monthMs - 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(200)
    await ended('COMPLETE', monthMs + 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(404)
    // A trip long in progress or long unpaid is not over.
    await ended('PENDING', monthMs + 60_000)
    expect((await see(driver.bearer)).statusCode).toBe(200)
    expect((await see(admin)).statusCode).toBe(200)

    expect(
      (await upload(rider.bearer, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json().error,
    ).toBe('unsupported_media')
    expect((await upload(null, picture)).json().error).toBe('not_logged_in')
    expect((await upload(rider.bearer, picture, 'file')).json().error).toBe('invalid_input')
    expect((await call('DELETE', '/api/v1/me/photo', rider.bearer)).body.profile_image).toBeNull()
    expect((await see(rider.bearer)).statusCode).toBe(404)
  })

  test('export of own data -> one file with everything about the user, nothing about others', async () => {
    const rider = await user('rider')
    const driver = await user('driver', { lastName: 'Elsewhere', mobile: '+59899555444' })
    for (let trip = 0; trip < 3; trip += 1) await booking(rider.uid, driver.uid, 'COMPLETE')
    await booking(driver.uid, null, 'CANCELLED').catch(() => null)
    await call('POST', '/api/v1/me/addresses', rider.bearer, { description: 'Home', lat: -34.9, lng: -56.1 })
    const answer = await app.server.inject({
      url: '/api/v1/me/data',
      headers: { authorization: rider.bearer },
    })
    expect(answer.headers['content-disposition']).toContain('attachment')
    const data = answer.json()
    expect(data.profile).toMatchObject({ id: rider.uid, email: rider.email })
    expect(data.savedAddresses).toHaveLength(1)
    expect(data.alertMails).toEqual([])
    expect(data.sessions).toHaveLength(1)
    expect(data.bookingsAsRider).toHaveLength(3)
    expect(data.bookingsAsDriver).toEqual([])
    expect(answer.body).not.toContain('+59899555444')
    expect(answer.body).not.toContain('password')
  })
})
