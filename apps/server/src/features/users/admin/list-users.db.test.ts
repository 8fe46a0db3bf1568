import type { UserView } from '@hansom/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const { user, call, setDemo } = scene
let admin: string
let adminId: string
beforeAll(() => void ({ admin, adminId } = scene))

test('list: admin -> pages of all users except admins; admins by type; all search terms must match', async () => {
  const fleet = await user('fleetadmin')
  const names = ['Uma One', 'Uma Two', 'Uma 100%']
  for (const name of names) {
    const [firstName, lastName] = name.split(' ') as [string, string]
    await user('driver', { firstName, lastName, fleetadmin: fleet.uid })
  }
  await user('driver', { firstName: 'Uma', lastName: 'Elsewhere' })
  type Page = { items: UserView[]; next: string | null }
  const first = await call<Page>('GET', '/api/v1/users?q=uma&limit=3', admin)
  expect(first.body.items.map((one) => one.lastName)).toEqual(['Elsewhere', '100%', 'Two'])
  const rest = await call<Page>('GET', `/api/v1/users?q=uma&limit=3&cursor=${first.body.next}`, admin)
  expect(rest.body.items.map((one) => one.lastName)).toEqual(['One'])
  expect(rest.body.next).toBeNull()
  const own = await call<Page>('GET', '/api/v1/users?q=UMA', fleet.bearer)
  expect(own.body.items).toHaveLength(3)
  expect((await call<Page>('GET', '/api/v1/users?q=uma%20100%25', admin)).body.items).toHaveLength(1)
  expect(
    (await call<Page>('GET', '/api/v1/users', admin)).body.items.every((one) => one.usertype !== 'admin'),
  ).toBe(true)
  const admins = await call<Page>('GET', '/api/v1/users?usertype=admin', admin)
  expect(admins.body.items.map((one) => one.uid)).toContain(adminId)
  expect((await call<Page>('GET', '/api/v1/users?usertype=admin', fleet.bearer)).body.items).toEqual([])
  expect((await call('GET', '/api/v1/users?cursor=x', admin)).body.error).toBe('invalid_input')
})

test('list: demo closed for critical edits -> contacts hidden, also from search; no user added or removed', async () => {
  const rider = await user('rider', { firstName: 'Hidden', lastName: 'Rider' })
  const fleet = await user('fleetadmin', { firstName: 'Shown' })
  await setDemo(true)
  type Page = { items: UserView[] }
  const found = await call<Page>('GET', '/api/v1/users?q=hidden', admin)
  expect(found.body.items[0]).toMatchObject({ email: 'Hidden for Demo', mobile: 'Hidden for Demo' })
  expect((await call('GET', `/api/v1/users/${fleet.uid}`, admin)).body.email).toBe(fleet.email)
  const byMail = await call<Page>('GET', `/api/v1/users?q=${rider.email}`, admin)
  expect(byMail.body.items).toEqual([])
  const input = { usertype: 'rider', firstName: 'A', lastName: 'B', email: 'demo-add@x.test' }
  expect((await call('POST', '/api/v1/users', admin, input)).body.error).toBe('demo_mode')
  expect((await call('DELETE', `/api/v1/users/${rider.uid}`, admin)).body.error).toBe('demo_mode')
  const type = { usertype: 'admin' }
  expect((await call('POST', `/api/v1/users/${rider.uid}/change-type`, admin, type)).body.error).toBe(
    'demo_mode',
  )
  expect((await call('PATCH', `/api/v1/users/${rider.uid}`, admin, { lastName: 'Free' })).body.lastName).toBe(
    'Free',
  )
  await setDemo(false)
})
