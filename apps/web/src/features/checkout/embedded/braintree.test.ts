import { expect, test, vi } from 'vitest'
import { mountBraintree } from './braintree.ts'
import { EmbeddedUnreachable } from './port.ts'

const vendor = vi.hoisted(() => ({
  createClient: vi.fn(),
  createFields: vi.fn(),
  tokenize: vi.fn(),
  teardown: vi.fn(async () => {}),
}))
vi.mock('braintree-web/client', () => ({ create: vendor.createClient }))
vi.mock('braintree-web/hosted-fields', () => ({ create: vendor.createFields }))

const texts = {
  title: 'Hansom',
  cardNumber: 'Card number',
  expiry: 'Expires',
  securityCode: 'Code',
  pay: 'Pay',
}

type Listener = (event: object) => void

async function mounted() {
  const listeners: Record<string, Listener> = {}
  vendor.createClient.mockResolvedValue({ connection: true })
  vendor.createFields.mockResolvedValue({
    tokenize: vendor.tokenize,
    teardown: vendor.teardown,
    on: (event: string, listener: Listener) => {
      listeners[event] = listener
    },
  })
  const [onToken, onError] = [vi.fn(), vi.fn()]
  const host = document.body.appendChild(document.createElement('div'))
  const form = await mountBraintree({ clientToken: 'ct' }, host, { locale: 'en', texts, onToken, onError })
  return { form, host, onToken, onError, listeners }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('mount: server token -> three labelled fields', async () => {
  const { host } = await mounted()
  expect(vendor.createClient).toHaveBeenCalledWith({ authorization: 'ct' })
  const { fields } = vendor.createFields.mock.lastCall?.[0] ?? {}
  expect(Object.keys(fields)).toEqual(['number', 'expirationDate', 'cvv'])
  const labels = [...host.querySelectorAll('label')]
  expect(labels.map(({ textContent }) => textContent)).toEqual(['Card number', 'Expires', 'Code'])
  expect(labels.map(({ htmlFor }) => host.ownerDocument.getElementById(htmlFor))).toEqual(
    Object.values(fields).map((field) => (field as { container: HTMLElement }).container),
  )
  expect(fields.cvv).toMatchObject({ iframeTitle: 'Code', internalLabel: 'Code' })
})

test('submit: valid -> nonce; invalid -> our error', async () => {
  const { form, onToken, onError } = await mounted()
  vendor.tokenize.mockResolvedValueOnce({ nonce: 'tokencc_1' })
  form.submit()
  form.submit()
  await settled()
  expect(onToken).toHaveBeenCalledExactlyOnceWith({ nonce: 'tokencc_1' })
  for (const [code, error] of [
    ['HOSTED_FIELDS_FIELDS_EMPTY', 'incomplete'],
    ['HOSTED_FIELDS_FAILED_TOKENIZATION', 'refused'],
    ['HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR', 'unreachable'],
  ]) {
    vendor.tokenize.mockRejectedValueOnce({ code })
    form.submit()
    await settled()
    expect(onError).toHaveBeenLastCalledWith(error)
  }
})

test('frames: focus and errors -> shown around them', async () => {
  const { host, listeners } = await mounted()
  const container = host.querySelector('label + div')
  const state = { container, isFocused: true, isPotentiallyValid: false }
  listeners.focus?.({ emittedBy: 'number', fields: { number: state } })
  expect(container?.hasAttribute('data-focused')).toBe(true)
  expect(container?.hasAttribute('data-invalid')).toBe(true)
})

test('close -> nothing left in the page, no callbacks', async () => {
  const { form, host, onToken } = await mounted()
  vendor.tokenize.mockResolvedValueOnce({ nonce: 'tokencc_1' })
  form.submit()
  form.close()
  await settled()
  expect(host.childElementCount).toBe(0)
  expect(vendor.teardown).toHaveBeenCalled()
  expect(onToken).not.toHaveBeenCalled()
})

test('frames do not load -> unreachable', async () => {
  vendor.createClient.mockRejectedValueOnce(new Error('network'))
  const host = document.createElement('div')
  const options = { locale: 'en', texts, onToken: vi.fn(), onError: vi.fn() }
  await expect(mountBraintree({ clientToken: 'ct' }, host, options)).rejects.toBeInstanceOf(
    EmbeddedUnreachable,
  )
  expect(host.childElementCount).toBe(0)
})
