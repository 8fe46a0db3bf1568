import type { Me } from '@hansom/contract/users'
import { beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { recentPlaces, rememberPlace } from './recent-places.ts'

const place = (add: string) => ({ lat: 0, lng: 0, add })
const shown = () => recentPlaces().map(({ add }) => add)
const signedIn = (uid: string | null) => storeMe(uid === null ? null : ({ uid, version: 1 } as Me))

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})

it('keeps the five places chosen last, each once', () => {
  for (const add of ['A', 'B', 'C', 'A', 'D', 'E', 'F']) rememberPlace(place(add))
  expect(shown()).toEqual(['F', 'E', 'D', 'A', 'C'])
})

it('goes with whoever signs in, and is told to nobody who comes after', () => {
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

it.each(['{', '[{"lat":0,"lng":0,"add":"A"}]', '{"uid":null}', '7'])('takes %s for nothing', (text) => {
  localStorage.setItem('hansom-recent-places', text)
  expect(shown()).toEqual([])
  rememberPlace(place('A'))
  expect(shown()).toEqual(['A'])
})
