import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { changeInstructions, maxInstructionChanges } from './recipients.ts'

let city: TestCity
let admin: Actor
beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
  admin = await city.addAdmin()
})
afterAll(() => city.close())

async function started(deliveryInstructions = 'Ring twice') {
  const rider = await city.addRider({ wallet_balance: 10_000 * unit })
  const driver = await city.addDriver()
  const instructionData = {
    deliveryPerson: 'Ada',
    deliveryPersonPhone: '099 111 222',
    deliveryInstructions,
  }
  const { booking } = await city.bookings.create(
    rider,
    city.request({ payment_mode: 'wallet', instructionData }),
    null,
  )
  await expect.poll(async () => (await city.bookings.read(booking.id))?.booking.status).toBe('NEW')
  await city.ask(booking.id, [driver])
  const { commands } = city.bookings
  const order = () => city.order(driver, booking.id)
  await commands.accept(order())
  await commands.arrive(order())
  await commands.start(order())
  return { id: booking.id, rider, driver, commands, order }
}
const stopOf = async (viewer: Actor, id: string) =>
  (await city.bookings.view(viewer, await city.bookings.get(viewer, id))).delivery?.stops[1]

test("changed twice -> the sender's text stays beside the recipient's, each change is in the history", async () => {
  const { id, rider, driver } = await started()
  await changeInstructions(city, id, 1, 'Side door')
  await changeInstructions(city, id, 1, 'Leave it with Ben')
  for (const viewer of [rider, driver, admin]) {
    expect(await stopOf(viewer, id)).toMatchObject({
      instructions: 'Leave it with Ben',
      sender_instructions: 'Ring twice',
    })
  }
  const history = await city.bookings.events(admin, id)
  const added = history.filter(({ command }) => command === 'add_instructions')
  const row = { actor: 'recipient', name: null, changes: [{ field: 'instructions', from: null, to: 1 }] }
  expect(added).toMatchObject([row, row])
  expect(JSON.stringify(history)).not.toContain('Side door')
})

test("sender wrote nothing, recipient writes twice -> none of it counts as the sender's", async () => {
  const { id, driver } = await started('')
  await changeInstructions(city, id, 1, 'Side door')
  await changeInstructions(city, id, 1, 'Leave it with Ben')
  expect(await stopOf(driver, id)).toMatchObject({
    instructions: 'Leave it with Ben',
    sender_instructions: '',
  })
})

test('more changes than a stop may have -> too_many_changes, the last text stays', async () => {
  const { id, driver } = await started()
  for (let n = 1; n <= maxInstructionChanges; n += 1) await changeInstructions(city, id, 1, `Door ${n}`)
  await expect(changeInstructions(city, id, 1, 'Door 0')).rejects.toMatchObject({ key: 'too_many_changes' })
  expect((await stopOf(driver, id))?.instructions).toBe(`Door ${maxInstructionChanges}`)
})

test('the same text -> no new version', async () => {
  const { id } = await started()
  const version = async () => (await city.bookings.read(id))?.booking.version
  const before = await version()
  await changeInstructions(city, id, 1, 'Ring twice')
  expect(await version()).toBe(before)
})

test('stop with an outcome, or a delivery that has ended -> too_late', async () => {
  const delivered = await started()
  await delivered.commands.deliver(delivered.order(), { stop: 1, name: 'Ada' })
  const ended = await started()
  await ended.commands.reach(city.order(admin, ended.id), { reason: 'Courier disappeared' })
  for (const { id } of [delivered, ended]) {
    await expect(changeInstructions(city, id, 1, 'Side door')).rejects.toMatchObject({ key: 'too_late' })
  }
  expect((await stopOf(admin, ended.id))?.instructions).toBe('Ring twice')
})
