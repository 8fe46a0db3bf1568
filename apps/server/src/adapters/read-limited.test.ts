import { expect, test } from 'vitest'
import { readLimited } from './read-limited.ts'

/** An answer without an end, which counts what was taken of it. */
function endless(): { response: Response; taken: () => number; isEnded: () => boolean } {
  let taken = 0
  let ended = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 1_000
      controller.enqueue(new Uint8Array(1_000))
    },
    cancel: () => {
      ended = true
    },
  })
  return { response: new Response(body), taken: () => taken, isEnded: () => ended }
}

test('an answer within the limit: all of it, letters that are cut between parts too', async () => {
  const bytes = new TextEncoder().encode('où ça: 上海')
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  expect(await readLimited(new Response(body), bytes.length)).toBe('où ça: 上海')
  expect(await readLimited(new Response(null), 1)).toBe('')
})

test('an endless answer: is left at the limit, and its connection ended', async () => {
  const { response, taken, isEnded } = endless()
  expect(await readLimited(response, 10_000)).toBe(null)
  expect(taken()).toBeLessThanOrEqual(13_000)
  expect(isEnded()).toBe(true)
})
