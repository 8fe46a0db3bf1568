import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useReducer } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Draft, emptyDraft } from '../../../entities/bookings/booking-draft.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { changeDraft } from './draft.ts'
import MoreDrops from './more-drops.tsx'
import { changeDrops, draftDrops, emptyParcel } from './parcel-draft.ts'

const place = (add: string) => ({ lat: 1, lng: 1, add })
let draft: Draft

beforeEach(() => {
  storeMe(null)
  storeTestSettings({ category: 'delivery' })
  startEnglish({
    'delivery.stop': 'Stop {{number}}',
    'parcelForm.move_up': 'Up {{number}}',
    'parcelForm.remove': 'Remove {{number}}',
  })
})
afterEach(cleanup)

/** Drops A, B and C for Ann, Ben and Cid. */
function threeDrops(): Draft {
  const start: Draft = { ...emptyDraft, drop: place('A'), parcel: emptyParcel }
  const added = ['B', 'C'].reduce<Draft>((before, add, index) => {
    const more = { ...before, ...changeDrops.add(before) }
    return { ...more, ...changeDrops.place(more, index + 1, place(add)) }
  }, start)
  const parcel = added.parcel ?? emptyParcel
  const drops = parcel.drops.map((drop, index) => ({
    ...drop,
    deliveryPerson: ['Ann', 'Ben', 'Cid'][index] ?? '',
  }))
  return { ...added, parcel: { ...parcel, drops } }
}

function Form({ start }: { start: Draft }) {
  const [now, change] = useReducer(changeDraft, start)
  useEffect(() => {
    draft = now
  }, [now])
  return <MoreDrops booking={{ draft: now, change }} />
}
const show = (start = threeDrops()) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Form start={start} />
    </QueryClientProvider>,
  )
const drops = () => draftDrops(draft).map(({ point, deliveryPerson }) => [point?.add ?? null, deliveryPerson])
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('move up -> place and recipient change places, also with the first drop', () => {
  show()
  press('Up 3')
  expect(drops()).toEqual([
    ['A', 'Ann'],
    ['C', 'Cid'],
    ['B', 'Ben'],
  ])
  press('Up 2')
  expect(drops()).toEqual([
    ['C', 'Cid'],
    ['A', 'Ann'],
    ['B', 'Ben'],
  ])
  expect(draft.drop?.add).toBe('C')
})

it('Alt with an arrow key -> moves the stop with its focus; not beyond the ends', async () => {
  show()
  const second = screen.getByRole('combobox', { name: 'Stop 2' })
  act(() => second.focus())
  fireEvent.keyDown(second, { key: 'ArrowDown', altKey: true })
  expect(drops().map(([add]) => add)).toEqual(['A', 'C', 'B'])
  const third = screen.getByRole('combobox', { name: 'Stop 3' })
  await expect.poll(() => document.activeElement).toBe(third)
  fireEvent.keyDown(third, { key: 'ArrowDown', altKey: true })
  fireEvent.keyDown(third, { key: 'ArrowDown' })
  expect(drops().map(([add]) => add)).toEqual(['A', 'C', 'B'])
})

it('remove, add -> the others stay; the new stop is empty and has the focus', async () => {
  show()
  press('Remove 2')
  expect(drops()).toEqual([
    ['A', 'Ann'],
    ['C', 'Cid'],
  ])
  press('parcelForm.add_stop')
  expect(drops().at(-1)).toEqual([null, ''])
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('combobox', { name: 'Stop 3' }))
})

it('20 stops -> no more can be added', () => {
  const full = Array.from({ length: 17 }).reduce<Draft>(
    (before) => ({ ...before, ...changeDrops.add(before) }),
    threeDrops(),
  )
  show(full)
  expect(screen.getAllByRole('combobox')).toHaveLength(19)
  expect(screen.queryByRole('button', { name: 'parcelForm.add_stop' })).toBeNull()
})

it('best order -> stored in the draft', () => {
  show()
  fireEvent.click(screen.getByRole('switch', { name: 'parcelForm.best_order' }))
  expect(draft.parcel?.order).toBe('best')
})
