import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { matchBatch } from './batch.ts'
import {
  type Candidate,
  costS,
  decisionReasons,
  figuresOf,
  mostConsidered,
  outcomeOf,
  type StrategyFigures,
  strategies,
} from './strategies.ts'
import { mostBroadcast, planWave } from './waves.ts'

const pickup = { lat: 0, lng: 0 }
const fresh = { pickup, wave: 0, asked: [], excluded: [], now: 1000 }
const driver = (id: string, km: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  location: { lat: km / 111.195, lng: 0 },
  arrivalS: km * 120,
  ...more,
})
const settingsWith = (dispatch: Partial<StrategyFigures>) => ({
  driverRadius: 10,
  convert_to_mile: false,
  dispatch: { ...defaultSettings.dispatch, ...dispatch },
})
const reasons = ({ considered }: ReturnType<typeof planWave>) =>
  Object.fromEntries(considered().drivers.map(({ id, reason }) => [id, reason]))

describe('figuresOf', () => {
  const figure = (from: number, to: number) => fc.integer({ min: from, max: to })
  const figures = fc.record({
    waveSize: figure(1, 5),
    waveSeconds: figure(5, 600),
    firstRadius: figure(1, 9),
    batchSeconds: figure(1, 60),
    ageing: figure(0, 600),
    fairness: figure(0, 1800),
    soonFreeMinutes: figure(0, 10),
  })
  const cars = fc.array(
    fc.record({ km: figure(0, 12), idleS: figure(0, 9_000), freeS: fc.constantFrom(0, 0, 300) }),
    { maxLength: 12 },
  )
  /** Who is asked, and until when. */
  const decide = (
    given: StrategyFigures,
    candidates: readonly Candidate[],
  ): readonly (string | number | null)[] => {
    if (given.strategy === 'batch') {
      // The longer a rider waits, the farther all drivers are.
      const riders = [0, 1, 2].map((far) => ({
        booking: `b${far}`,
        pickup,
        waitedS: far * 100,
        figures: given,
        candidates: candidates.map((car) => ({ ...car, arrivalS: car.arrivalS * (far + 1) })),
      }))
      return matchBatch(riders).map((match) => match.driver)
    }
    const plan = planWave({ ...fresh, waitedS: 200 }, candidates, settingsWith(given))
    return plan.kind === 'ask' ? [...plan.drivers.toSorted(), plan.next_at] : [plan.kind]
  }
  it.each(strategies)('%s: other figures change -> the same drivers', (strategy) => {
    fc.assert(
      fc.property(cars, figures, figures, (places, one, other) => {
        const candidates = places.map(({ km, ...car }, index) => driver(`d${index}`, km, car))
        const own = Object.fromEntries(figuresOf[strategy].map((name) => [name, one[name]]))
        const whole = { ...one, strategy }
        expect(decide({ ...whole, ...other, ...own }, candidates)).toEqual(decide(whole, candidates))
      }),
    )
  })
})

describe('planWave', () => {
  it('broadcast -> everyone in the radius at once, up to a limit', () => {
    const many = Array.from({ length: 120 }, (_, index) => driver(`d${index}`, index / 12.1))
    const plan = planWave(fresh, [...many, driver('beyond', 10.1)], settingsWith({ strategy: 'broadcast' }))
    if (plan.kind !== 'ask') throw new Error('no driver was asked')
    expect(plan).toMatchObject({ wave: 1, radiusKm: 10 })
    expect(plan.drivers).toEqual(many.slice(0, mostBroadcast).map(({ id }) => id))
  })

  it('nearest -> one after the other, the soonest first', () => {
    const settings = settingsWith({ strategy: 'nearest' })
    const drivers = [driver('far', 9), driver('near', 1), driver('middle', 5)]
    const order: string[] = []
    for (;;) {
      const plan = planWave({ ...fresh, wave: order.length, asked: order }, drivers, settings)
      if (plan.kind !== 'ask') break
      order.push(...plan.drivers)
      expect(plan.wave).toBe(order.length)
    }
    expect(order).toEqual(['near', 'middle', 'far'])
  })

  it('fairness -> an hour without a trip outweighs that much driving', () => {
    const drivers = [driver('busy', 1, { idleS: 0 }), driver('idle', 2, { idleS: 3600 })]
    const first = (fairness: number) =>
      planWave(fresh, drivers, settingsWith({ strategy: 'nearest', fairness }))
    expect(first(119)).toMatchObject({ drivers: ['busy'] })
    expect(first(121)).toMatchObject({ drivers: ['idle'] })
    expect(costS({ arrivalS: 900, idleS: 100 * 3600 }, { fairness: 100 })).toBe(500)
  })

  it('driver about to finish -> awaited if sooner than the free ones, but not for longer than allowed', () => {
    const drivers = [driver('free', 5), driver('ending', 1, { arrivalS: 300, freeS: 180 })]
    const nearest = settingsWith({ strategy: 'nearest', soonFreeMinutes: 5 })
    expect(planWave(fresh, drivers, nearest)).toMatchObject({ kind: 'wait', until: 6000 })
    expect(planWave({ ...fresh, waitedS: 300 }, drivers, nearest)).toMatchObject({ drivers: ['free'] })
    expect(planWave(fresh, [driver('free', 2), drivers[1] as Candidate], nearest)).toMatchObject({
      drivers: ['free'],
    })
    // Waves ask the free ones, and wait only when none is left.
    const waves = settingsWith({ strategy: 'waves', soonFreeMinutes: 5 })
    expect(planWave(fresh, drivers, waves)).toMatchObject({ drivers: ['free'] })
    expect(planWave({ ...fresh, asked: ['free'] }, drivers, waves)).toMatchObject({ kind: 'wait' })
    expect(planWave({ ...fresh, asked: ['free'], waitedS: 300 }, drivers, waves)).toMatchObject({
      kind: 'none',
    })
  })

  it('everyone left is asked for another trip -> waits instead of giving up', () => {
    const settings = settingsWith({ strategy: 'nearest' })
    const drivers = [
      driver('elsewhere', 1, { excluded: 'other_request' }),
      driver('owes', 1, { excluded: 'debt' }),
    ]
    expect(planWave(fresh, drivers, settings)).toMatchObject({ kind: 'wait', until: 6000 })
    expect(planWave({ ...fresh, asked: ['elsewhere'] }, drivers, settings)).toMatchObject({ kind: 'none' })
    expect(planWave(fresh, [...drivers, driver('free', 9)], settings)).toMatchObject({ drivers: ['free'] })
  })

  it('each driver -> the reason why', () => {
    const drivers = [
      driver('first', 1),
      driver('second', 2),
      driver('third', 3),
      driver('beyond', 6),
      driver('ending', 1, { freeS: 60 }),
      driver('owes', 0.5, { excluded: 'debt' }),
      driver('asked', 1),
      driver('declined', 1),
    ]
    const state = { ...fresh, asked: ['asked', 'declined'], excluded: ['declined'] }
    const plan = planWave(state, drivers, settingsWith({ waveSize: 2, soonFreeMinutes: 5 }))
    expect(reasons(plan)).toEqual({
      first: 'offered',
      second: 'offered',
      third: 'sooner_first',
      beyond: 'beyond_radius',
      ending: 'not_free_yet',
      owes: 'debt',
      asked: 'asked_before',
      declined: 'declined',
    })
    expect(decisionReasons.map(outcomeOf)).toEqual([
      'offered',
      ...Array(4).fill('passed_over'),
      ...Array(5).fill('excluded'),
    ])
  })

  it('any drivers, any strategy -> only free ones in the radius, each once, and a bounded record with all counts', () => {
    const one = fc.record({
      km: fc.double({ min: 0, max: 12, noNaN: true }),
      freeS: fc.constantFrom(0, 0, 60, 300),
      idleS: fc.integer({ min: 0, max: 20_000 }),
      excluded: fc.constantFrom(undefined, undefined, 'debt' as const),
    })
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 60 }),
        fc.constantFrom(...strategies),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 1800 }),
        (all, strategy, soonFreeMinutes, fairness) => {
          const drivers = all.map(({ excluded, km, ...rest }, index) =>
            driver(String(index), km, { ...rest, ...(excluded && { excluded }) }),
          )
          const settings = settingsWith({ strategy, soonFreeMinutes, fairness })
          const able = drivers.filter(
            ({ freeS, excluded, location }) => freeS === 0 && !excluded && location.lat * 111.195 <= 10,
          )
          const asked: string[] = []
          for (let wave = 0; ; ) {
            const plan = planWave({ ...fresh, wave, asked, waitedS: 3600 }, drivers, settings)
            const { drivers: shown, counts } = plan.considered()
            expect(shown.length).toBe(Math.min(mostConsidered, drivers.length))
            expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(drivers.length)
            // Those who are asked come first, then the nearest.
            const rank = ({ reason, km }: (typeof shown)[number]) => (reason === 'offered' ? 0 : 1000) + km
            expect(shown).toEqual(shown.toSorted((a, b) => rank(a) - rank(b)))
            const offered = plan.kind === 'ask' ? plan.drivers : []
            expect(counts.offered ?? 0).toBe(offered.length)
            expect(shown.filter(({ reason }) => reason === 'offered').length).toBe(
              Math.min(mostConsidered, offered.length),
            )
            if (plan.kind !== 'ask') break
            asked.push(...plan.drivers)
            wave = plan.wave
          }
          expect(asked.toSorted()).toEqual(able.map(({ id }) => id).toSorted())
        },
      ),
      { numRuns: 200 },
    )
  })
})
