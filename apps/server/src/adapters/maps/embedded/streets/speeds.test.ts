import { describe, expect, it } from 'vitest'
import { ferrySpeed, streetSpeeds } from './speeds.ts'

const both = (kmh: number) => ({ forward: kmh, backward: kmh })

describe('streetSpeeds', () => {
  it.each([
    ['no limit -> by class', { highway: 'tertiary' }, both(50)],
    ['limit -> 90 % of it, in steps of 2 km/h', { highway: 'tertiary', maxspeed: '50' }, both(46)],
    ['limit in mph', { highway: 'primary', maxspeed: '30 mph' }, both(44)],
    ['limit in knots', { highway: 'primary', maxspeed: '20 knots' }, both(34)],
    ['no limit on a motorway', { highway: 'motorway', maxspeed: 'none' }, both(136)],
    ['walking pace', { highway: 'living_street', maxspeed: 'walk' }, both(6)],
    ['limit by zone', { highway: 'primary', maxspeed: 'DE:urban' }, both(46)],
    ['limit without one meaning -> by class', { highway: 'primary', maxspeed: '50;30' }, both(66)],
    ['zero or negative limit -> by class', { highway: 'service', maxspeed: '0' }, both(20)],
    [
      'limit of one direction',
      { highway: 'primary', maxspeed: '80', 'maxspeed:backward': '50' },
      { forward: 72, backward: 46 },
    ],
    ['bad surface -> at most 30', { highway: 'secondary', surface: 'gravel' }, both(30)],
    [
      'bad surface with details -> at most 30',
      { highway: 'secondary', surface: 'paving_stones:30' },
      both(30),
    ],
    [
      'limit on a bad surface -> the limit',
      { highway: 'secondary', surface: 'gravel', maxspeed: '60' },
      both(54),
    ],
    ['track -> by grade', { highway: 'track', tracktype: 'grade3' }, both(10)],
    ['track without a grade', { highway: 'track' }, both(16)],
  ])('%s', (_, tags, expected) => {
    expect(streetSpeeds(tags as Record<string, string>)).toEqual(expected)
  })
})

describe('ferrySpeed', () => {
  it.each([
    ['duration in minutes -> from its length, with waiting', { duration: '30' }, 7_000, 10],
    ['duration as a clock', { duration: '00:30' }, 7_000, 10],
    ['duration in ISO 8601', { duration: 'PT30M' }, 7_000, 10],
    ['unlikely duration -> by length', { duration: '30:00' }, 2_000, 16],
    ['no duration -> by length', {}, 40_000, 30],
    ['short crossing -> slow', {}, 300, 6],
  ])('%s', (_, tags, metres, expected) => {
    expect(ferrySpeed(tags as Record<string, string>, metres)).toBe(expected)
  })
})
