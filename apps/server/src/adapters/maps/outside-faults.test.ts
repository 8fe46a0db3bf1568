import { googleKey, startGoogleMaps } from '@hansom/doubles/maps/google'
import type { MapDouble, MapFault } from '@hansom/doubles/maps/map-double'
import { startOsrm } from '@hansom/doubles/maps/osrm'
import { startPhoton } from '@hansom/doubles/maps/photon'
import { bounds } from '@hansom/doubles/maps/street-grid'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countingMeter, openTown, ownAnswers, ownPlace, townArea, townMap } from './outside.fixture.ts'
import { failuresToOpen, openMs } from './services/breaker.ts'
import { answerMs } from './services/call.ts'

const from = { lat: -34.9195, lng: -56.1995 }
const to = { lat: -34.903, lng: -56.179 }
const own = { distanceKm: 1, durationS: 60 }

let osrm: MapDouble
let photon: MapDouble
beforeAll(async () => {
  ;[osrm, photon] = await Promise.all([startOsrm(), startPhoton()])
})
beforeEach(() => {
  for (const double of [osrm, photon]) Object.assign(double, { broken: null }).requests.length = 0
})
afterAll(() => Promise.all([osrm.close(), photon.close()]))

/** Both services around the town's own map, which answers recognizably; the breaker's time is `clock.now`. */
function open(options: Parameters<typeof openTown>[1] = {}, area: typeof townArea = null) {
  const clock = { skipped: 0 }
  const meter = countingMeter()
  const opened = openTown(
    { places: { service: 'photon', url: photon.url }, routes: { service: 'osrm', url: osrm.url }, area },
    {
      embedded: townMap(ownAnswers),
      meter,
      now: () => performance.now() + clock.skipped,
      ...options,
    },
  )
  return { ...opened, meter, clock }
}

describe('a fault of the service', () => {
  it.each<MapFault>(['reset', 'rate_limited', 'server_error'])(
    '%s once -> retried, then its answer',
    async (fault) => {
      const { maps, meter } = open()
      osrm.fail(fault)
      expect((await maps.route([from, to]))?.distanceKm).not.toBe(own.distanceKm)
      expect(osrm.requests).toHaveLength(2)
      expect(meter.taken).toHaveLength(2)
      expect(meter.failures).toHaveLength(1)
    },
  )

  it.each<[MapFault, number]>([
    ['reset', 2],
    ['rate_limited', 2],
    ['server_error', 2],
    ['garbage', 1],
    ['huge', 1],
    ['denied', 1],
    ['never', 1],
  ])('%s every time -> the own map answers after %i requests', async (fault, requests) => {
    const { maps, warnings } = open()
    osrm.broken = fault
    photon.broken = fault
    expect(await maps.route([from, to])).toMatchObject(own)
    expect(osrm.requests).toHaveLength(requests)
    expect(await maps.driveTimes([from], to)).toEqual([own])
    expect(await maps.address(from)).toEqual(ownPlace)
    expect(await maps.search('Bulevar Ejido')).toEqual([ownPlace])
    expect(warnings.length).toBeGreaterThan(0)
  })

  it('points that the own map does not cover -> error, and unknown driving times', async () => {
    const embedded = townMap(ownAnswers, [10, 50, 11, 51])
    const { maps } = openTown(
      {
        places: { service: 'photon', url: photon.url },
        routes: { service: 'osrm', url: osrm.url },
        area: townArea,
      },
      { embedded },
    )
    osrm.broken = 'server_error'
    photon.broken = 'server_error'
    await expect(maps.route([from, to])).rejects.toThrow('osrm: server_error')
    await expect(maps.address(from)).rejects.toThrow('photon: server_error')
    await expect(maps.search('Bulevar Ejido')).rejects.toThrow('photon: server_error')
    expect(await maps.driveTimes([from, to], to)).toEqual([null, null])
  })

  it('search: own map covers a part of the area, not its center -> it answers, within the area', async () => {
    const [west, south] = bounds
    const beyond = { ...ownPlace, lat: south - 0.01 }
    const embedded = townMap({ search: async () => [beyond, ownPlace] }, [
      -57,
      -35,
      west + 0.001,
      south + 0.001,
    ])
    const { maps } = open({ embedded }, townArea)
    photon.broken = 'denied'
    expect(maps.region.center).not.toSatisfy(embedded.covers)
    expect(await maps.search('Bulevar Ejido')).toEqual([ownPlace])
    expect(await maps.search('Bulevar Ejido', { near: to })).toEqual([ownPlace])
  })

  it('place of an unavailable service -> error, because only the service knows its ids', async () => {
    const { maps } = open()
    const [found] = await maps.search('Bulevar Ejido')
    photon.broken = 'server_error'
    await expect(maps.place(found?.id ?? '')).rejects.toThrow('photon: server_error')
  })

  it('error -> contains neither key nor URL', async () => {
    const google = await startGoogleMaps()
    const { maps } = openTown(
      { places: { service: 'google', key: googleKey, url: google.url }, area: townArea },
      { embedded: townMap({}, [10, 50, 11, 51]) },
    )
    google.broken = 'denied'
    const error: unknown = await maps.address(from).catch((reason: unknown) => reason)
    expect(String(error)).toContain('google: denied')
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(googleKey)
    await google.close()
  })
})

describe('circuit breaker', () => {
  it('failures -> no more requests; later one probe beside the own answers closes it', async () => {
    const { maps, services, clock } = open()
    osrm.broken = 'denied'
    for (let failure = 0; failure < failuresToOpen; failure++) await maps.route([from, to])
    expect(services.status().routes?.breaker).toBe('open')
    osrm.requests.length = 0
    expect(await maps.route([from, to])).toMatchObject(own)
    expect(osrm.requests).toHaveLength(0)
    osrm.broken = null
    clock.skipped = openMs
    expect(services.status().routes?.breaker).toBe('half_open')
    const routes = await Promise.all(Array.from({ length: 5 }, () => maps.route([from, to])))
    expect(routes).toEqual(Array(5).fill(expect.objectContaining(own)))
    await expect.poll(() => services.status().routes?.breaker).toBe('closed')
    expect(osrm.requests).toHaveLength(1)
    expect((await maps.route([from, to]))?.distanceKm).not.toBe(own.distanceKm)
  })

  it('probe never answered -> the own map does not wait for it', async () => {
    const { maps, services, meter, clock } = open()
    for (const double of [osrm, photon]) double.broken = 'denied'
    const ask = async () => [await maps.route([from, to]), await maps.search('Bulevar Ejido')]
    for (let failure = 0; failure < failuresToOpen; failure++) await ask()
    clock.skipped = openMs
    for (const double of [osrm, photon]) double.broken = 'never'
    const before = meter.failures.length
    expect(await ask()).toEqual([expect.objectContaining(own), [ownPlace]])
    // Both probes are still waiting.
    expect(meter.failures).toHaveLength(before)
    expect(services.status()).toMatchObject({ places: { breaker: 'open' }, routes: { breaker: 'open' } })
    await expect.poll(() => meter.failures.length, { timeout: 2 * answerMs }).toBe(before + 2)
  })

  it('probe where the own map does not cover the points -> its answer', async () => {
    const { maps, services, clock } = open({ embedded: townMap(ownAnswers, [10, 50, 11, 51]) }, townArea)
    osrm.broken = 'denied'
    for (let failure = 0; failure < failuresToOpen; failure++) await maps.route([from, to]).catch(() => {})
    osrm.broken = null
    clock.skipped = openMs
    expect((await maps.route([from, to]))?.distanceKm).toBeGreaterThan(own.distanceKm)
    expect(services.status().routes?.breaker).toBe('closed')
  })

  it.each([
    ['its retry is over the cap', countingMeter(failuresToOpen + 1)],
    ['its failure cannot be counted', countingMeter(Number.POSITIVE_INFINITY, failuresToOpen)],
  ])('probe: %s -> open again, and later the next probe', async (_case, meter) => {
    const { maps, services, warnings, clock } = open({ meter })
    osrm.broken = 'denied'
    for (let failure = 0; failure < failuresToOpen; failure++) await maps.route([from, to])
    clock.skipped = openMs
    osrm.broken = 'server_error'
    expect(await maps.route([from, to])).toMatchObject(own)
    await expect.poll(() => warnings.filter((warning) => warning.includes('paused')).length).toBe(2)
    clock.skipped = 2 * openMs + 2 * answerMs
    expect(services.status().routes?.breaker).toBe('half_open')
    expect(meter.taken).toHaveLength(failuresToOpen + 1)
  })

  it('call of the time before it opened -> its retry is no probe', async () => {
    const { maps, services, clock } = open()
    osrm.fail('server_error')
    osrm.broken = 'denied'
    const early = maps.route([from, to])
    await Promise.all(Array.from({ length: failuresToOpen }, () => maps.route([from, to])))
    expect(services.status().routes?.breaker).toBe('open')
    clock.skipped = openMs
    await early
    expect(services.status().routes?.breaker).toBe('half_open')
  })

  it('three of four calls fail -> open', async () => {
    const { maps, services } = open()
    for (const fault of ['denied', 'denied', 'denied', null, 'denied'] as const) {
      expect(services.status().routes?.breaker).toBe('closed')
      osrm.broken = fault
      await maps.route([from, to])
    }
    expect(services.status().routes?.breaker).toBe('open')
  })

  it('places fail -> routes are still requested', async () => {
    const { maps, services } = open()
    photon.broken = 'denied'
    for (let failure = 0; failure < failuresToOpen; failure++) await maps.address(from)
    expect(services.status()).toMatchObject({ places: { breaker: 'open' }, routes: { breaker: 'closed' } })
    expect((await maps.route([from, to]))?.distanceKm).not.toBe(own.distanceKm)
  })

  it('refused input -> does not count as a failure', async () => {
    const { maps, services } = open()
    for (let attempt = 0; attempt < failuresToOpen * 2; attempt++) await maps.place('photon:W99@-34.9,-56.2')
    expect(services.status().places?.breaker).toBe('closed')
  })

  it('test -> calls even while it is open', async () => {
    const { maps, services } = open()
    osrm.broken = 'denied'
    for (let failure = 0; failure < failuresToOpen; failure++) await maps.route([from, to])
    expect((await services.test('routes')).map(({ failure }) => failure)).toEqual(['denied', 'denied'])
    osrm.broken = null
    expect((await services.test('routes')).map(({ failure }) => failure)).toEqual([null, null])
  })
})

it('cap reached -> no request, the own map answers', async () => {
  const { maps } = open({ meter: countingMeter(2) })
  await Promise.all([maps.route([from, to]), maps.route([from, to])])
  expect(await maps.route([from, to])).toMatchObject(own)
  expect(await maps.driveTimes([from], to)).toEqual([own])
  expect(osrm.requests).toHaveLength(2)
})

it('service that never answers -> an estimate waits for two answers at most, later ones for none', async () => {
  // A route and driving times are requested one after the other, each once.
  expect(2 * answerMs).toBeLessThan(2_000)
  const { maps, services } = open()
  osrm.broken = 'never'
  const estimate = async () => [await maps.route([from, to]), await maps.driveTimes([from], to)]
  expect(await estimate()).toEqual([expect.objectContaining(own), [own]])
  expect(osrm.requests).toHaveLength(2)
  for (let more = 2; more < failuresToOpen; more++) await maps.route([from, to])
  expect(services.status().routes?.breaker).toBe('open')
  osrm.requests.length = 0
  expect(await estimate()).toEqual([expect.objectContaining(own), [own]])
  expect(osrm.requests).toHaveLength(0)
})
