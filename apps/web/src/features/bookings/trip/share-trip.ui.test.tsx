import type { BookingView } from '@hansom/contract/bookings'
import contacts from '@hansom/domain/languages/packs/en/contacts.json'
import trip from '@hansom/domain/languages/packs/en/trip.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { ShareTrip } from './share-trip.tsx'

let shared: string[]
let active: number
let made: number
let kept: { name: string; refused: boolean }[]
beforeEach(() => {
  const texts = Object.entries(trip).map(([name, words]) => [`trip.${name}`, words])
  const ofContacts = Object.entries(contacts).map(([name, words]) => [`contacts.${name}`, words])
  startEnglish(Object.fromEntries([...texts, ...ofContacts]))
  storeTestSettings({ appName: 'Cabs', version: 1 })
  shared = []
  active = 0
  made = 0
  kept = [{ name: 'Maria', refused: false }]
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (url.endsWith('/me/contacts')) return Response.json({ contacts: kept })
    if (url.endsWith('/contacts')) return Response.json({ names: ['Maria'] })
    if (method === 'GET') return Response.json({ active })
    active = method === 'POST' ? active + 1 : 0
    if (method !== 'POST') return Response.json({ active })
    made += 1
    return Response.json({ path: `/track/${made}` })
  })
  const share = async ({ url }: ShareData) => {
    shared.push(new URL(String(url)).pathname)
    throw new DOMException('closed', 'AbortError')
  }
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  const view = { id: 'b', viewer: 'rider', status: 'STARTED' } as BookingView
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <ShareTrip view={view} /> }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  Reflect.deleteProperty(navigator, 'share')
  vi.unstubAllGlobals()
})

const press = (name: string) =>
  screen.findByRole('button', { name }).then((button) => fireEvent.click(button))
const isShared = (count: number) => waitFor(() => expect(shared).toHaveLength(count))

it('sharing: share sheet closed and opened again -> same link', async () => {
  await press(trip.share)
  await isShared(1)
  await press(trip.share)
  await isShared(2)
  expect(shared).toEqual(['/track/1', '/track/1'])
})

it('sharing: stopped meanwhile -> next press creates a new link', async () => {
  await press(trip.share)
  await isShared(1)
  await press(trip.share_stop)
  const dialog = await screen.findByRole('alertdialog', { name: trip.share_stop_title })
  expect(active).toBe(1)
  fireEvent.click(within(dialog).getByRole('button', { name: trip.share_stop }))
  await waitFor(() => expect(screen.queryByRole('button', { name: trip.share_stop })).toBeNull())
  await press(trip.share)
  await isShared(2)
  expect(shared).toEqual(['/track/1', '/track/2'])
})

it('sent to the trusted contacts -> says to whom', async () => {
  await press(contacts.share)
  await screen.findByText(/Link sent to .?Maria/)
})

it('shared without trusted contacts -> leads to where they are added, until sharing stops', async () => {
  kept = []
  queryClient.clear()
  const link = () => screen.queryByRole('link', { name: contacts.add })
  await press(trip.share)
  await waitFor(() => expect(link()?.getAttribute('href')).toBe('/profile#contacts'))
  screen.getByText(contacts.none, { exact: false })
  await press(trip.share_stop)
  const dialog = await screen.findByRole('alertdialog')
  fireEvent.click(within(dialog).getByRole('button', { name: trip.share_stop }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await screen.findByRole('button', { name: trip.share })
  expect(link()).toBeNull()
})
