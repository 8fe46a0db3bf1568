import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { FlushScheduler, FrameQueue, textFrame } from './frame-queue.ts'

const limit = 10_000

/** The number of frames that a client who reads nothing gets until it is cut off; 1,000: never. */
function framesUntilCutOff(add: (queue: FrameQueue) => void): number {
  const silent = new Duplex({ read() {}, write() {}, writev() {} })
  let isCutOff = false
  const queue = new FrameQueue(silent, new FlushScheduler(), {
    bytes: limit,
    whenFull: () => {
      isCutOff = true
    },
  })
  let count = 0
  for (; !isCutOff && count < 1_000; count++) add(queue)
  // The one that was refused.
  return count - 1
}

const small = textFrame('1')
const large = textFrame('x'.repeat(4_000))
/** Memory that Node needs for a frame that waits, besides its text, bytes. */
const cost = 256
/** The first one may have any size. */
const expected = ({ length }: Buffer) => Math.floor((limit + length) / (length + cost)) + 1

it.each([
  ['small', small],
  ['large', large],
])('%s frame that many clients share -> counts as a whole for each that does not read it', (_size, frame) => {
  expect(framesUntilCutOff((queue) => queue.push(frame))).toBe(expected(frame))
  expect(framesUntilCutOff((queue) => queue.pushAll([frame]))).toBe(expected(frame))
  const flushed = (queue: FrameQueue) => {
    queue.push(frame)
    queue.flush()
  }
  expect(framesUntilCutOff(flushed)).toBe(expected(frame))
})
