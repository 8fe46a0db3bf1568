import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { DownloadLink } from './download-link.tsx'

beforeEach(() => startEnglish())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const csv = () =>
  new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="users-2026-11-24.csv"' } })

it('download: refused -> the error is shown, nothing is saved; afterwards it works', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const refused = Response.json({ error: 'too_many_requests', requestId: 'r' }, { status: 429 })
  vi.stubGlobal('fetch', vi.fn().mockResolvedValueOnce(refused).mockResolvedValueOnce(csv()))
  render(<DownloadLink href="/api/v1/exports/users">Export</DownloadLink>)
  const link = screen.getByRole('link', { name: 'Export' })
  fireEvent.click(link)
  expect((await screen.findByRole('alert')).textContent).toBe('error.server_error')
  expect(saved).not.toHaveBeenCalled()

  fireEvent.click(link)
  await expect.poll(() => names).toEqual(['users-2026-11-24.csv'])
  expect(screen.queryByRole('alert')).toBeNull()
})

it('download: too many -> says when to try again, without the text of a failed sign-in', async () => {
  startEnglish({ 'common.download_wait_other': 'Try again in {{count}} seconds.' })
  const body = { error: 'too_many_requests', data: { retryAfterS: 31.2 } }
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 429 }))
  render(<DownloadLink href="/api/v1/exports/users">Export</DownloadLink>)
  fireEvent.click(screen.getByRole('link', { name: 'Export' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Try again in 32 seconds.')
})

it('download: pressed with Ctrl -> left to the browser', () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  render(<DownloadLink href="/api/v1/exports/users">Export</DownloadLink>)
  fireEvent.click(screen.getByRole('link', { name: 'Export' }), { ctrlKey: true })
  expect(fetched).not.toHaveBeenCalled()
})
