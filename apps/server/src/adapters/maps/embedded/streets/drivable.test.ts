import { describe, expect, it } from 'vitest'
import { carUse } from './drivable.ts'

const both = (kmh: number) => ({ forwardKmh: kmh, backwardKmh: kmh })

describe('what a car may do on a way', () => {
  it.each([
    ['takes the posted limit, less what traffic costs', { highway: 'primary', maxspeed: '60' }, both(45)],
    ['assumes a speed by class where none is posted', { highway: 'residential' }, both(30)],
    ['goes one way', { highway: 'residential', oneway: 'yes' }, { forwardKmh: 30, backwardKmh: 0 }],
    ['goes the other way', { highway: 'residential', oneway: '-1' }, { forwardKmh: 0, backwardKmh: 30 }],
    [
      'goes round a roundabout one way',
      { highway: 'tertiary', maxspeed: '40', junction: 'roundabout' },
      { forwardKmh: 30, backwardKmh: 0 },
    ],
    [
      'believes a roundabout tagged two-way',
      { highway: 'tertiary', maxspeed: '40', junction: 'roundabout', oneway: 'no' },
      both(30),
    ],
    [
      'creeps between parked cars',
      { highway: 'service', service: 'parking_aisle', maxspeed: '45' },
      both(7.5),
    ],
    ['stays out of private roads', { highway: 'service', access: 'private' }, null],
    ['may go where only cars are let in', { highway: 'service', access: 'no', motorcar: 'yes' }, both(11.25)],
    ['leaves bus lanes to buses', { highway: 'primary', access: 'bus' }, null],
    ['does not take footways, works or plans', { highway: 'footway' }, null],
    ['does not take streets that are not built', { highway: 'proposed' }, null],
    ['does not take rivers', { waterway: 'river' }, null],
  ])('%s', (_, tags, expected) => {
    expect(carUse(tags as Record<string, string>)).toEqual(expected)
  })
})
