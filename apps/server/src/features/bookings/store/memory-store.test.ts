import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { centre } from '../straight-city.fixture.ts'
import { bookingStoreSuite } from './booking-store.suite.ts'
import { MemoryStore } from './memory-store.fixture.ts'

bookingStoreSuite('in memory', async () => {
  const store = new MemoryStore()
  let count = 0
  store.addCarType('economy')
  return {
    store,
    carType: 'economy',
    async add(usertype, walletBalance = 0): Promise<Actor> {
      const id = `${usertype}-${count++}`
      const car = usertype === 'driver' ? { carType: 'economy', location: centre } : {}
      store.addUser(id, usertype, { walletBalance, ...car })
      return { id, role: usertype, approved: true }
    },
    async addPromo() {
      const id = `PROMO${count++}`
      store.now.promos.set(id, {
        id,
        promo_name: id,
        promo_discount_type: 'flat',
        promo_discount_value: 10 * unit,
        max_promo_discount_value: 0,
        min_order: 0,
        promo_validity: Number.MAX_SAFE_INTEGER,
        promo_usage_limit: 1,
        user_avail: 0,
      })
      return id
    },
    history: async (booking) =>
      [...store.now.events]
        .filter(([key]) => key.startsWith(`${booking} `))
        .map(([, { command, to }]) => `${command} ${to}`),
    balance: async (user) => store.now.users.get(user)?.walletBalance ?? 0,
    close: async () => {},
  }
})
