import type { PublicSettings } from '@hansom/contract/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { economy, startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { RegisterForm } from './register-form.tsx'

const texts = {
  'form.problems': 'Look again:',
  'register.firstName': 'First name',
  'register.lastName': 'Last name',
  'register.email': 'Email',
  'register.password': 'Password',
  'register.vehicleMake': 'Make',
  'register.vehicleModel': 'Model',
  'register.vehicleNumber': 'Plate',
  'register.carType': 'Car type',
  'register.licence': 'Licence',
  'register.uploaded': 'Uploaded.',
  'register.bankName': 'Bank name',
  'register.action': 'Create',
  'login.mobile': 'Mobile',
  'login.country': 'Country',
  'error.proper_input_name': 'Enter first and last name.',
  'error.proper_email': 'Enter a valid email address.',
  'error.password_alphaNumeric_check': 'Wrong characters.',
  'error.mobile_no_blank_error': 'Enter a phone number.',
  'error.user_exists': 'There is one already.',
  'error.field_required': 'Needed.',
}

/** Generous because CI machines can be slow; the test asserts no timing. */
const patience = { timeout: 15_000 }

beforeEach(() => {
  startEnglish(texts)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

interface Options {
  usertype?: 'rider' | 'driver'
  settings?: Partial<PublicSettings>
  answer?: () => Response
  address?: string
}

async function open({ usertype = 'rider', settings = {}, answer, address = '/' }: Options = {}) {
  storeTestSettings({
    country: 'UY',
    AllowCountrySelection: true,
    bank_fields: false,
    RiderWithDraw: false,
    version: 1,
    ...settings,
  })
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (url: string, init?: { body?: string }) => {
    if (!url.endsWith('/sign-up')) return Promise.resolve(Response.json([]))
    sent.push(JSON.parse(init?.body ?? 'null'))
    return Promise.resolve(answer?.() ?? Response.json({ uid: 'u', approved: true, emailToVerify: false }))
  })
  const onDone = vi.fn()
  function Screen() {
    const [shown, setShown] = useState(usertype)
    return (
      <>
        <button type="button" onClick={() => setShown(shown === 'driver' ? 'rider' : 'driver')}>
          other type
        </button>
        <RegisterForm usertype={shown} onDone={onDone} />
      </>
    )
  }
  const rootRoute = createRootRoute({ component: Screen })
  const router = createRouter({
    routeTree: rootRoute,
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const create = await screen.findByRole('button', { name: 'Create' }, patience)
  const fill = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return { create, fill, sent, onDone }
}

function fillRider(fill: (label: string, value: string) => void) {
  fill('First name', ' Ana ')
  fill('Last name', 'Pereira')
  fill('Email', 'ana@rides.example')
  fill('Password', 'abc123')
  fill('Mobile', '99123456')
}

it('empty form submitted -> errors at the fields and in a focused summary', async () => {
  const { create, sent } = await open()
  fireEvent.click(create)
  const summary = screen.getByRole('group', { name: 'Look again:' })
  expect(document.activeElement).toBe(summary)
  expect([...summary.querySelectorAll('button')].map((button) => button.textContent)).toEqual([
    'First name',
    'Last name',
    'Email',
    'Password',
    'Mobile',
  ])
  const email = screen.getByLabelText('Email', { selector: 'input' })
  expect(email.getAttribute('aria-invalid')).toBe('true')
  const described = email.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('Enter a valid email address.')
  fireEvent.click(screen.getByRole('button', { name: 'Email' }))
  expect(document.activeElement).toBe(email)
  expect(sent).toEqual([])
})

it('field changed -> its error disappears', async () => {
  const { create, fill } = await open()
  fireEvent.click(create)
  fill('Mobile', '99')
  expect(screen.getByLabelText('Mobile').getAttribute('aria-invalid')).toBeNull()
})

it.each(['+99123456', '099-12', '12345', 'abc', ''])('invalid phone %j -> refused', async (mobile) => {
  const { create, fill, sent } = await open()
  fillRider(fill)
  fill('Mobile', mobile)
  fireEvent.click(create)
  expect(screen.getByLabelText('Mobile').getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
})

it('submit -> phone in international format, no bank details if not asked for', async () => {
  const { create, fill, sent, onDone } = await open()
  fillRider(fill)
  fireEvent.click(create)
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce(), patience)
  expect(sent).toEqual([
    {
      firstName: 'Ana',
      lastName: 'Pereira',
      email: 'ana@rides.example',
      password: 'abc123',
      phoneCode: '598',
      mobile: '99123456',
      usertype: 'rider',
      locale: 'en',
    },
  ])
})

it('mobile with its own dial prefix -> its country is selected, the number cleaned', async () => {
  const { create, fill, sent } = await open()
  fillRider(fill)
  fill('Mobile', '+54 9 11 2345-6789')
  fireEvent.blur(screen.getByLabelText('Mobile'))
  expect(screen.getByLabelText<HTMLInputElement>('Mobile').value).toBe('91123456789')
  fireEvent.click(create)
  await waitFor(() => expect(sent).toHaveLength(1), patience)
  expect(sent).toMatchObject([{ phoneCode: '54', mobile: '91123456789' }])
})

it('invitation link -> referral id is filled in and sent', async () => {
  const { create, fill, sent } = await open({ address: '/?ref=ana1234' })
  fillRider(fill)
  fireEvent.click(create)
  await waitFor(() => expect(sent).toMatchObject([{ referralId: 'ana1234' }]), patience)
})

it('server rejects a field -> shown at the field', async () => {
  const refusal = { error: 'user_exists', fields: [{ field: 'email', error: 'user_exists' }] }
  const { create, fill, onDone } = await open({ answer: () => Response.json(refusal, { status: 409 }) })
  fillRider(fill)
  fireEvent.click(create)
  await waitFor(
    () =>
      expect(screen.getByLabelText('Email', { selector: 'input' }).getAttribute('aria-invalid')).toBe('true'),
    patience,
  )
  expect(document.activeElement?.textContent).toContain('There is one already.')
  expect(onDone).not.toHaveBeenCalled()
})

it('driver -> asked for car and licence', async () => {
  const { create, fill } = await open({ usertype: 'driver' })
  fillRider(fill)
  fireEvent.click(create)
  const summary = screen.getByRole('group', { name: 'Look again:' })
  expect(summary.querySelectorAll('li')).toHaveLength(5)
})

/** A driver's completed form; the licence is chosen with `choose`, and each upload waits for its `answers` call. */
async function openDriver() {
  const answers: ((uploadId: string) => void)[] = []
  class Upload {
    upload = {} as { onprogress?: (event: object) => void }
    status = 0
    response: unknown = null
    onload = () => {}
    open() {}
    send() {
      this.upload.onprogress?.({ loaded: 9, total: 9 })
      answers.push((uploadId) => {
        Object.assign(this, { status: 201, response: { uploadId } })
        this.onload()
      })
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:licence')
  queryClient.setQueryData(orpc.carTypes.list.queryKey(), [economy])
  const form = await open({ usertype: 'driver' })
  fillRider(form.fill)
  for (const label of ['Make', 'Model', 'Plate']) form.fill(label, 'X')
  form.fill('Car type', 'Economy')
  const choose = () => {
    const picture = new File(['x'], 'licence.png', { type: 'image/png' })
    const input = screen.getByLabelText('Licence', { selector: 'input' })
    fireEvent.change(input, { target: { files: [picture] } })
  }
  return { ...form, choose, answers }
}

it('driver submits while the licence is uploaded -> sent once it has arrived', async () => {
  const { create, sent, choose, answers } = await openDriver()
  choose()
  expect(screen.queryByText('Uploaded.')).toBeNull()
  fireEvent.click(create)
  expect(sent).toEqual([])
  await act(async () => answers[0]?.('u1'))
  expect(screen.getByText('Uploaded.')).toBeTruthy()
  await waitFor(() => expect(sent).toMatchObject([{ carType: 'Economy', licenseImage: 'u1' }]), patience)
})

it('driver, then rider, then driver -> the chosen licence is still shown and sent', async () => {
  const { create, sent, choose, answers } = await openDriver()
  choose()
  await act(async () => answers[0]?.('picture'))
  fireEvent.click(screen.getByText('other type'))
  expect(screen.queryByRole('combobox', { name: 'Car type' })).toBeNull()
  fireEvent.click(screen.getByText('other type'))
  expect(screen.getByText('Uploaded.')).toBeTruthy()
  fireEvent.click(create)
  await waitFor(() => expect(sent).toMatchObject([{ licenseImage: 'picture' }]), patience)
})

it('fields changed while the licence is uploaded -> the newest values and picture are sent', async () => {
  const { create, fill, sent, choose, answers, onDone } = await openDriver()
  choose()
  fireEvent.click(create)
  fill('Email', 'new@rides.example')
  fill('Mobile', '99654321')
  choose()
  await act(async () => answers[0]?.('u1'))
  expect(sent).toEqual([])
  await act(async () => answers[1]?.('u2'))
  const newest = { email: 'new@rides.example', mobile: '99654321', licenseImage: 'u2' }
  await waitFor(() => expect(sent).toMatchObject([newest]), patience)
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce(), patience)
})

it('field cleared while the licence is uploaded -> refused', async () => {
  const { create, fill, sent, choose, answers } = await openDriver()
  choose()
  fireEvent.click(create)
  fill('Email', '')
  await act(async () => answers[0]?.('u1'))
  expect(await screen.findByRole('group', { name: 'Look again:' }, patience)).toBeTruthy()
  expect(sent).toEqual([])
})

it('invalid field while the licence is uploaded -> shown at once', async () => {
  const { create, fill, choose } = await openDriver()
  fill('Email', 'ana')
  choose()
  fireEvent.click(create)
  const summary = screen.getByRole('group', { name: 'Look again:' })
  expect(summary.querySelectorAll('li')).toHaveLength(1)
})

it.each([
  [true, true, 1],
  [true, false, 0],
  [false, true, 0],
])('bank details only if both settings allow: %s, %s', async (bank_fields, RiderWithDraw, shown) => {
  await open({ settings: { bank_fields, RiderWithDraw } })
  expect(screen.queryAllByLabelText('Bank name')).toHaveLength(shown)
})
