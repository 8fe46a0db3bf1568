import type { AlertCount } from '@hansom/contract/alerts'
import type { UserNotification } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useAlertCounts } from '../../entities/alerts/use-alert-counts.ts'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { NotificationsButton } from './notifications-button.tsx'
import { ToDoList } from './to-do-list.tsx'

const booking = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
const stored = (id: string, screen: string, more: Partial<UserNotification> = {}): UserNotification => ({
  id,
  at: 0,
  title: `alert.${screen}.title`,
  msg: '',
  kind: 'alerts',
  params: {},
  screen,
  booking: null,
  read: true,
  ...more,
})

beforeEach(() => {
  vi.spyOn(live, 'subscribe').mockReturnValue(() => {})
  storeTestSettings()
  startEnglish({ 'alert.none': 'Nothing to do' })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

function AdminBell() {
  const alerts = useAlertCounts()
  return (
    <NotificationsButton
      usertype="admin"
      toDo={{
        nameOf: (name) => `${name} ${alerts.data?.counts.length ?? ''}`,
        list: (onFollow) => <ToDoList alerts={alerts} usertype="admin" onFollow={onFollow} />,
      }}
    />
  )
}

async function openBell(counts: AlertCount[], items: UserNotification[], Bell: ComponentType = AdminBell) {
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(
      url.endsWith('/alerts')
        ? { counts }
        : { items, next: null, unread: items.filter(({ read }) => !read).length },
    ),
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Bell /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: /^common.notifications/ }))
  return within(await screen.findByRole('dialog'))
}

const url = (link: HTMLElement) => link.getAttribute('href')
/** The links of the notifications, without the one to their settings. */
const linksIn = (dialog: Awaited<ReturnType<typeof openBell>>) =>
  dialog.getAllByRole('link').filter((link) => url(link) !== '/profile#notifications')

it('open matters -> a row for each kind, with a link to the page that settles it', async () => {
  const counts = [
    { kind: 'driver_waiting', count: 2 },
    { kind: 'objection', count: 1 },
  ] as const
  const dialog = await openBell([...counts], [])
  const list = within(await dialog.findByRole('list'))
  expect(list.getAllByRole('link').map(url)).toEqual(['/drivers?approval=waiting', '/disputes'])
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'alert.driver_waiting.label 2',
    'alert.objection.label 1',
  ])
})

it('no open matters -> says so', async () => {
  const dialog = await openBell([], [])
  await dialog.findByText('Nothing to do')
})

it('alert in the list -> leads to its matter; one about a trip, to the trip', async () => {
  const dialog = await openBell(
    [],
    [
      stored('1', 'driver_waiting', { params: { person: 'p' } }),
      stored('2', 'no_driver', { booking }),
      stored('3', 'failed_work'),
    ],
  )
  await dialog.findByText('alert.no_driver.title')
  expect(linksIn(dialog).map(url)).toEqual([
    '/drivers?approval=waiting&open=p',
    `/trip/${booking}`,
    '/dashboard',
  ])
})

it('rider -> notifications only', async () => {
  const dialog = await openBell([], [stored('1', 'wallet')], () => <NotificationsButton usertype="rider" />)
  await dialog.findByText('alert.wallet.title')
  expect(dialog.getAllByRole('link').map(url)).toEqual(['/wallet', '/profile#notifications'])
  expect(dialog.queryByText('alert.title')).toBeNull()
})

it('several of one trip -> the newest, and the others on request', async () => {
  const updates = ['3', '2', '1'].map((id) => stored(id, 'BookedCab', { title: `update ${id}`, booking }))
  const dialog = await openBell([], [...updates, stored('0', 'wallet', { title: 'top-up' })], () => (
    <NotificationsButton usertype="rider" />
  ))
  await dialog.findByText('update 3')
  expect(dialog.queryByText('update 2')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'notification.earlier' }))
  expect(linksIn(dialog).map(({ textContent }) => textContent?.slice(0, 8))).toEqual([
    'update 3',
    'update 2',
    'update 1',
    expect.stringContaining('top-up'),
  ])
})

it('link followed -> its trip is read, the rest is not', async () => {
  const calls = vi.fn()
  const items = [
    stored('0192f5d4-7b1c-7c3d-8e2f-000000000002', 'BookedCab', { title: 'second', booking, read: false }),
    stored('0192f5d4-7b1c-7c3d-8e2f-000000000001', 'BookedCab', { title: 'first', booking, read: false }),
    stored('0192f5d4-7b1c-7c3d-8e2f-000000000000', 'wallet', { title: 'top-up', read: false }),
  ]
  const dialog = await openBell([], items, () => <NotificationsButton usertype="rider" />)
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') calls(JSON.parse(String(init.body)))
    return answer(url, init)
  })
  fireEvent.click((await dialog.findByText('second')).closest('a') as HTMLElement)
  await vi.waitFor(() => expect(calls).toHaveBeenCalledWith({ ids: [items[0]?.id, items[1]?.id] }))
})

it('newer than the clock of the list -> not in the future', async () => {
  const item = stored('1', 'wallet', { at: Date.now() + 50_000 })
  const dialog = await openBell([], [item], () => <NotificationsButton usertype="rider" />)
  expect((await dialog.findByText('now')).closest('a')).toBeTruthy()
})

it.each([
  [0, 'common.notifications', ''],
  [7, 'notification.unread 7', '7'],
  [99, 'notification.unread 99', '99'],
  [100, 'notification.over_99', '99+'],
])('%i unread -> in the accessible name and on the bell', async (unread, name, shown) => {
  startEnglish({
    'notification.unread_one': 'notification.unread {{count}}',
    'notification.unread_other': 'notification.unread {{count}}',
  })
  vi.stubGlobal('fetch', async () => Response.json({ items: [], next: null, unread }))
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <NotificationsButton usertype="rider" /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const bell = await screen.findByRole('button', { name })
  expect(bell.querySelector('span[aria-hidden]')?.textContent ?? '').toBe(shown)
})

const seenId = '0192f5d4-7b1c-7c3d-8e2f-000000000003'
const decision = stored(seenId, 'profile', {
  title: 'notify.account_approved.title',
  kind: 'account',
  read: false,
})
const debt = stored('0192f5d4-7b1c-7c3d-8e2f-000000000004', 'BookedCab', {
  title: 'notify.payment_due.title',
  kind: 'payments',
  booking,
  read: false,
})
const ended = stored('0192f5d4-7b1c-7c3d-8e2f-000000000005', 'BookedCab', {
  title: 'notify.rider_paid.title',
  kind: 'payments',
  booking,
  read: false,
})

/** Opens a page whose bell has unread notifications, and returns the ids that it marks as read. */
async function openPage(path: string, items: UserNotification[], hasFocus = true, newest = items) {
  const read: string[] = []
  let left = items
  vi.spyOn(document, 'hasFocus').mockReturnValue(hasFocus)
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      const { ids } = JSON.parse(String(init.body)) as { ids: string[] }
      read.push(...ids)
      left = left.filter(({ id }) => !ids.includes(id))
      return Response.json({ read: ids.length })
    }
    const shown = url.includes('unread=true') ? left : newest.filter((one) => one.read || left.includes(one))
    return Response.json({ items: shown, next: null, unread: left.length })
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <NotificationsButton usertype="rider" /> }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { read, router }
}

const whenTouched = (check: () => void) =>
  vi.waitFor(() => {
    fireEvent.pointerMove(window)
    check()
  })

it('page opened -> what leads there and only informs is read, a debt and other pages are not', async () => {
  const { read, router } = await openPage(`/trip/${booking}`, [debt, ended, decision])
  await screen.findByText('3')
  // The window may have been left open on a desk.
  expect(read).toEqual([])
  await whenTouched(() => expect(read).toEqual([ended.id]))
  await router.navigate({ to: '/profile' as never })
  await whenTouched(() => expect(read).toEqual([ended.id, seenId]))
  await screen.findByText('1')
  expect(read).toEqual([ended.id, seenId])
})

it('page without focus -> read once it has it', async () => {
  const { read } = await openPage('/profile', [decision], false)
  await screen.findByText('1')
  fireEvent.pointerMove(window)
  expect(read).toEqual([])
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  await whenTouched(() => expect(read).toEqual([seenId]))
})

it('unread ones older than the newest page of the list -> read, too', async () => {
  const { read } = await openPage('/profile', [decision], true, [stored('1', 'wallet')])
  await whenTouched(() => expect(read).toEqual([seenId]))
})
