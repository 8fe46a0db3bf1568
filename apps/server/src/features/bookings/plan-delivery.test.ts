import type { LatLng } from '@hansom/domain/geo/point'
import { describe, expect, test } from 'vitest'
import type { Maps } from '../../adapters/maps/port.ts'
import { planDelivery } from './plan-delivery.ts'
import { centre, straightMaps } from './straight-city.fixture.ts'

const at = (lng: number) => ({ place: { lat: centre.lat, lng } })
const [near, middle, far] = [at(-56.16), at(-56.15), at(-56.14)]
const asked = { pickup: centre, leaveAt: 0, serviceS: 180 }
const plan = (maps: Maps, drops: { place: LatLng }[], order: 'given' | 'best' = 'given') =>
  planDelivery(maps, { ...asked, drops, order })

/** A map of an outside service: no times from our own streets. */
function outsideMaps() {
  const straight = straightMaps()
  const pairs: string[] = []
  const driveTimes: Maps['driveTimes'] = async (froms, to) => {
    pairs.push(...froms.map((from) => `${from.lng} ${to.lng}`))
    return straight.driveTimes(froms, to)
  }
  const driveTimeTable: Maps['driveTimeTable'] = async (froms, tos) => froms.map(() => tos.map(() => null))
  return { maps: { ...straight, driveTimes, driveTimeTable }, pairs }
}

/** Streets that lack the routes from one place to another. */
function withoutRoute(isMissing: (from: LatLng, to: LatLng) => boolean): Maps {
  const straight = straightMaps()
  const driveTimes: Maps['driveTimes'] = async (froms, to) => {
    const times = await straight.driveTimes(froms, to)
    return times.map((time, index) => (isMissing(froms[index] as LatLng, to) ? null : time))
  }
  const driveTimeTable: Maps['driveTimeTable'] = async (froms, tos) => {
    const columns = await Promise.all(tos.map((to) => driveTimes(froms, to)))
    return froms.map((_, row) => columns.map((column) => column[row] ?? null))
  }
  return { ...straight, driveTimes, driveTimeTable }
}

describe('planDelivery', () => {
  test('best order -> nearest first, and its arrivals', async () => {
    const planned = await plan(straightMaps(), [far, near, middle], 'best')
    expect(planned).toMatchObject({ plan: { order: [1, 2, 0] }, lateS: [0, 0, 0] })
  })

  test('map of an outside service -> the given order, asked for its legs and the way back only', async () => {
    const { maps, pairs } = outsideMaps()
    const planned = await plan(maps, [far, near], 'best')
    expect(planned).toMatchObject({ plan: { order: [0, 1] } })
    expect(pairs.toSorted()).toEqual(['-56.14 -56.16', '-56.16 -56.17', '-56.17 -56.14'])
  })

  test('one drop, outside service -> planned', async () => {
    expect(await plan(outsideMaps().maps, [far])).toMatchObject({ plan: { order: [0] } })
  })

  test.each(['given', 'best'] as const)(
    'second drop without a route to it, %s order -> named',
    async (order) => {
      const maps = withoutRoute((_, to) => to.lng === middle.place.lng)
      expect(await plan(maps, [near, middle, far], order)).toEqual({ unreachable: 1 })
    },
  )

  test.each(['given', 'best'] as const)(
    'no way back from the last drop, %s order -> it is named',
    async (order) => {
      const maps = withoutRoute((from, to) => from.lng === far.place.lng && to.lng === centre.lng)
      expect(await plan(maps, [near, far], order)).toEqual({ unreachable: 1 })
    },
  )

  test('drop outside the map -> named', async () => {
    expect(await plan(straightMaps(), [near, at(-50)])).toEqual({ unreachable: 1 })
  })
})
