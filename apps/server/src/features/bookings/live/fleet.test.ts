import type { FleetChange, FleetMoveRow } from '@hansom/contract/live'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { FleetPublisher, movesPerFrame } from './fleet.ts'

const time = 1_800_000_000_000

function createPublisher() {
  const frames: FleetMoveRow[][] = []
  const hub = {
    publish: () => {},
    publishVolatile: (_channel: string, data: unknown) => {
      const change = data as FleetChange
      if ('moved' in change) frames.push(change.moved)
    },
  }
  return { frames, publisher: new FleetPublisher(hub, {} as Pool, () => time) }
}
const move = (number: number, lat = -34.9, at = time) => ({
  uid: `driver ${number}`,
  lat,
  lng: -56.2,
  bearing: 90.4,
  at,
  fleetadmin: null,
  isFirst: false,
})

test('fleet: five thousand cars move at once -> frames of bounded size, each car once', async () => {
  const { publisher, frames } = createPublisher()
  await publisher.moved(Array.from({ length: 2 * movesPerFrame + 1_000 }, (_, number) => move(number)))
  await publisher.moved([move(0, -34.8)])
  await publisher.moved([move(1, -34.8)])
  expect(frames.map((frame) => frame.length)).toEqual([movesPerFrame, movesPerFrame, 1_002])
  expect(new Set(frames.flat().map(([uid]) => uid)).size).toBe(2 * movesPerFrame + 1_000)
})

test('fleet: queued car moves again -> its newest position is published', async () => {
  const { publisher, frames } = createPublisher()
  await publisher.moved(Array.from({ length: movesPerFrame + 1 }, (_, number) => move(number)))
  await publisher.moved([move(movesPerFrame, -34.7)])
  expect(frames[1]).toEqual([[`driver ${movesPerFrame}`, -34.7, -56.2, 90, time]])
})

test('fleet: stationary car -> repeated only after 30 s', async () => {
  const { publisher, frames } = createPublisher()
  for (const seconds of [0, 3, 6, 29, 30, 33])
    await publisher.moved([move(1, -34.900001 + seconds * 1e-8, time + seconds * 1_000)])
  const ofThe = (frame: FleetMoveRow[]) => frame.map(([, , , , at]) => (at - time) / 1_000)
  // The fifth frame repeats moves published since the last full frame; here that is the car itself.
  expect(frames.map(ofThe)).toEqual([[0], [30]])
})
