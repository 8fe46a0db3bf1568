import type { Actor } from '@hansom/domain/access/relation'
import { cityTime } from '@hansom/domain/time/city-time'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { along, createSafetyScene } from './safety.fixture.ts'

let scene: Awaited<ReturnType<typeof createSafetyScene>>
beforeAll(async () => {
  scene = await createSafetyScene()
})
afterAll(() => scene.city.close())
beforeEach(async () => {
  scene.setMailWorks(true)
  scene.limits.mails.total = scene.limits.texts.total = 1_000
  await scene.city.outbox.idle()
  await scene.runJobs()
  scene.sent.length = 0
})

const person = { first_name: 'Rita', last_name: 'Rider' }
const maria = { name: 'Maria', mobile: '', email: 'maria@x.test', share_always: false, on_help: false }
const omar = { ...maria, name: 'Omar', mobile: '099 123 456', email: '' }

const add = async (actor: Actor, ...contacts: (typeof maria)[]) => {
  for (const contact of contacts) await scene.contacts.addContact(actor.id, contact)
  return scene.contacts.contacts(actor.id)
}
const sentTo = () => scene.sent.map(({ channel, to }) => `${channel} ${to}`)
const noMail = { message: 'the mail server does not answer' }
const linkOf = (message: (typeof scene.sent)[number] | undefined) => message?.params.link ?? ''

test('contacts: written numbers are stored in full; none to reach, bad numbers and a fourth -> refused', async () => {
  const rider = await scene.city.addRider()
  expect(await add(rider, omar)).toMatchObject([
    { name: 'Omar', mobile: '+59899123456', email: null, refused: false },
  ])
  const refused = (changes: object) =>
    expect(scene.contacts.addContact(rider.id, { ...omar, ...changes })).rejects
  await refused({ mobile: '' }).toMatchObject({ key: 'invalid_input' })
  await refused({ mobile: '12' }).toMatchObject({ key: 'mobile_no_blank_error' })
  const results = await Promise.allSettled([1, 2, 3].map(() => scene.contacts.addContact(rider.id, maria)))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const other = await scene.city.addRider()
  const [first] = await scene.contacts.contacts(rider.id)
  await expect(scene.contacts.removeContact(other.id, first?.id ?? '')).rejects.toMatchObject({
    key: 'not_found',
  })
})

test('share -> each contact gets one link that shows the trip, by mail or text; a job that repeats sends nothing', async () => {
  const { rider, id } = await scene.started(person)
  await add(rider, maria, omar)
  expect(await scene.safety.share(rider, id, 'one press')).toEqual(['Maria', 'Omar'])
  expect(await scene.safety.share(rider, id, 'one press')).toEqual(['Maria', 'Omar'])
  await scene.runJobs(2)
  expect(sentTo()).toEqual(['sms +59899123456', 'mail maria@x.test'])
  const [text, mail] = scene.sent
  expect(mail?.subject).toBe('Rita Rider is sharing a trip with you')
  expect(mail?.unsubscribe).toBe(`https://x.test/refuse/${rider.id}/${scene.contacts.digest('maria@x.test')}`)
  expect(text?.text).toContain('Rita Rider')
  expect(text?.text).toContain(linkOf(text))
  expect(linkOf(mail)).toMatch(/^https:\/\/x\.test\/track\/[\w-]{22}$/)
  expect(linkOf(mail)).toBe(linkOf(text))
  expect(await scene.tripLinks.count(rider, id)).toBe(1)
})

test('share, mail fails 12 times -> one link, the text once, and the mail once it works', async () => {
  const { rider, id } = await scene.started()
  await add(rider, maria, omar)
  await scene.safety.share(rider, id, null)
  scene.setMailWorks(false)
  await expect(scene.runJobs(12)).rejects.toMatchObject(noMail)
  expect(sentTo()).toEqual(['sms +59899123456'])
  expect(await scene.tripLinks.count(rider, id)).toBe(1)
  scene.setMailWorks(true)
  await scene.runJobs()
  expect(sentTo()).toEqual(['sms +59899123456', 'mail maria@x.test'])
  expect(linkOf(scene.sent[1])).toBe(linkOf(scene.sent[0]))
  expect(await scene.tripLinks.count(rider, id)).toBe(1)
})

test('share, the trip has its most links -> the contact gets one; stopped before a retry -> no other one', async () => {
  const { rider, id } = await scene.started()
  await add(rider, maria)
  for (let link = 0; link < 10; link++) await scene.tripLinks.create(rider, id)
  await scene.safety.share(rider, id, null)
  await scene.runJobs()
  expect(linkOf(scene.sent[0])).toContain('/track/')
  await scene.clock.advance(20_000)
  await scene.safety.share(rider, id, null)
  scene.setMailWorks(false)
  await expect(scene.runJobs()).rejects.toMatchObject(noMail)
  await scene.tripLinks.revoke(rider, id)
  scene.setMailWorks(true)
  await scene.runJobs()
  expect(scene.sent).toHaveLength(1)
  expect(await scene.tripLinks.count(rider, id)).toBe(0)
})

test('share: pressed again at once, by others, without contacts, after the end -> refused', async () => {
  const { rider, driver, id } = await scene.started()
  const share = (actor: Actor) => scene.safety.share(actor, id, null)
  await expect(share(rider)).rejects.toMatchObject({ key: 'conflict' })
  await add(rider, maria)
  await add(driver, maria)
  await expect(share(driver)).rejects.toMatchObject({ key: 'not_found' })
  const both = await Promise.allSettled([share(rider), share(rider)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  for (let press = 2; press <= 5; press++) {
    await scene.clock.advance(20_000)
    await share(rider)
  }
  await scene.clock.advance(20_000)
  await expect(share(rider)).rejects.toMatchObject({ key: 'too_many_requests' })
  await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
  await expect(share(rider)).rejects.toMatchObject({ key: 'link_expired' })
})

test('trip starts -> only contacts with "always" get the link, once', async () => {
  const { rider, driver, id } = await scene.accepted()
  await add(rider, maria, { ...omar, share_always: true })
  await scene.city.bookings.commands.arrive(scene.city.order(driver, id))
  await scene.city.bookings.commands.start(scene.city.order(driver, id), {})
  await scene.city.outbox.idle()
  await scene.runJobs(2)
  expect(sentTo()).toEqual(['sms +59899123456'])
})

test('panic -> contacts who chose it get the link by both channels, once per person; others nothing', async () => {
  const { rider, driver, id } = await scene.started(person)
  await add(rider, maria, { ...omar, email: 'omar@x.test', on_help: true })
  await add(driver, { ...maria, name: 'Dina', email: 'dina@x.test', on_help: true })
  await scene.safety.panic(rider, id, along(0.4), null)
  await scene.clock.advance(10_000)
  await scene.safety.panic(rider, id, along(0.4), null)
  expect(scene.waitingJobs().filter((name) => name === 'safety.inform-of-help')).toHaveLength(1)
  await scene.runJobs(2)
  expect(sentTo()).toEqual(['sms +59899123456', 'mail omar@x.test'])
  expect(scene.sent[1]?.subject).toBe('Rita Rider has called for help')
  expect(linkOf(scene.sent[0])).toContain('/track/')
  scene.sent.length = 0
  await scene.safety.panic(driver, id, along(0.5), null)
  await scene.runJobs()
  expect(sentTo()).toEqual(['mail dina@x.test'])
  // The driver's contacts do not learn where the rider goes.
  expect(linkOf(scene.sent[0])).toMatch(/^https:\/\/osm\.org\/\?mlat=-?\d/)
})

test('panic, mail fails -> all texts are sent; the retry sends only the mails, with the same link', async () => {
  const { rider, id } = await scene.started()
  await add(
    rider,
    { ...maria, on_help: true },
    { ...omar, email: 'omar@x.test', on_help: true },
    { ...omar, mobile: '099 123 457', on_help: true },
  )
  await scene.safety.panic(rider, id, along(0.4), null)
  scene.setMailWorks(false)
  await expect(scene.runJobs(12)).rejects.toMatchObject(noMail)
  expect(sentTo()).toEqual(['sms +59899123456', 'sms +59899123457'])
  const [text] = scene.sent
  scene.sent.length = 0
  scene.setMailWorks(true)
  await scene.runJobs()
  expect(sentTo()).toEqual(['mail maria@x.test', 'mail omar@x.test'])
  expect(scene.sent.map(linkOf)).toEqual([linkOf(text), linkOf(text)])
  expect(await scene.tripLinks.count(rider, id)).toBe(1)
})

test('panic and the end of the trip -> contacts get the position instead of a dead link', async () => {
  const { rider, driver, id } = await scene.started(person)
  await add(rider, { ...maria, on_help: true })
  await scene.safety.panic(rider, id, along(0.4), null)
  await scene.clock.advance(40_000)
  await scene.city.bookings.commands.reach(scene.city.order(driver, id), {})
  await scene.runJobs()
  const [mail] = scene.sent
  expect(linkOf(mail)).toContain('osm.org')
  const at = scene.clock.now() - 40_000
  const time = cityTime(at, scene.city.settings.timezone).slice(11, 16)
  expect(mail?.text).toContain(`Rita Rider was here at ${time}:`)
  expect(mail?.html).toContain('Open the map')
  expect(mail?.html).not.toContain('See where Rita Rider is')
})

test('daily limit: one channel used up -> only contacts of the other are named; both -> message_limit, a repeat is the first press', async () => {
  const { rider, id } = await scene.started()
  await add(rider, maria, omar)
  scene.limits.texts.total = 0
  expect(await scene.safety.share(rider, id, 'a')).toEqual(['Maria'])
  await scene.runJobs()
  expect(sentTo()).toEqual(['mail maria@x.test'])
  await scene.clock.advance(20_000)
  scene.limits.mails.total = 0
  await expect(scene.safety.share(rider, id, 'b')).rejects.toMatchObject({ key: 'message_limit' })
  expect(await scene.safety.share(rider, id, 'a')).toEqual(['Maria', 'Omar'])
  await scene.runJobs()
  expect(sentTo()).toHaveLength(1)
})

test('call for help beyond the daily limit -> not noted as sent: the job that repeats when there is room sends it', async () => {
  const { rider, id } = await scene.started()
  await add(rider, { ...omar, on_help: true })
  scene.limits.texts.total = 0
  await scene.safety.panic(rider, id, along(0.4), null)
  await scene.runJobs()
  expect(scene.sent).toEqual([])
  scene.limits.texts.total = 1_000
  scene.repeatLastJob()
  await scene.runJobs()
  expect(sentTo()).toEqual(['sms +59899123456'])
})

test('delivery: courier -> keeps no contacts, but removes those there are; a sender’s are not informed of help', async () => {
  const { rider, driver } = await scene.accepted()
  const [old] = await add(driver, { ...maria, on_help: true })
  scene.city.changeSettings({ category: 'delivery' })
  try {
    await expect(add(driver, maria)).rejects.toMatchObject({ key: 'not_found' })
    await expect(scene.contacts.changeContact(driver.id, old?.id ?? '', maria)).rejects.toMatchObject({
      key: 'not_found',
    })
    expect(await scene.contacts.removeContact(driver.id, old?.id ?? '')).toEqual([])
    expect(await add(rider, { ...maria, on_help: true })).toMatchObject([{ on_help: false }])
  } finally {
    scene.city.changeSettings({ category: 'taxi' })
  }
})

const refuse = (rider: Actor, address: string) =>
  scene.contacts.refuse(rider.id, scene.contacts.digest(address))

test('contact refuses -> no messages of this user any more, also after they are added again', async () => {
  const { rider, id } = await scene.started()
  const [contact] = await add(rider, { ...maria, mobile: omar.mobile, on_help: true })
  await refuse(rider, maria.email)
  await refuse(rider, maria.email)
  await scene.contacts.removeContact(rider.id, contact?.id ?? '')
  expect(await add(rider, omar)).toMatchObject([{ refused: true }])
  await scene.contacts.removeContact(rider.id, (await scene.contacts.contacts(rider.id))[0]?.id ?? '')
  expect(await add(rider, { ...maria, email: 'Maria@X.test' })).toMatchObject([{ refused: true }])
  await expect(scene.safety.share(rider, id, null)).rejects.toMatchObject({ key: 'conflict' })
  const other = await scene.city.addRider()
  expect(await add(other, maria)).toMatchObject([{ refused: false }])
})

test('link of an old mail: contact changed or removed meanwhile -> refuses the address that got it, no other', async () => {
  const rider = await scene.city.addRider()
  const [contact] = await add(rider, maria)
  const other = { ...maria, email: 'other@x.test' }
  await scene.contacts.changeContact(rider.id, contact?.id ?? '', other)
  await refuse(rider, maria.email)
  expect(await scene.contacts.contacts(rider.id)).toMatchObject([{ email: other.email, refused: false }])
  await scene.contacts.removeContact(rider.id, contact?.id ?? '')
  await refuse(rider, other.email)
  expect(await add(rider, maria, other)).toMatchObject([{ refused: true }, { refused: true }])
})

test('admins see the contacts of the person who called for help, while the alarm is open; fleet admins do not', async () => {
  const { rider, driver, id } = await scene.started()
  const fleet = await scene.city.addUserOf('fleetadmin')
  await scene.city.database.pool.query('update bookings set fleetadmin = $2 where id = $1', [id, fleet.id])
  await add(rider, omar)
  await add(driver, maria)
  const alarm = await scene.safety.panic(rider, id, null, null)
  const seenBy = async (actor: Actor, state: 'open' | 'closed') =>
    (await scene.safety.list(actor, state)).find((one) => one.id === alarm)
  expect(await seenBy(scene.admin, 'open')).toMatchObject({
    rider: { contacts: [{ name: 'Omar', mobile: '+59899123456', email: null }] },
    driver: { contacts: [] },
  })
  expect((await seenBy(fleet, 'open'))?.rider.contacts).toEqual([])
  await scene.safety.acknowledge(scene.admin, alarm)
  await scene.safety.resolve(scene.admin, alarm, 'All is well')
  expect((await seenBy(scene.admin, 'closed'))?.rider.contacts).toEqual([])
})
