import { beforeEach, expect, test } from 'vitest'
import { orpc } from './api.ts'
import { storeCarTypes } from './live-updates.ts'
import { queryClient } from './query-client.ts'
import { economy, fareOffer } from './test-data.fixture.ts'

const drawn = { distanceKm: 1, durationS: 60, polyline: '' }
const route = { pickup: { lat: 0, lng: 0 }, drop: { lat: 1, lng: 1 } }
const offers = orpc.bookings.offers.queryOptions({ input: route }).queryKey
const estimate = orpc.bookings.estimate.queryOptions({
  input: { ...route, car_type_id: economy.id },
}).queryKey
const isStale = () => [offers, estimate].map((key) => queryClient.getQueryState(key)?.isInvalidated)

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(offers, { route: drawn, offers: [] })
  queryClient.setQueryData(estimate, {
    estimateFare: 1,
    fare: fareOffer.fare,
    discount_amount: 0,
    payableAmount: 1,
    promo_name: null,
    delivery: null,
    route: drawn,
  })
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
