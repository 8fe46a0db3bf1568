import type { PublicSettings } from '@hansom/contract/settings'
import type { UserView } from '@hansom/contract/users'
import ar from '@hansom/domain/languages/packs/ar/users.json'
import en from '@hansom/domain/languages/packs/en/users.json'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeSettings } from '../../../lib/settings.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { ApproveDialog, ContactDialog, LicenceButton, LicenceDialog, RejectDialog } from './user-dialogs.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface DialogProps {
  user: UserView
  onClose: () => void
  onSaved: (user: UserView) => void
}

/** Shows a dialog and returns what it sends and saves. */
function show(Shown: (props: DialogProps) => ReactNode, user: Partial<UserView>) {
  const sent: [string, unknown][] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    sent.push([new URL(url, 'http://x').pathname, JSON.parse(String(body))])
    return Response.json({ uid: 'u1', version: 8 })
  })
  startEnglish()
  storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
  const given = { uid: 'u1', version: 7, firstName: 'Ana', lastName: 'B', ...user } as UserView
  const onSaved = vi.fn<(user: UserView) => void>()
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <Shown user={given} onClose={() => {}} onSaved={onSaved} />,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { sent, onSaved }
}

it('ApproveDialog: driver without licence and car type -> names both, approves anyway', async () => {
  const driver = { usertype: 'driver', approved: false, vehicleMake: 'a', vehicleModel: 'b' } as const
  const { sent, onSaved } = show(ApproveDialog, { ...driver, vehicleNumber: 'c', carType: null })
  const missing = await screen.findAllByRole('listitem')
  expect(missing.map(({ textContent }) => textContent)).toEqual(['users.carType', 'users.licence'])
  fireEvent.click(screen.getByRole('button', { name: 'users.approve' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(sent).toEqual([['/api/v1/users/u1/approve', { version: 7 }]])
})

it.each([
  [true, 'disapprove'],
  [false, 'reject'],
])('RejectDialog: approved %s -> requires a reason, then sends it', async (approved, action) => {
  const { sent, onSaved } = show(RejectDialog, { usertype: 'rider', approved })
  const button = await screen.findByRole('button', { name: `users.${action}` })
  fireEvent.click(button)
  const field = screen.getByRole('textbox', { name: 'users.reject_reason' })
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(sent).toEqual([])
  fireEvent.change(field, { target: { value: ' No licence. ' } })
  fireEvent.click(button)
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(sent).toEqual([['/api/v1/users/u1/disapprove', { reason: 'No licence.', version: 7 }]])
})

it('ContactDialog: email and phone changed -> sends both, says what follows', async () => {
  const { sent, onSaved } = show(ContactDialog, {
    usertype: 'rider',
    email: 'a@x.test',
    mobile: '+59899111111',
  })
  expect(await screen.findByText('users.contact_effect')).toBeTruthy()
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
  type('users.email', 'not an address')
  fireEvent.click(screen.getByRole('button', { name: 'users.contact_save' }))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'users.email' }).getAttribute('aria-invalid')).toBe('true'),
  )
  expect(sent).toEqual([])
  type('users.email', ' b@x.test ')
  type('users.mobile', '099 700 001')
  fireEvent.click(screen.getByRole('button', { name: 'users.contact_save' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(sent).toEqual([
    ['/api/v1/users/u1/correct-contact', { email: 'b@x.test', mobile: '099 700 001', version: 7 }],
  ])
})

it('ContactDialog: number emptied, or a guest -> number removed; a guest has no email', async () => {
  const { sent } = show(ContactDialog, {
    usertype: 'rider',
    guest: true,
    email: null,
    mobile: '+59899111111',
  })
  fireEvent.change(await screen.findByRole('textbox', { name: 'users.mobile' }), { target: { value: '' } })
  expect(screen.queryByRole('textbox', { name: 'users.email' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'users.contact_save' }))
  await waitFor(() =>
    expect(sent).toEqual([['/api/v1/users/u1/correct-contact', { mobile: null, version: 7 }]]),
  )
})

it('LicenceDialog: no licence -> upload; not permitted -> none', async () => {
  const mine = { usertype: 'driver', licenseImage: null } as const
  show(LicenceDialog, { ...mine, commands: ['update'] })
  expect(await screen.findByText('users.licence_none')).toBeTruthy()
  expect(screen.getByLabelText('users.licence_add').getAttribute('type')).toBe('file')
  cleanup()
  show(LicenceDialog, { ...mine, commands: [] })
  expect(await screen.findByText('users.licence_none')).toBeTruthy()
  expect(screen.queryByLabelText('users.licence_add')).toBeNull()
})

it('LicenceDialog: file of another type -> refused before it is sent', async () => {
  const { sent } = show(LicenceDialog, { usertype: 'driver', licenseImage: '/l.jpg', commands: ['update'] })
  const input = await screen.findByLabelText('users.licence_replace')
  fireEvent.change(input, {
    target: { files: [new File(['x'], 'licence.pdf', { type: 'application/pdf' })] },
  })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^error\./)
  expect(sent).toEqual([])
})

it.each([
  ['en', en, 'licence.webp'],
  ['en', en, null],
  ['ar', ar, 'licence.webp'],
  ['ar', ar, null],
] as const)('LicenceButton: %s -> its name contains the visible text', (_language, pack, licenseImage) => {
  startEnglish(Object.fromEntries(Object.entries(pack).map(([key, text]) => [`users.${key}`, text])))
  const user = { uid: 'u1', firstName: 'Ana', lastName: 'B', licenseImage } as UserView
  render(<LicenceButton user={user} onOpen={() => {}} />)
  const button = screen.getByRole('button', { name: /Ana/ })
  expect(button.getAttribute('aria-label')).toContain(button.textContent)
})
