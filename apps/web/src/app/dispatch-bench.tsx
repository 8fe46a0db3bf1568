// The page of the benchmark `dispatch`: the dispatch screen over a live connection that only exists in the page. Not part
// of any product bundle.
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import type { DispatchBooking, DispatchState } from '@hansom/contract/dispatch'
import { packFleet } from '@hansom/contract/fleet-state'
import type { FleetCar } from '@hansom/contract/live'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { DispatchScreen } from '../features/dispatch/dispatch-screen.tsx'
import { queryClient } from '../lib/query-client.ts'
import { answerLive, startBenchPage } from './local-socket-bench.ts'

const driverCount = 2_000
const bookingCount = 500
/** As often as the server writes positions, ms. */
const moveMs = 2_000
/** A change of a booking, ms: a city of 500 open bookings has about two a second. */
const changeMs = 500
const center = { lat: -34.89, lng: -56.16 }

const near = (spread: number) => ({
  lat: center.lat + (Math.random() - 0.5) * spread,
  lng: center.lng + (Math.random() - 0.5) * spread,
})

const cars = Array.from(
  { length: driverCount },
  (_, index): FleetCar => ({
    ...near(0.15),
    uid: `driver-${index}`,
    name: `Driver number ${index}`,
    vehicleNumber: `S${index}`,
    carType: 'Economy',
    carImage: null,
    bearing: 0,
    queue: index < 300,
    at: Date.now(),
  }),
)

/** 150 search, 50 are scheduled, 150 have a driver on the way and 150 are driven. */
function bookingAt(index: number): DispatchBooking {
  const status = index < 200 ? 'NEW' : index < 350 ? 'ACCEPTED' : 'STARTED'
  const isLater = index >= 150 && index < 200
  const driver = status === 'NEW' ? null : `driver-${index - 200}`
  return {
    id: `booking-${index}`,
    version: 1,
    booking_id: `C${index}`,
    status,
    bookLater: isLater,
    bookingDate: Date.now() - (index % 7) * 60_000,
    tripdate: Date.now() + (isLater ? 7_200_000 : 0),
    car_type_id: 'economy',
    carType: 'Economy',
    customer_name: `Rider number ${index}`,
    pickup: { ...near(0.12), add: `Pickup street ${index}, Montevideo` },
    drop: { ...near(0.12), add: `Drop street ${index}, Montevideo` },
    drops: null,
    payment_mode: 'cash',
    note: null,
    driver,
    driver_name: driver,
    vehicle_number: driver === null ? null : `S${index}`,
    promised_arrival: driver === null ? null : Date.now() + 300_000,
    driver_arrive_time: null,
    asked:
      status === 'NEW' && !isLater
        ? Array.from({ length: 10 }, (_, at) => [
            `driver-${400 + ((index * 10 + at) % 1500)}`,
            Date.now() + 600_000,
          ])
        : [],
  }
}
const bookings = Array.from({ length: bookingCount }, (_, index) => bookingAt(index))
const board: DispatchState = { rules: { alarmAfter: 3, leadMinutes: 15 }, bookings, holds: [] }

const moves = () =>
  cars.map(({ uid }) => {
    const { lat, lng } = near(0.15)
    return [uid, lat, lng, 90, Date.now()]
  })
answerLive({
  fleet: {
    state: () => packFleet(cars),
    everyMs: moveMs,
    change: () => ({ moved: moves() }),
    isVolatile: true,
  },
  dispatch: {
    state: () => board,
    everyMs: changeMs,
    change: (seq) => ({ put: { ...bookingAt(seq % bookingCount), version: seq + 1 } }),
    isVolatile: false,
  },
})
startBenchPage(center)
const router = createRouter({ routeTree: createRootRoute({ component: DispatchScreen }) })
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
