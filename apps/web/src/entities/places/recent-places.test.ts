import type { Me } from '@hansom/contract/users'
import { beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { recentPlaces, rememberPlace } from './use-place-options.tsx'

const place = (add: string) => ({ lat: 0, lng: 0, add })
const shown = () => recentPlaces().map(({ add }) => add)
const signedIn = (uid: string | null) => storeMe(uid === null ? null : ({ uid, version: 1 } as Me))

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})

it('more than five places -> keeps the last five, without duplicates', () => {
  for (const add of ['A', 'B', 'C', 'A', 'D', 'E', 'F']) rememberPlace(place(add))
  expect(shown()).toEqual(['F', 'E', 'D', 'A', 'C'])
})

it('user signs in -> takes them over; the next user -> does not see them', () => {
  rememberPlace(place('School'))
  signedIn('ana')
  expect(shown()).toEqual(['School'])
  rememberPlace(place('Home'))
  signedIn(null)
  expect(shown()).toEqual([])
  expect(JSON.stringify(localStorage)).not.toContain('Home')
  signedIn('ana')
  rememberPlace(place('Home'))
  signedIn('bea')
  expect(shown()).toEqual([])
})

it.each(['{', '[{"lat":0,"lng":0,"add":"A"}]', '{"uid":null}', '7'])(
  'invalid storage %s -> empty',
  (text) => {
    localStorage.setItem('hansom-recent-places', text)
    expect(shown()).toEqual([])
    rememberPlace(place('A'))
    expect(shown()).toEqual(['A'])
  },
)
