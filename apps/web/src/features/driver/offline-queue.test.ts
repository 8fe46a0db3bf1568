import { ApiError } from '@hansom/client/api-error'
import type { Position } from '@hansom/contract/tracking'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tripOf } from './trip.fixture.ts'
import type { TappedStep } from './trip-commands.ts'

vi.mock('../../lib/live.ts', () => ({ storeBooking: () => undefined }))
let keys = 0
vi.mock('../../lib/api.ts', () => ({ api: {} }))
vi.mock('@hansom/client/idempotent-call', () => ({ newIdempotencyKey: () => `key ${++keys}` }))
let now = 0
vi.mock('../../lib/clock.ts', () => ({ serverNow: () => now }))
const { DriverOutbox } = await import('./offline-queue.ts')
const { keptPositions, keptSteps } = await import('../../lib/stored-keys.ts')

function memory() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

/** A driver's device with a connection that is up or down, and the calls the server received. */
function device(storage = memory(), uid = 'd') {
  const heard: (string | number)[] = []
  const line = { up: true, failure: new ApiError('Fetch Call Error', 0), answersLost: 0 }
  const tapped: TappedStep[] = []
  const forgotten: string[] = []
  const refused = vi.fn()
  const reach = (hear: () => void) => {
    if (!line.up) throw line.failure
    hear()
    if (line.answersLost-- > 0) throw new ApiError('Fetch Call Error', 0)
  }
  const outbox = new DriverOutbox(
    uid,
    {
      report: async (positions: Position[]) => reach(() => heard.push(...positions.map(({ at }) => at))),
      upload: async (_step, image) => {
        reach(() => heard.push(image.file))
        return null
      },
      forget: (images) => forgotten.push(...images.map(({ file }) => file)),
      step: async (step) => {
        tapped.push(step)
        reach(() => heard.push(step.step))
        return tripOf()
      },
    },
    refused,
    storage,
  )
  return {
    outbox,
    heard,
    line,
    tapped,
    forgotten,
    refused,
    storage,
    tap: (step: TappedStep['step'], at: number, booking = 'b', otp?: string) => {
      now = at
      return outbox.steps.add({ booking, step, ...(otp ? { otp } : {}) })
    },
    drive: async (...times: number[]) => {
      for (const at of times) {
        outbox.positions.add({ lat: 0, lng: 0, at })
        await outbox.flushPositions().catch(() => undefined)
      }
    },
  }
}

beforeEach(() => {
  keys = 0
  now = 0
})

describe('steps taken offline', () => {
  it('connection returns -> sent in original order with original times', async () => {
    const { outbox, heard, line, tapped, tap, drive } = device()
    line.up = false
    await drive(1, 2)
    await tap('arrive', 3)
    await drive(4)
    await tap('start', 5)
    await drive(6, 7, 8)
    await tap('reach', 9)
    await drive(10)
    line.up = true
    tapped.length = 0
    await outbox.steps.flush()
    await outbox.flushPositions()
    expect(heard).toEqual([1, 2, 'arrive', 4, 'start', 6, 7, 8, 'reach', 10])
    expect(tapped.map(({ at }) => at)).toEqual([3, 5, 9])
    outbox.steps.stop()
  })

  it('reload -> steps and positions survive', async () => {
    const before = device()
    before.line.up = false
    await before.drive(1)
    await before.tap('start', 2)
    await before.drive(3)
    before.outbox.steps.stop()
    const after = device(before.storage)
    await after.outbox.steps.flush()
    await after.outbox.flushPositions()
    expect(after.heard).toEqual([1, 'start', 3])
    expect(device(before.storage).outbox.steps.list()).toEqual([])
  })

  it('response lost -> repeated under the same key', async () => {
    const { outbox, line, tapped, refused, tap } = device()
    line.answersLost = 1
    await tap('start', 1)
    await tap('reach', 2)
    expect(tapped.map(({ step, key }) => [step, key])).toEqual([
      ['start', 'key 1'],
      ['start', 'key 1'],
      ['reach', 'key 2'],
    ])
    expect(refused).not.toHaveBeenCalled()
    expect(outbox.steps.list()).toEqual([])
    outbox.steps.stop()
  })

  it.each([0, 401, 429, 500, 502])('status %s -> waits, longer each time', async (status) => {
    vi.useFakeTimers()
    const { outbox, line, tapped, refused, tap } = device()
    line.up = false
    line.failure = new ApiError('Fetch Call Error', status)
    await tap('arrive', 1)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(tapped).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5_999)
    expect(tapped).toHaveLength(2)
    line.up = true
    await vi.advanceTimersByTimeAsync(1)
    expect(tapped).toHaveLength(3)
    expect(refused).not.toHaveBeenCalled()
    expect(outbox.steps.list()).toEqual([])
    vi.useRealTimers()
  })

  it('connection returns but is not steady after a long outage -> tried again soon', async () => {
    vi.useFakeTimers()
    const { outbox, line, tapped, tap } = device()
    line.up = false
    await tap('arrive', 1)
    await vi.advanceTimersByTimeAsync(60_000)
    tapped.length = 0
    await outbox.steps.resume()
    line.up = true
    await vi.advanceTimersByTimeAsync(3_000)
    expect([tapped.length, outbox.steps.list()]).toEqual([2, []])
    vi.useRealTimers()
  })

  it('step refused -> later steps of the trip dropped, reason reported', async () => {
    const { outbox, line, heard, refused, tap } = device()
    line.up = false
    await tap('arrive', 1)
    await tap('start', 2)
    await tap('arrive', 3, 'other')
    line.failure = new ApiError('wrong_status', 409)
    refused.mockImplementationOnce(() => {
      line.up = true
    })
    await outbox.steps.flush()
    expect(refused).toHaveBeenCalledTimes(1)
    expect(heard).toEqual(['arrive'])
    expect(outbox.steps.list()).toEqual([])
    outbox.steps.stop()
  })

  describe('wrong code taken offline', () => {
    const wrong = new ApiError('wrong_otp', 422)
    /** Started with a wrong code offline and driven to the end; then the connection returns. */
    async function driven() {
      const driver = device()
      const { outbox, line, tap, drive } = driver
      line.up = false
      await tap('start', 1, 'b', '11111')
      await drive(2, 3)
      await tap('reach', 4)
      await drive(5)
      line.failure = wrong
      await outbox.steps.flush()
      line.up = true
      return driver
    }

    it('refused -> code requested again, later steps and positions kept', async () => {
      const { outbox, heard, refused, tapped, tap } = await driven()
      expect(refused).toHaveBeenCalledTimes(1)
      expect(outbox.steps.list().map(({ step, held }) => [step, held])).toEqual([
        ['start', true],
        ['reach', undefined],
      ])
      await outbox.steps.flush()
      await outbox.flushPositions()
      expect(heard).toEqual([])
      await tap('start', 60, 'b', '22222')
      await outbox.flushPositions()
      expect(heard).toEqual(['start', 2, 3, 'reach', 5])
      expect(tapped.at(-2)).toMatchObject({ step: 'start', otp: '22222', at: 1 })
      expect(tapped.at(-2)?.key).not.toBe(tapped[0]?.key)
      expect(outbox.steps.list()).toEqual([])
    })

    it('other trips -> not blocked; its own trip progresses -> forgotten', async () => {
      const { outbox, heard, tap } = await driven()
      await tap('arrive', 70, 'other')
      expect(heard.filter((one) => typeof one === 'string')).toEqual(['arrive'])
      outbox.steps.forgetHeld('other')
      expect(outbox.steps.list()).toHaveLength(2)
      outbox.steps.forgetHeld('b')
      expect(outbox.steps.list()).toEqual([])
    })

    it('refused while online -> entered again', async () => {
      const { outbox, line, tap } = device()
      line.up = false
      line.failure = wrong
      await tap('start', 1, 'b', '11111')
      expect(outbox.steps.list()).toEqual([])
    })

    it('no later steps -> kept too, after a while', async () => {
      const { outbox, line, tap } = device()
      line.up = false
      await tap('start', 1, 'b', '11111')
      now = 60_000
      line.failure = wrong
      await outbox.steps.flush()
      expect(outbox.steps.list()).toMatchObject([{ step: 'start', held: true }])
    })
  })

  describe('images of a stop', () => {
    const photo = { kind: 'photo', file: 'p' } as const
    const signature = { kind: 'signature', file: 's' } as const
    const deliver = { booking: 'b', step: 'deliver', stop: 1 } as const

    it('offline with a reload in between -> uploaded once, in order, before their step', async () => {
      const before = device()
      before.line.up = false
      await before.outbox.steps.add({ ...deliver, images: [photo, signature] })
      await before.outbox.steps.add({ booking: 'b', step: 'fail_drop', stop: 2, reason: 'refused' })
      before.outbox.steps.stop()
      const after = device(before.storage)
      expect(after.outbox.steps.list()[0]).toMatchObject({ images: [photo, signature] })
      await after.outbox.steps.flush()
      expect(after.heard).toEqual(['p', 's', 'deliver', 'fail_drop'])
      expect(after.forgotten).toEqual(['p', 's'])
    })

    it('response of the step lost -> the step repeated, its image not', async () => {
      const { outbox, heard, line, storage } = device()
      line.up = false
      await outbox.steps.add({ ...deliver, images: [photo] })
      outbox.steps.stop()
      line.up = true
      // The upload is answered, the step is not.
      const lossy = device(storage)
      const step = lossy.outbox.steps.list()[0]
      expect(step?.images?.[0]?.isSent).toBeUndefined()
      lossy.heard.push = function push(...items) {
        if (items[0] === 'deliver') lossy.line.answersLost = 1
        return Array.prototype.push.apply(this, items)
      }
      await lossy.outbox.steps.flush()
      lossy.outbox.steps.stop()
      const last = device(storage)
      await last.outbox.steps.flush()
      expect([...heard, ...lossy.heard, ...last.heard]).toEqual(['p', 'deliver', 'deliver'])
      expect(last.tapped.map(({ key }) => key)).toEqual(lossy.tapped.map(({ key }) => key))
    })

    it('code of a stop refused after the courier drove on -> held, replaced by the next report of that stop', async () => {
      const { outbox, heard, line, forgotten } = device()
      line.up = false
      await outbox.steps.add({ ...deliver, code: '1111', images: [photo] })
      await outbox.steps.add({ booking: 'b', step: 'deliver', stop: 2 })
      line.failure = new ApiError('wrong_otp', 422)
      await outbox.steps.flush()
      expect(outbox.steps.list().map(({ stop, held }) => [stop, held])).toEqual([
        [1, true],
        [2, undefined],
      ])
      line.up = true
      await outbox.steps.add({ booking: 'b', step: 'deliver', stop: 3 })
      expect(heard).toEqual([])
      await outbox.steps.add({ booking: 'b', step: 'fail_drop', stop: 1, reason: 'no_one_there' })
      expect(heard).toEqual(['fail_drop', 'deliver', 'deliver'])
      expect(forgotten).toEqual(['p'])
    })

    it('failed stop refused after the courier drove on -> the next report has its own time', async () => {
      const { outbox, line, tapped } = device()
      line.up = false
      const failed = { booking: 'b', step: 'fail_drop', stop: 1, reason: 'no_one_there' } as const
      await outbox.steps.add(failed)
      await outbox.steps.add({ booking: 'b', step: 'deliver', stop: 2 })
      line.failure = new ApiError('wait_at_stop', 409)
      await outbox.steps.flush()
      line.up = true
      now = 600_000
      await outbox.steps.add(failed)
      expect(tapped.filter(({ step }) => step === 'fail_drop').at(-1)?.at).toBe(now)
    })

    it('cash of the pickup refused after the courier drove on -> held with the stops that follow', async () => {
      const { outbox, heard, line } = device()
      line.up = false
      await outbox.steps.add({ booking: 'b', step: 'start', cash: 100 })
      await outbox.steps.add(deliver)
      line.failure = new ApiError('amount_changed', 409)
      await outbox.steps.flush()
      expect(outbox.steps.list().map(({ step, held }) => [step, held])).toEqual([
        ['start', true],
        ['deliver', undefined],
      ])
      line.up = true
      await outbox.steps.add({ booking: 'b', step: 'start', cash: 120 })
      expect(heard).toEqual(['start', 'deliver'])
    })

    it('code refused while online, as the last stop -> reported again, the end of the trip dropped', async () => {
      const { outbox, line, refused } = device()
      line.up = false
      line.failure = new ApiError('wrong_otp', 422)
      const sent = outbox.steps.add({ ...deliver, code: '1111' })
      await Promise.all([
        sent,
        outbox.steps.add({ booking: 'b', step: 'reach' }),
        outbox.steps.add({ booking: 'b', step: 'close' }),
      ])
      expect(outbox.steps.list()).toEqual([])
      expect(refused).toHaveBeenCalledTimes(1)
    })

    it('upload refused for good -> the step is not sent, the reason reported', async () => {
      const { outbox, line, tapped, refused } = device()
      line.up = false
      line.failure = new ApiError('wrong_status', 409)
      await outbox.steps.add({ ...deliver, images: [photo] })
      expect([tapped, outbox.steps.list()]).toEqual([[], []])
      expect(refused.mock.calls[0]?.[0]).toMatchObject({ key: 'wrong_status' })
    })
  })

  describe('two pages of one driver', () => {
    it('positions stored by the first -> the second sends them in order, and none remains', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = false
      await first.drive(1, 3)
      second.outbox.positions.add({ lat: 0, lng: 0, at: 2 })
      await second.outbox.flushPositions()
      expect([second.heard, first.storage.getItem(keptPositions)]).toEqual([[1, 2, 3], null])
    })

    it('first measures while the second sends -> stays stored', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = false
      await first.drive(1)
      const sent = second.outbox.flushPositions()
      await first.drive(2)
      await sent
      expect(second.heard).toEqual([1])
      const opened = device(first.storage)
      await opened.outbox.flushPositions()
      expect(opened.heard).toContain(2)
    })

    it('step of the first waits -> the second sends no position from after it, also before a step of its own', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = false
      await first.drive(1)
      await first.tap('start', 2)
      await first.drive(3, 4, 5)
      first.outbox.steps.stop()
      await second.drive(6)
      await second.tap('arrive', 7, 'other')
      expect(second.heard).toEqual([1, 'arrive'])
      first.line.up = true
      await first.outbox.steps.flush()
      await second.drive(8)
      expect([first.heard, second.heard.slice(2)]).toEqual([
        [1, 'start'],
        [3, 4, 5, 6, 8],
      ])
    })

    it('first is closed with a waiting step -> after a while the second sends it once, then what followed', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = false
      await first.drive(1)
      await first.tap('start', 2)
      await first.drive(3)
      first.outbox.steps.stop()
      now = 20_000
      await second.drive(4)
      expect(second.heard).toEqual([1])
      now = 33_000
      await second.drive(5)
      await second.outbox.steps.flush()
      await second.drive(6)
      expect([second.heard, second.tapped]).toEqual([
        [1, 'start', 3, 4, 5, 6],
        [expect.objectContaining({ key: 'key 1', at: 2 })],
      ])
    })

    it('first sends what the second has taken over -> the second drops it', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = second.line.up = false
      await first.tap('start', 2)
      now = 33_000
      await second.outbox.steps.flush()
      second.outbox.steps.stop()
      expect(second.outbox.steps.list()).toHaveLength(1)
      first.line.up = second.line.up = true
      await first.outbox.steps.flush()
      await second.outbox.steps.flush()
      expect([first.heard, second.heard, second.outbox.steps.list()]).toEqual([['start'], [], []])
    })

    it('second sends a step of its own -> that of the first stays stored', async () => {
      const first = device()
      const second = device(first.storage)
      first.line.up = false
      await first.tap('arrive', 1)
      await second.tap('start', 2, 'other')
      first.outbox.steps.stop()
      expect([second.heard, device(first.storage).outbox.steps.list()]).toEqual([
        ['start'],
        [expect.objectContaining({ step: 'arrive' })],
      ])
    })
  })

  it('another user on the device -> not visible, and removed', async () => {
    const mine = device()
    mine.line.up = false
    await mine.tap('arrive', 1)
    mine.outbox.steps.stop()
    expect(device(mine.storage).outbox.steps.list()).toHaveLength(1)
    expect(device(mine.storage, 'another user').outbox.steps.list()).toEqual([])
    expect(device(mine.storage).outbox.steps.list()).toEqual([])
  })

  it('invalid storage -> empty', () => {
    const storage = memory()
    for (const text of ['{nonsense', '[]', 'null', '{"uid":"d","items":1}']) {
      storage.setItem(keptSteps, text)
      expect(device(storage).outbox.steps.list()).toEqual([])
    }
  })
})
