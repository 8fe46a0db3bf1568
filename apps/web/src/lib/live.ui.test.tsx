import type { ServerFrame } from '@hansom/contract/live'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { initialTopics } from './initial-topics.ts'

/** A socket controlled by the test. */
const line: { onmessage?: (event: { data: string }) => void; readyState: number; sent: string[] } = {
  readyState: 1,
  sent: [],
}
vi.stubGlobal(
  'WebSocket',
  class {
    constructor() {
      return Object.assign(line, { send: (text: string) => line.sent.push(text), close: () => {} })
    }
  },
)
const { useLive } = await import('./live.ts')
const say = (...frames: ServerFrame[]) =>
  act(() => {
    for (const frame of frames) line.onmessage?.({ data: JSON.stringify(frame) })
  })

/** What a subscriber showed at each render. */
const seen: unknown[] = []
function Follower({ notes }: { notes: boolean }) {
  const { data } = useLive('office')
  if (notes) seen.push(data)
  return null
}

afterEach(cleanup)

const officeData = (waiting: number) => ({ waiting })
const topic = 'office'

it('useLive: another subscriber of a topic -> has the newest data immediately; after all have left -> none', () => {
  initialTopics.set(topic, officeData(1))
  const page = (first: boolean, second: string | null) => (
    <>
      {first ? <Follower notes={false} /> : null}
      {second ? <Follower key={second} notes /> : null}
    </>
  )
  const { rerender, unmount } = render(page(true, null))
  say({ t: 'hello', uid: null, now: 0, speed: 1, pingMs: 10_000 })
  say({ t: 'snap', topic, epoch: 'a', seq: 4, data: officeData(4) }, { t: 'live', topic, epoch: 'a', seq: 4 })
  say({ t: 'ev', topic, epoch: 'a', seq: 5, data: officeData(5) })
  rerender(page(true, 'second'))
  rerender(page(false, 'one that takes the place of both'))
  expect(seen.length).toBeGreaterThan(1)
  for (const data of seen) expect(data).toEqual(officeData(5))

  unmount()
  seen.length = 0
  render(<Follower notes />)
  for (const data of seen) expect(data).toBeUndefined()
})
