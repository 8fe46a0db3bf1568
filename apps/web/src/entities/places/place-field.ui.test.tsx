import type { Me } from '@hansom/contract/users'
import { mapServiceFacts } from '@hansom/domain/geo/map-services'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { PlaceField } from './place-field.tsx'

const found = (label: string) => ({ id: label, label, detail: 'City', kind: 'place', lat: 1, lng: 2 })
let asked: string[] = []
let sessions: string[] = []
let answers: Map<string, (places: unknown[]) => void>

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  sessions = []
  answers = new Map()
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const q = searchParams.get('q') ?? pathname
    asked.push(q)
    sessions.push(searchParams.get('session') ?? '')
    return new Promise((resolve) => {
      answers.set(q, (places) => resolve(new Response(JSON.stringify(places))))
    })
  })
  queryClient.clear()
  storeTestSettings()
  storeMe(null)
  startEnglish()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function field() {
  const onChange = vi.fn()
  const onHere = vi.fn()
  const onType = vi.fn()
  const onChosen = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <PlaceField
        which="pickup"
        point={null}
        near={{ lat: 0, lng: 0 }}
        onChange={onChange}
        onType={onType}
        onChosen={onChosen}
        onHere={onHere}
        onSetOnMap={() => undefined}
        locating={false}
      />
    </QueryClientProvider>,
  )
  const input = screen.getByRole('combobox')
  fireEvent.focus(input)
  const type = (value: string) => fireEvent.change(input, { target: { value } })
  const rest = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  return { input, type, rest, options, onChange, onHere, onType, onChosen }
}

it('focus on the empty field -> offers the current location and the map', () => {
  const { options, onHere, onChosen } = field()
  expect(options()).toEqual(['booking.current_location', 'booking.set_on_map'])
  fireEvent.click(screen.getAllByRole('option')[0] as HTMLElement)
  expect(onHere).toHaveBeenCalledOnce()
  expect(onChosen).toHaveBeenCalledOnce()
})

it('saved place with a name: empty focus or its name typed -> suggested by name, chosen as its address', async () => {
  storeMe({ uid: 'r', usertype: 'rider', version: 1 } as Me)
  queryClient.setQueryData(orpc.users.savedAddresses.queryKey(), [
    { id: '1', label: 'Work', description: 'Rivera 1234', lat: 1, lng: 2, count: 3 },
    { id: '2', label: null, description: 'Ejido 1275', lat: 3, lng: 4, count: 9 },
  ])
  const { type, options, onChange } = field()
  expect(options().slice(2)).toEqual(['WorkRivera 1234', 'Ejido 1275booking.saved'])
  type('wor')
  expect(options()).toEqual(['WorkRivera 1234'])
  fireEvent.click(screen.getByRole('option', { name: /Work/ }))
  expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Rivera 1234' })
  localStorage.clear()
})

it('typing rests for 200 ms -> searches', async () => {
  const { type, rest } = field()
  type('p')
  await rest(150)
  type('pl')
  await rest(150)
  expect(asked).toEqual([])
  await rest(60)
  expect(asked).toEqual(['pl'])
})

it('stale response -> dropped', async () => {
  const { type, rest, options } = field()
  type('pla')
  await rest(210)
  type('plaza')
  await rest(210)
  await act(async () => answers.get('plaza')?.([found('Plaza')]))
  await rest(10)
  expect(options()).toEqual(['PlazaCity'])
  await act(async () => answers.get('pla')?.([found('Playa')]))
  await rest(10)
  expect(options()).toEqual(['PlazaCity'])
})

it('option selected -> returns its address and remembers it', async () => {
  const { input, type, rest, onChange } = field()
  type('plaza')
  await rest(210)
  await act(async () => answers.get('plaza')?.([found('Plaza')]))
  await rest(10)
  fireEvent.keyDown(input, { key: 'ArrowDown' })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Plaza, City' })
  expect(localStorage.getItem('hansom-recent-places')).toContain('Plaza, City')
  localStorage.clear()
})

it('search offline -> says so, shows no earlier results', async () => {
  const { type, rest, options } = field()
  type('pla')
  await rest(210)
  await act(async () => answers.get('pla')?.([found('Playa')]))
  await rest(10)
  act(() => onlineManager.setOnline(false))
  type('plaza')
  await rest(210)
  expect(options()).toEqual([])
  expect(screen.getByText('booking.search_offline')).toBeTruthy()
  act(() => onlineManager.setOnline(true))
  await rest(10)
  await act(async () => answers.get('plaza')?.([found('Plaza')]))
  await rest(10)
  expect(options()).toEqual(['PlazaCity'])
})

it.each([
  ['address', 'booking.nearest_number'],
  ['street', 'booking.no_such_number'],
])(
  'missing house number -> noted at the suggested %s, which is chosen with its own address',
  async (kind, note) => {
    const { type, rest, options, onChange } = field()
    type('rivera 1234')
    await rest(210)
    await act(async () =>
      answers.get('rivera 1234')?.([{ ...found('Rivera 1179'), kind, missingNumber: 1234 }]),
    )
    await rest(10)
    expect(options()).toEqual([`Rivera 1179${note}City`])
    fireEvent.click(screen.getAllByRole('option')[0] as HTMLElement)
    expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Rivera 1179, City' })
    localStorage.clear()
  },
)

it('Enter after typing -> selects the first option once it is found, does not submit', async () => {
  const { input, type, rest, onChange } = field()
  type('plaza')
  expect(fireEvent.keyDown(input, { key: 'Enter' })).toBe(false)
  expect(onChange).not.toHaveBeenCalled()
  await rest(210)
  await act(async () => answers.get('plaza')?.([found('Plaza'), found('Plazoleta')]))
  await rest(10)
  expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Plaza, City' })
  localStorage.clear()
})

it('Enter, then more typing -> selects nothing until the next Enter', async () => {
  const { input, type, rest, onChange } = field()
  type('plaza')
  fireEvent.keyDown(input, { key: 'Enter' })
  type('plazol')
  await rest(210)
  await act(async () => answers.get('plazol')?.([found('Plazoleta')]))
  await rest(10)
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Plazoleta, City' })
  localStorage.clear()
})

const google = { service: 'google', ...mapServiceFacts.google } as const
const unplaced = { ...found('Plaza'), id: 'google:1', lat: undefined, lng: undefined, source: 'google' }

it('result without a position -> loaded with the session of its search, attributed, not remembered', async () => {
  storeTestSettings({ mapServices: [google] })
  const { input, type, rest, onChange, onChosen } = field()
  type('pla')
  await rest(210)
  await act(async () => answers.get('pla')?.([unplaced]))
  await rest(10)
  expect(screen.getByText('Google Maps')).toBeTruthy()
  fireEvent.click(screen.getByRole('option'))
  expect(onChange).not.toHaveBeenCalled()
  const path = '/api/v1/places/google%3A1'
  await rest(10)
  await act(async () => answers.get(path)?.({ ...found('Plaza 1'), source: 'google' } as never))
  await rest(10)
  expect(onChange).toHaveBeenLastCalledWith({ lat: 1, lng: 2, add: 'Plaza, City' })
  expect(onChosen).toHaveBeenCalledOnce()
  expect(localStorage.getItem('hansom-recent-places')).toBeNull()
  fireEvent.focus(input)
  type('riv')
  await rest(210)
  expect(asked).toEqual(['pla', path, 'riv'])
  expect(sessions[1]).toBe(sessions[0])
  expect(sessions[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(sessions[2]).not.toBe(sessions[0])
})

it.each([
  [true, ['pla', 'plaza']],
  [false, ['pla', 'plaza', 'pla']],
])('search repeated, terms allow to reuse results: %s -> searches %j', async (mayReuse, searches) => {
  storeTestSettings({ mapServices: [{ ...google, mayReuse }] })
  const { type, rest, options } = field()
  for (const query of ['pla', 'plaza', 'pla']) {
    type(query)
    await rest(210)
    await act(async () => answers.get(query)?.([found(query)]))
    await rest(10)
    expect(options()).toEqual([`${query}City`])
  }
  expect(asked).toEqual(searches)
})

it('typing while the position loads -> the late position is dropped, the search is a new session', async () => {
  const { input, type, rest, onChange } = field()
  type('pla')
  await rest(210)
  await act(async () => answers.get('pla')?.([unplaced]))
  await rest(10)
  fireEvent.click(screen.getByRole('option'))
  await rest(10)
  fireEvent.focus(input)
  type('plaza')
  await act(async () => answers.get('/api/v1/places/google%3A1')?.(found('Plaza') as never))
  await rest(210)
  expect(onChange).not.toHaveBeenCalled()
  // The request for the position has ended the first session.
  expect(asked).toEqual(['pla', '/api/v1/places/google%3A1', 'plaza'])
  expect(sessions[1]).toBe(sessions[0])
  expect(sessions[2]).not.toBe(sessions[0])
})

it('blur without a selection -> asks to choose a place', () => {
  const { input, type } = field()
  type('plaza')
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(input)
  expect(screen.getByRole('alert').textContent).toBe('booking.choose_place')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  type('')
  fireEvent.blur(input)
  expect(screen.queryByRole('alert')).toBeNull()
})
