import type { InstructionData } from '@hansom/contract/deliveries'
import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImages } from '../../adapters/storage/images.ts'
import { gradient } from '../../adapters/storage/port.suite.ts'
import { type Storage, StorageError, type StoredFile, type StoredPath } from '../../adapters/storage/port.ts'
import { createServer } from '../../platform/http/create-server.ts'
import { createRouteGuard } from '../../platform/http/implement.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { drop } from '../bookings/straight-city.fixture.ts'
import { createDeliveryClearing } from './clear-deliveries.ts'
import { mountProofImages } from './image-routes.ts'
import { createProofsService } from './proofs.ts'

let city: TestCity
let server: Awaited<ReturnType<typeof createServer>>
let picture: Buffer
const actors = new Map<string, Actor>()
const files = new Map<StoredPath, StoredFile>()
/** Set to fail the next storage call, or to do something before it. */
let beforePut: (() => Promise<void> | void) | null = null
const storage: Pick<Storage, 'get' | 'put' | 'remove' | 'removeBooking'> = {
  get: async (path) => files.get(path) ?? null,
  put: async (path, bytes, contentType) => {
    const before = beforePut
    beforePut = null
    await before?.()
    files.set(path, { bytes, contentType })
  },
  remove: async (path) => void files.delete(path),
  removeBooking: async (id) => {
    for (const path of filesOf(id)) files.delete(path as StoredPath)
  },
}

beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
  const proofs = createProofsService({ ...city, storage, images: createImages() })
  server = await createServer({
    log: silentLog(),
    limits: { all: 1e6, user: 1e6, assets: 1e6 },
    userOf: async () => null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  const session = async ({ authorization = '' }: { authorization?: string | undefined }) => {
    const actor = actors.get(authorization)
    return actor ? { actor: { ...actor, sessionId: '' } } : null
  }
  const settings = async () => ({ AllowCriticalEditsAdmin: true, category: 'delivery' as const })
  mountProofImages(server, { proofs, authorize: createRouteGuard({ session, settings }) })
  picture = await (await gradient(60, 30)).png().toBuffer()
})
afterAll(async () => {
  await server.close()
  await city.close()
})

const known = (actor: Actor) => {
  actors.set(actor.id, actor)
  return actor
}
const recipient = { deliveryPerson: 'Ada', deliveryPersonPhone: '099 111 222', deliveryEmail: 'ada@x.test' }
const twoDrops: InstructionData = {
  ...recipient,
  moreDrops: [{ ...recipient, deliveryPerson: 'Ben', drop: { lat: -34.87, lng: -56.16, add: 'Second' } }],
}

/** A delivery whose courier is at the pickup. */
async function arrived() {
  const rider = known(await city.addRider({ wallet_balance: 10_000 * unit }))
  const fleet = known(await city.addUserOf('fleetadmin'))
  const driver = known(await city.addDriver(undefined, { fleetadmin: fleet.id }))
  const request = city.request({ payment_mode: 'wallet', instructionData: twoDrops })
  const { booking } = await city.bookings.create(rider, request, null)
  await expect.poll(async () => (await city.bookings.read(booking.id))?.booking.status).toBe('NEW')
  await city.ask(booking.id, [driver])
  const { commands } = city.bookings
  await commands.accept(city.order(driver, booking.id))
  await commands.arrive(city.order(driver, booking.id))
  return { rider, driver, fleet, id: booking.id, commands, order: () => city.order(driver, booking.id) }
}
async function started() {
  const delivery = await arrived()
  await delivery.commands.start(delivery.order())
  return delivery
}

async function put(by: Actor, booking: string, path: string, image: Uint8Array = picture, part = 'image') {
  const form = new FormData()
  form.append(part, new Blob([image as Uint8Array<ArrayBuffer>]), 'photo')
  const request = new Request('http://x', { method: 'PUT', body: form })
  const answer = await server.inject({
    method: 'PUT',
    url: `/api/v1/bookings/${booking}/${path}`,
    headers: { authorization: by.id, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const get = (by: Actor, booking: string, path: string) =>
  server.inject({ url: `/api/v1/bookings/${booking}/${path}`, headers: { authorization: by.id } })
const stopsOf = async (id: string) => (await city.bookings.read(id))?.delivery?.stops ?? []
const filesOf = (id: string) => [...files.keys()].filter((path) => path.includes(id))

test('upload: each stop -> its path, in the view of the parties, published with a new version', async () => {
  const { rider, driver, fleet, id, commands, order } = await arrived()
  const before = (await city.bookings.read(id))?.booking.version ?? 0
  const first = await put(driver, id, 'pickup_image')
  expect(first).toMatchObject({
    status: 200,
    body: { version: before + 1, pickup_image: expect.stringContaining(`/${id}/pickup_image?at=`) },
  })
  await commands.start(order())
  expect((await put(driver, id, 'stops/1/deliver_image')).status).toBe(200)
  expect((await put(driver, id, 'stops/2/signature')).status).toBe(200)
  const last = await put(driver, id, 'deliver_image')
  expect(last.body.deliver_image).toContain(`/${id}/deliver_image?at=`)
  expect(last.body.delivery.stops[1].photo).toContain(`/${id}/stops/1/deliver_image?at=`)
  expect(last.body.delivery.stops[2].signature).toContain(`/${id}/stops/2/signature?at=`)
  const names = ['deliver_image', 'pickup_image', 'stops/1/deliver_image', 'stops/2/signature']
  expect(
    filesOf(id)
      .map((path) => path.slice(0, -37))
      .sort(),
  ).toEqual(names.map((name) => `bookings/${id}/${name}`))
  const history = await city.bookings.events(known(await city.addAdmin()), id)
  expect(
    history.flatMap(({ command, actor, name, changes }) =>
      command === 'add_proof' ? [[actor, name !== null, changes]] : [],
    ),
  ).toEqual(
    [
      ['photo', 0],
      ['photo', 1],
      ['signature', 2],
      ['photo', 2],
    ].map(([field, to]) => ['driver', true, [{ field, from: null, to }]]),
  )
  await expect
    .poll(() => city.published.some(({ data }) => JSON.stringify(data).includes('stops/2/signature?at=')))
    .toBe(true)
  const admin = known(await city.addAdmin())
  for (const viewer of [rider, driver, fleet, admin]) {
    const seen = await get(viewer, id, 'pickup_image')
    expect([seen.statusCode, seen.headers['content-type']]).toEqual([200, 'image/webp'])
  }
})

test('upload and read: other people -> not_found, also for deliveries that do not exist', async () => {
  const { rider, driver, fleet, id } = await started()
  const stranger = known(await city.addRider())
  const other = known(await city.addDriver())
  const admin = known(await city.addAdmin())
  for (const by of [rider, fleet, admin, stranger, other]) {
    expect(await put(by, id, 'deliver_image')).toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
  await put(driver, id, 'deliver_image')
  const missing = '01890a5d-ac96-774b-bcce-b302099a8057'
  for (const by of [stranger, other, known(await city.addUserOf('fleetadmin'))]) {
    const [own, none] = await Promise.all([get(by, id, 'deliver_image'), get(by, missing, 'deliver_image')])
    expect([own.statusCode, own.json().error]).toEqual([404, 'not_found'])
    expect(none.json().error).toBe('not_found')
  }
  for (const path of ['stops/1/signature', 'stops/99/deliver_image', 'stops/x/signature', 'pickup_image']) {
    expect((await get(driver, id, path)).statusCode).toBe(404)
  }
  expect((await put(driver, id, 'stops/0/signature')).status).toBe(404)
  expect((await put(driver, 'x', 'pickup_image')).status).toBe(404)
})

test('asked driver -> does not see proofs of a delivery that was taken from its courier', async () => {
  const { driver, id } = await arrived()
  await put(driver, id, 'pickup_image')
  await city.bookings.commands.withdraw_driver(city.order(known(await city.addAdmin()), id), {
    reason: 'Van broke down',
  })
  const asked = known(await city.addDriver())
  await city.ask(id, [asked])
  expect((await get(asked, id, 'pickup_image')).statusCode).toBe(404)
  expect((await get(driver, id, 'pickup_image')).statusCode).toBe(404)
})

test('upload: at the wrong time -> wrong_status, the image of a settled stop stays', async () => {
  const { driver, id, commands, order } = await arrived()
  const refused = { status: 409, body: { error: 'wrong_status' } }
  expect(await put(driver, id, 'deliver_image')).toMatchObject(refused)
  await commands.start(order())
  expect(await put(driver, id, 'pickup_image')).toMatchObject(refused)
  await put(driver, id, 'stops/1/deliver_image')
  const [path] = filesOf(id)
  const kept = path && files.get(path as StoredPath)
  await commands.deliver(order(), { stop: 1 })
  const other = await (await gradient(40, 40)).png().toBuffer()
  expect(await put(driver, id, 'stops/1/deliver_image', other)).toMatchObject(refused)
  expect(path && files.get(path as StoredPath)).toBe(kept)
})

test('upload: not an image, too large, a bomb, no part -> refused with the reason, nothing stored', async () => {
  const { driver, id } = await started()
  const bomb = await sharp({ create: { width: 10_000, height: 5_001, channels: 3, background: 'white' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const cases = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'unsupported_media', 'format'],
    [bomb, 413, 'too_large', 'too_many_pixels'],
  ] as const
  for (const [sent, status, error, reason] of cases) {
    expect(await put(driver, id, 'deliver_image', sent)).toMatchObject({
      status,
      body: { error, data: { reason } },
    })
  }
  const large = Buffer.concat([picture, Buffer.alloc(10 * 1024 * 1024)])
  expect(await put(driver, id, 'deliver_image', large)).toMatchObject({ status: 413 })
  expect((await put(driver, id, 'deliver_image', picture, 'file')).body.error).toBe('invalid_input')
  expect(filesOf(id)).toEqual([])
  expect((await stopsOf(id)).map(({ photo }) => photo)).toEqual([null, null, null])
})

test('upload: photo with location and camera -> stored without them', async () => {
  const { driver, id } = await started()
  const sent = await (await gradient(400, 300))
    .withExifMerge({
      IFD0: { Make: 'Camera of Ana' },
      IFD3: { GPSLatitude: '34/1 54/1 0/1', GPSLatitudeRef: 'S' },
    })
    .jpeg()
    .toBuffer()
  expect(sent.includes('Camera of Ana')).toBe(true)
  await put(driver, id, 'deliver_image', sent)
  const shown = await get(driver, id, 'deliver_image')
  const { exif, format } = await sharp(shown.rawPayload).metadata()
  expect([exif, format]).toEqual([undefined, 'webp'])
  expect(shown.rawPayload.includes('Ana')).toBe(false)
})

test('upload: replaced and in parallel -> one row, the file of the newest', async () => {
  const { driver, id } = await started()
  const sizes = [20, 40, 60, 80]
  const images = await Promise.all(sizes.map(async (side) => (await gradient(side, side)).png().toBuffer()))
  const sent = await Promise.all(images.map((image) => put(driver, id, 'deliver_image', image)))
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(filesOf(id)).toHaveLength(1)
  await put(driver, id, 'deliver_image', await (await gradient(33, 33)).png().toBuffer())
  expect((await sharp((await get(driver, id, 'deliver_image')).rawPayload).metadata()).width).toBe(33)
  const { rows } = await city.database.pool.query(
    'select n, kind from delivery_proofs where booking_id = $1',
    [id],
  )
  expect(rows).toEqual([{ n: 2, kind: 'photo' }])
})

test('upload: storage hangs -> steps proceed, the earlier image stays served, the late one is refused', async () => {
  city.changeSettings({ AllowFinalDeliveryImageCapture: true })
  const { driver, rider, id, commands, order } = await started()
  await expect(commands.deliver(order(), { stop: 2 })).rejects.toMatchObject({ key: 'proof_needed' })
  expect((await put(driver, id, 'deliver_image')).status).toBe(200)
  const kept = filesOf(id)
  let resume = () => {}
  const hung = new Promise<void>((entered) => {
    beforePut = () => {
      entered()
      return new Promise((done) => {
        resume = done
      })
    }
  })
  const late = put(driver, id, 'deliver_image', await (await gradient(44, 44)).png().toBuffer())
  await hung
  await commands.deliver(order(), { stop: 2 })
  expect((await stopsOf(id))[2]?.outcome).toBe('delivered')
  expect((await sharp((await get(rider, id, 'deliver_image')).rawPayload).metadata()).width).toBe(60)
  resume()
  expect((await late).body.error).toBe('wrong_status')
  expect(filesOf(id)).toEqual(kept)
  expect((await sharp((await get(rider, id, 'deliver_image')).rawPayload).metadata()).width).toBe(60)
  city.changeSettings({ AllowFinalDeliveryImageCapture: false })
})

test('upload: storage hangs for all couriers -> other requests still get database connections', async () => {
  const deliveries = [await started(), await started(), await started()]
  const releases: (() => void)[] = []
  let entered = 0
  const hang = (): Promise<void> => {
    entered += 1
    if (entered < 3) beforePut = hang
    return new Promise((done) => releases.push(done))
  }
  beforePut = hang
  const uploads = deliveries.map(({ driver, id }) => put(driver, id, 'deliver_image'))
  await expect.poll(() => entered).toBe(3)
  // Other work, such as the outbox, holds a connection only for a moment.
  const held =
    "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
  await expect.poll(async () => (await city.database.pool.query(held)).rows).toEqual([])
  for (const release of releases) release()
  for (const upload of uploads) expect((await upload).status).toBe(200)
})

test('read: image stored before uploads had paths of their own -> still served, replaced by the next', async () => {
  const { driver, id } = await started()
  await put(driver, id, 'deliver_image')
  const [path] = filesOf(id) as StoredPath[]
  const file = path && files.get(path)
  if (!path || !file) throw new Error('no file')
  files.delete(path)
  files.set(`bookings/${id}/deliver_image` as StoredPath, file)
  await city.database.pool.query('update delivery_proofs set upload = null where booking_id = $1', [id])
  expect((await get(driver, id, 'deliver_image')).statusCode).toBe(200)
  await put(driver, id, 'deliver_image')
  expect(filesOf(id)).toEqual([expect.stringMatching(/deliver_image-/)])
})

test('upload: storage or database fails -> neither file nor row; a retry succeeds', async () => {
  const { driver, id } = await started()
  beforePut = () => {
    throw new StorageError('down')
  }
  expect(await put(driver, id, 'deliver_image')).toMatchObject({
    status: 503,
    body: { error: 'unavailable' },
  })
  expect(filesOf(id)).toEqual([])
  // The transaction is lost after the file was stored.
  beforePut = async () => {
    await city.database.pool.query(
      `create or replace function lose_proof() returns trigger language plpgsql as $$
         begin raise exception 'lost' using errcode = 'HN999'; end $$`,
    )
    await city.database.pool.query(
      'create trigger lose_proof before insert on delivery_proofs for each row execute function lose_proof()',
    )
  }
  expect((await put(driver, id, 'deliver_image')).status).toBe(500)
  await city.database.pool.query('drop trigger lose_proof on delivery_proofs')
  expect(filesOf(id)).toEqual([])
  expect((await stopsOf(id))[2]?.photo).toBeNull()
  expect((await put(driver, id, 'deliver_image')).status).toBe(200)
})

test('clear: ended deliveries past their time, or of a deleted sender -> recipients and images removed', async () => {
  const clearing = createDeliveryClearing({ database: city.database, storage, clock: city.clock })
  const { rider, driver, id, commands, order } = await started()
  await put(driver, id, 'stops/1/deliver_image')
  await put(driver, id, 'stops/2/signature')
  // Left by an upload whose server was killed before its commit.
  files.set(`bookings/${id}/stops/1/signature-${id}` as StoredPath, {
    bytes: picture,
    contentType: 'image/webp',
  })
  const open = await started()
  // Booking ids carry the real time, which is not the test's.
  const later = () => Math.max(city.clock.now(), Date.now()) + 1
  for (const stop of [1, 2]) await commands.deliver(order(), { stop, name: 'Ada' })
  await commands.reach(order())
  await commands.close(order())
  expect(await clearing.clearEnded(city.clock.now() - 60_000, 10)).toBe(0)
  const ended = await clearing.clearEnded(later(), 100)
  expect(ended).toBeGreaterThan(0)
  expect(filesOf(id)).toEqual([])
  for (const stop of await stopsOf(id)) {
    expect(stop).toMatchObject({
      person: '',
      phone: '',
      email: null,
      received_by: null,
      photo: null,
      signature: null,
    })
  }
  expect(await city.leftovers(id, ['Ada', 'Ben', '111 222', 'ada@x.test', 'Second', drop.add])).toEqual([])
  expect((await stopsOf(id))[1]?.outcome).toBe('delivered')
  expect((await stopsOf(open.id))[1]?.person).toBe('Ada')
  expect(await clearing.clearEnded(later(), 100)).toBe(0)
  expect(await clearing.clearSender(rider.id, 10)).toBe(0)

  const gone = open
  await put(gone.driver, gone.id, 'deliver_image')
  for (const stop of [1, 2]) await gone.commands.deliver(gone.order(), { stop })
  await gone.commands.reach(gone.order())
  await gone.commands.close(gone.order())
  expect(await clearing.clearSender(gone.rider.id, 10)).toBe(1)
  expect(filesOf(gone.id)).toEqual([])
  expect(await city.leftovers(gone.id, ['Ada', 'Ben', '111 222', 'Second', drop.add])).toEqual([])
  await expect(city.bookings.read(gone.id)).resolves.toMatchObject({
    delivery: { stops: [{ n: 0 }, { phone: '' }, {}] },
  })
})
