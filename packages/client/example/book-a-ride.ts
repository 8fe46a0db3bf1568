// Books a ride on a running demo and follows it to its end: node --import tsx packages/client/example/book-a-ride.ts
import { createClient } from '@hansom/client/client'
import { WebSocket } from 'ws'

const client = createClient({ url: process.env.HANSOM_URL ?? 'http://127.0.0.1:8080', webSocket: WebSocket })
await client.signIn('rider@demo.test', 'demo2026')

const [pickup, drop] = await Promise.all(['Ejido 1275', 'Teatro Solís'].map(findPlace))
if (!pickup || !drop) throw new Error('place not found')
const { offers } = await client.api.bookings.offers({ pickup, drop })
const offer = offers.filter(({ nearby }) => nearby > 0).sort((a, b) => a.fare.trip_cost - b.fare.trip_cost)[0]
if (!offer) throw new Error('no car is near')
// Amounts are integers of 10^-4 of the currency unit.
console.log(`${offer.carType.name}, ${offer.fare.trip_cost / 10_000}, in ${offer.pickupS} s`)

const request = {
  pickup,
  drop,
  car_type_id: offer.carType.id,
  bookLater: false,
  payment_mode: 'cash',
  estimate: offer.fare.trip_cost,
} as const
const booked = await client.idempotent('book', request, client.api.bookings.create)
console.log(`booked ${booked.booking_id}`)

const ended = await client.followBooking(booked.id, ({ status, version, id }) => {
  console.log(`${new Date(client.clock.now()).toISOString()}  ${status}, version ${version}`)
  if (status === 'PAID')
    void client.idempotent('rate', { id, rating: 5 }, client.api.bookings.rate).catch(console.error)
})
console.log(`${ended.status}: ${ended.trip_cost / 10_000} paid in ${ended.payment_mode}`)
client.close()

async function findPlace(q: string) {
  const [found] = await client.api.places.search({ q, limit: 1 })
  if (!found) return undefined
  const { lat, lng } = await client.api.places.place({ id: found.id })
  return { lat, lng, add: found.label }
}
