// The page of the benchmark `dispatch`: the dispatch screen over a live connection that only exists in the page. Not part
// of any product bundle.
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import type { DispatchBooking, DispatchState } from '@hansom/contract/dispatch'
import { packFleet } from '@hansom/contract/fleet-state'
import type { ClientFrame, FleetCar, ServerFrame } from '@hansom/contract/live'
import type { PublicSettings } from '@hansom/contract/settings'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { DispatchScreen } from '../features/dispatch/dispatch-screen.tsx'
import { startLanguage } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeSettings } from '../lib/settings.ts'

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

/** A WebSocket whose server is the page: it sends the board, the fleet, and changes of both. */
class LocalSocket {
  readyState = 1
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  private readonly seq = new Map<string, number>()

  constructor() {
    setTimeout(() => this.say({ t: 'hello', uid: 'admin', now: Date.now(), speed: 1, pingMs: 60_000 }))
  }

  send(text: string): void {
    const frame = JSON.parse(text) as ClientFrame
    if (frame.t !== 'sub') return
    const { topic } = frame
    const isKnown = this.seq.has(topic)
    const seq = this.seq.get(topic) ?? 0
    this.seq.set(topic, seq)
    if (topic !== 'dispatch' && topic !== 'fleet') return this.say({ t: 'err', topic, error: 'not_found' })
    const data = topic === 'dispatch' ? board : packFleet(cars)
    this.say({ t: 'snap', topic, epoch: 'e', seq, data })
    this.say({ t: 'live', topic, epoch: 'e', seq })
    if (isKnown) return
    if (topic === 'fleet') setInterval(() => this.move(), moveMs)
    else setInterval(() => this.change(), changeMs)
  }

  close(): void {
    this.readyState = 3
  }

  private move(): void {
    const moved = cars.map(({ uid }) => {
      const { lat, lng } = near(0.15)
      return [uid, lat, lng, 90, Date.now()]
    })
    this.say({ t: 'vol', topic: 'fleet', data: { moved } })
  }

  private change(): void {
    const seq = (this.seq.get('dispatch') ?? 0) + 1
    this.seq.set('dispatch', seq)
    const put = { ...bookingAt(seq % bookingCount), version: seq + 1 }
    this.say({ t: 'ev', topic: 'dispatch', epoch: 'e', seq, data: { put } })
  }

  private say(frame: ServerFrame): void {
    const data = JSON.stringify(frame)
    // A task of its own, as a real frame is; its text is not the screen's work.
    setTimeout(() => this.onmessage?.({ data }))
  }
}
Object.assign(window, { WebSocket: LocalSocket })

const language = {
  langName: 'English',
  langLocale: 'en',
  dateLocale: 'en-GB',
  default: true,
  direction: 'ltr' as const,
  keyValuePairs: {},
}
startLanguage(language, [])
const delta = 0.12
const region = {
  name: 'City',
  center,
  bounds: [center.lng - delta, center.lat - delta, center.lng + delta, center.lat + delta],
  attribution: '',
}
storeSettings({ ...defaultSettings, region, version: 1 } as unknown as PublicSettings)
const router = createRouter({ routeTree: createRootRoute({ component: DispatchScreen }) })
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
