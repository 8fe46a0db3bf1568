import type { LatLng } from '@hansom/domain/geo/point'
import { expect, test } from 'vitest'
import type { DriveTime } from '../../adapters/maps/port.ts'
import { ownDriveTimes } from './own-drive-times.ts'

const to = { lat: 0, lng: 0 }
const at = (lat: number): LatLng => ({ lat, lng: 0 })
const time = (durationS: number): DriveTime => ({ distanceKm: 1, durationS })

/** Our streets cover latitudes below 10, the service those below 20; records what the service is asked. */
function mapsOf() {
  const asked: LatLng[][] = []
  return {
    asked,
    maps: {
      driveTimeTable: async (froms: LatLng[]) => froms.map(({ lat }) => [lat < 10 ? time(lat) : null]),
      driveTimes: async (froms: LatLng[]) => {
        asked.push(froms)
        return froms.map(({ lat }) => (lat < 20 ? time(100 + lat) : null))
      },
    },
  }
}

test('ownDriveTimes: every start on our own streets -> no call to the service', async () => {
  const { maps, asked } = mapsOf()
  expect(await ownDriveTimes(maps, [at(1), at(2)], to)).toEqual([time(1), time(2)])
  expect(asked).toEqual([])
})

test('ownDriveTimes: some starts elsewhere -> only these in one call, results in order', async () => {
  const { maps, asked } = mapsOf()
  expect(await ownDriveTimes(maps, [at(11), at(2), at(25), at(13)], to)).toEqual([
    time(111),
    time(2),
    null,
    time(113),
  ])
  expect(asked).toEqual([[at(11), at(25), at(13)]])
})

test('ownDriveTimes: no start -> no call', async () => {
  const { maps, asked } = mapsOf()
  expect(await ownDriveTimes(maps, [], to)).toEqual([])
  expect(asked).toEqual([])
})
