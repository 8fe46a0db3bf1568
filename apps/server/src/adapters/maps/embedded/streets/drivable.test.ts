import { describe, expect, it } from 'vitest'
import { carUse } from './drivable.ts'

const both = (kmh: number) => ({ forwardKmh: kmh, backwardKmh: kmh })

describe('carUse', () => {
  it.each([
    ['maxspeed is set -> the limit, less traffic', { highway: 'primary', maxspeed: '60' }, both(45)],
    ['no maxspeed -> a speed by class', { highway: 'residential' }, both(30)],
    [
      'oneway=yes -> forward only',
      { highway: 'residential', oneway: 'yes' },
      { forwardKmh: 30, backwardKmh: 0 },
    ],
    [
      'oneway=-1 -> backward only',
      { highway: 'residential', oneway: '-1' },
      { forwardKmh: 0, backwardKmh: 30 },
    ],
    [
      'roundabout -> forward only',
      { highway: 'tertiary', maxspeed: '40', junction: 'roundabout' },
      { forwardKmh: 30, backwardKmh: 0 },
    ],
    [
      'roundabout with oneway=no -> both directions',
      { highway: 'tertiary', maxspeed: '40', junction: 'roundabout', oneway: 'no' },
      both(30),
    ],
    ['parking aisle -> slow', { highway: 'service', service: 'parking_aisle', maxspeed: '45' }, both(7.5)],
    ['private road -> closed', { highway: 'service', access: 'private' }, null],
    [
      'access=no with motorcar=yes -> open',
      { highway: 'service', access: 'no', motorcar: 'yes' },
      both(11.25),
    ],
    ['bus lane -> closed', { highway: 'primary', access: 'bus' }, null],
    ['footway -> closed', { highway: 'footway' }, null],
    ['planned street -> closed', { highway: 'proposed' }, null],
    ['river -> closed', { waterway: 'river' }, null],
  ])('%s', (_, tags, expected) => {
    expect(carUse(tags as Record<string, string>)).toEqual(expected)
  })
})
