import type { CarType } from '@hansom/contract/car-types'
import { beforeEach, expect, test } from 'vitest'
import { orpc } from './api.ts'
import { storeCarTypes } from './catalogue.ts'
import { queryClient } from './query-client.ts'

const economy: CarType = {
  id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f',
  name: 'Economy',
  image: null,
  base_fare: 1,
  rate_per_unit_distance: 1,
  rate_per_hour: 1,
  min_fare: 1,
  convenience_fees: 1,
  convenience_fee_type: 'flat',
  extra_info: '',
  seats: 4,
  cancelSlab: [],
}
const route = { pickup: { lat: 0, lng: 0 }, drop: { lat: 1, lng: 1 } }
const offers = orpc.bookings.offers.queryOptions({ input: route }).queryKey
const estimate = orpc.bookings.estimate.queryOptions({
  input: { ...route, car_type_id: economy.id },
}).queryKey
const isStale = () => [offers, estimate].map((key) => queryClient.getQueryState(key)?.isInvalidated)

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(offers, { offers: [] } as never)
  queryClient.setQueryData(estimate, {} as never)
})

test('storeCarTypes: rates changed -> shown fares are refetched', () => {
  storeCarTypes([economy])
  expect(isStale()).toEqual([false, false])
  storeCarTypes([{ ...economy, base_fare: 2 }])
  expect(isStale()).toEqual([true, true])
  expect(queryClient.getQueryData(orpc.carTypes.list.queryOptions().queryKey)).toMatchObject([
    { base_fare: 2 },
  ])
})

test('storeCarTypes: same list after a reconnect -> nothing is refetched', () => {
  storeCarTypes([economy])
  storeCarTypes([{ ...economy }])
  expect(isStale()).toEqual([false, false])
})
