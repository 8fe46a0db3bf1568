import { expect, test } from 'vitest'
import { readLimited } from './read-limited.ts'

/** An endless response that counts the bytes read from it. */
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

test('readLimited: within the limit -> complete text, even with characters split between chunks', async () => {
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

test('readLimited: endless response -> null at the limit, connection closed', async () => {
  const { response, taken, isEnded } = endless()
  expect(await readLimited(response, 10_000)).toBe(null)
  expect(taken()).toBeLessThanOrEqual(13_000)
  expect(isEnded()).toBe(true)
})
