import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import type { MenuEntry, MenuSection } from '../menu.ts'
import { SideMenu } from './side-menu.tsx'

afterEach(cleanup)

const menu: (MenuEntry | MenuSection)[] = [
  { path: '/bookings', label: 'menu.bookings', icon: 'bookings' },
  {
    group: 'users',
    label: 'menu.users',
    icon: 'users',
    entries: [
      { path: '/riders', label: 'users.riders', icon: 'riders' },
      { path: '/drivers', label: 'users.drivers', icon: 'drivers' },
    ],
  },
]

async function show(toDo: Record<string, number>) {
  startEnglish({
    'menu.bookings': 'Bookings',
    'menu.users': 'Users',
    'users.riders': 'Riders',
    'users.drivers': 'Drivers',
    'alert.named': '{{name}}, {{number}} to do',
    'alert.over': '{{most}}+',
  })
  const counts = new Map(Object.entries(toDo))
  const routeTree = createRootRoute({ component: () => <SideMenu menu={menu} toDo={counts} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  storeTestSettings()
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('navigation')
}

it('page with open matters -> their number, also in its accessible name', async () => {
  await show({ '/bookings': 3 })
  const entry = screen.getByRole('link', { name: 'Bookings, 3 to do' })
  expect(entry.textContent).toBe('Bookings 3')
  expect(screen.getByRole('button', { name: 'Users' }).textContent).toBe('Users')
})

it('closed group -> the sum of its pages; open group -> the number at each page', async () => {
  await show({ '/riders': 1, '/drivers': 4 })
  const group = screen.getByRole('button', { name: 'Users, 5 to do' })
  expect(group.textContent).toBe('Users 5')
  fireEvent.click(group)
  expect(screen.getByRole('button', { name: 'Users' }).textContent).toBe('Users')
  expect(screen.getByRole('link', { name: 'Riders, 1 to do' }).textContent).toBe('Riders 1')
  expect(screen.getByRole('link', { name: 'Drivers, 4 to do' }).textContent).toBe('Drivers 4')
})

it('as many as are counted -> says that there are more', async () => {
  await show({ '/bookings': 1000 })
  expect(screen.getByRole('link', { name: 'Bookings, 999+ to do' }).textContent).toBe('Bookings 999+')
})
