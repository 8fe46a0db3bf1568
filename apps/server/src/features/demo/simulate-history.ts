import { eq, isNull } from 'drizzle-orm'
import type { Maps } from '../../adapters/maps/port.ts'
import { type Images, type Storage, storedPath } from '../../adapters/storage/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { promosTable } from '../promos/table.ts'
import { readSettings } from '../settings/service.ts'
import { type UserRow, usersTable } from '../users/table.ts'
import { drawChatPhoto } from './chat-photo.ts'
import { planHistory } from './history-plan.ts'
import { pastChats } from './past-chats.ts'
import { type CarType, PastCity, type Simulation } from './past-city.ts'
import { PastMoney } from './past-money.ts'
import { planRoutes } from './past-routes.ts'
import { demoPrices } from './prices.ts'
import { canSignIn, demoAccounts } from './seed-users.ts'
import { writeHistory } from './write-history.ts'

export interface HistoryDeps {
  maps: Maps
  ownMaps?: Maps
  storage: Pick<Storage, 'put'>
  images: Images
  cardAvailable(currency: string): boolean
}

const routeCount = 400

/**
 * Makes the demo's last 90 days in the transaction that creates its people: a few thousand trips, wallet movements and
 * conversations.
 * They are simulated in memory and then written together, so a start that is killed leaves nothing behind; no
 * notification or live event is sent.
 */
export async function simulateHistory(
  { maps, ownMaps = maps, storage, images, cardAvailable }: HistoryDeps,
  tx: Transaction,
  now: number,
): Promise<void> {
  const people = await tx.db.select().from(usersTable).where(eq(usersTable.demo, true))
  const inOrder = (usertype: UserRow['usertype'], first: string) =>
    people
      .filter((user) => user.usertype === usertype)
      .sort(
        (one, other) =>
          Number(other.email === first) - Number(one.email === first) ||
          one.createdAt - other.createdAt ||
          (one.email ?? '').localeCompare(other.email ?? ''),
      )
  const riders = inOrder('rider', demoAccounts.rider)
  const drivers = inOrder('driver', demoAccounts.driver)
  const admin = people.find(({ email }) => email === demoAccounts.admin)
  if (admin === undefined) throw new Error('the demo has no admin')
  const current = await readSettings(tx.db)
  // Past couriers took no photos.
  const settings = {
    ...current,
    AllowDeliveryPickupImageCapture: false,
    AllowFinalDeliveryImageCapture: false,
  }
  const carTypes = await tx.client.query<CarType>('select * from car_type_facts where not is_archived')
  const [routes, photo] = await Promise.all([
    planRoutes(maps, ownMaps, routeCount, settings.category),
    images.prepare(drawChatPhoto()),
  ])
  const byCard = cardAvailable(settings.code)
  const pesos = demoPrices(settings.code)
  const city = new PastCity({
    settings,
    pesos,
    now,
    riders,
    drivers,
    admin: admin.id,
    carTypes: new Map(carTypes.rows.map((row) => [row.id, row])),
    promos: await tx.db.select().from(promosTable).where(isNull(promosTable.archived_at)),
    routes,
    cardAvailable: byCard,
  })
  const money = new PastMoney(city)
  const trips = planHistory({
    now,
    timezone: settings.timezone,
    riders: riders.map(({ createdAt }) => createdAt),
    drivers: drivers.length,
    routes: routes.length,
    byCard,
  })
  const courses: { at: number; course: Simulation }[] = trips.map((plan) => ({
    at: plan.at,
    course: city.trip(plan, (booking) => money.refund(booking)),
  }))
  for (const rider of riders) {
    const [given, share] = canSignIn(rider) ? [pesos(2_000), 0.8] : [0, 0.3]
    courses.push({ at: rider.createdAt, course: money.topUpWallet(rider, given, byCard ? share : 0) })
  }
  drivers.forEach((driver, index) => {
    courses.push({
      at: driver.createdAt,
      course: money.withdrawEarnings(driver, `00${1_482_900 + index * 37}`),
    })
  })
  city.run(courses)
  const chats = pastChats(city)
  await writeHistory(tx, city, money, chats)
  for (const { booking, upload } of chats.photos) {
    await storage.put(storedPath.chatPhoto(booking, upload), photo.bytes, photo.contentType)
  }
}
