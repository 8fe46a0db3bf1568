import { describe, expect, it } from 'vitest'
import { carAccess, stopsCars } from './access.ts'

const open = { forward: true, backward: true, isPrivate: false }
const forward = { ...open, backward: false }
const backward = { ...open, forward: false }

describe('carAccess', () => {
  it.each([
    ['street -> both directions', { highway: 'residential' }, open],
    ['oneway=yes -> forward only', { highway: 'residential', oneway: 'yes' }, forward],
    ['oneway=-1 -> backward only', { highway: 'residential', oneway: '-1' }, backward],
    ['oneway=reversible -> both directions', { highway: 'primary', oneway: 'reversible' }, open],
    ['roundabout -> forward only', { highway: 'tertiary', junction: 'roundabout', oneway: 'no' }, forward],
    ['motorway -> forward only', { highway: 'motorway' }, forward],
    ['motorway with oneway=no -> both', { highway: 'motorway', oneway: 'no' }, open],
    [
      'one-way, but not for cars -> both',
      { highway: 'residential', oneway: 'yes', 'oneway:motorcar': 'no' },
      open,
    ],
    [
      'closed against its direction -> forward only',
      { highway: 'service', 'vehicle:backward': 'no' },
      forward,
    ],
    [
      'closed along its direction -> backward only',
      { highway: 'service', 'motor_vehicle:forward': 'no' },
      backward,
    ],
    [
      'closed in both directions -> closed',
      { highway: 'service', 'motor_vehicle:forward': 'no', 'motor_vehicle:backward': 'no' },
      null,
    ],
    [
      'closed to cars against its direction -> forward only',
      { highway: 'service', 'motorcar:backward': 'no' },
      forward,
    ],
    [
      'closed along its direction to vehicles other than cars -> both',
      { highway: 'service', 'vehicle:forward': 'no', 'motorcar:forward': 'yes' },
      open,
    ],
    [
      'one-way street closed along its direction -> closed',
      { highway: 'service', oneway: 'yes', 'vehicle:forward': 'no' },
      null,
    ],
    ['oneway=alternating -> both directions', { highway: 'primary', oneway: 'alternating' }, open],
    ['private road -> private', { highway: 'service', access: 'private' }, { ...open, isPrivate: true }],
    ['destination -> open', { highway: 'service', access: 'destination' }, open],
    ['special key -> before the general one', { highway: 'service', access: 'no', motorcar: 'yes' }, open],
    ['unknown value -> the next key decides', { highway: 'service', motorcar: 'maybe', access: 'no' }, null],
    ['several values -> one that allows is enough', { highway: 'service', access: 'no;destination' }, open],
    ['agricultural -> closed', { highway: 'track', motor_vehicle: 'agricultural;forestry' }, null],
    ['closed by time -> open', { highway: 'residential', 'access:conditional': 'no @ (22:00-06:00)' }, open],
    ['pedestrian street -> closed', { highway: 'pedestrian' }, null],
    [
      'pedestrian street with permission -> open',
      { highway: 'pedestrian', motor_vehicle: 'destination' },
      open,
    ],
    ['rough track -> closed', { highway: 'track', tracktype: 'grade4' }, null],
    ['emergency access -> closed', { highway: 'service', service: 'emergency_access' }, null],
    ['paved area -> closed', { highway: 'service', area: 'yes' }, null],
    ['footway, planned street, river -> closed', { highway: 'footway', waterway: 'river' }, null],
    ['street being built -> closed', { highway: 'construction', construction: 'primary' }, null],
    ['car ferry -> open', { route: 'ferry', motorcar: 'yes', foot: 'yes' }, open],
    ['ferry without any mode -> open', { route: 'ferry' }, open],
    ['ferry for walkers -> closed', { route: 'ferry', foot: 'yes' }, null],
    ['ferry closed to cars -> closed', { route: 'ferry', motor_vehicle: 'no' }, null],
  ])('%s', (_, tags, expected) => {
    expect(carAccess(tags as Record<string, string>)).toEqual(expected)
  })
})

describe('stopsCars', () => {
  it.each([
    ['bollard -> yes', { barrier: 'bollard' }, true],
    ['bollard with motor_vehicle=yes -> no', { barrier: 'bollard', motor_vehicle: 'yes' }, false],
    ['gate -> no', { barrier: 'gate' }, false],
    ['locked gate -> yes', { barrier: 'gate', locked: 'yes' }, true],
    ['private gate -> yes', { barrier: 'gate', access: 'private' }, true],
    ['gate closed to some, open to others -> no', { barrier: 'gate', access: 'no;destination' }, false],
    ['bollard with several closed values -> yes', { barrier: 'bollard', access: 'forestry; delivery' }, true],
    ['lift gate open to visitors -> no', { barrier: 'lift_gate', access: 'destination' }, false],
  ])('%s', (_, tags, expected) => {
    expect(stopsCars(tags as Record<string, string>)).toBe(expected)
  })
})
