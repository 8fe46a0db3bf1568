import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mountCulqi } from './culqi.ts'
import type { EmbeddedForm, EmbeddedOptions } from './port.ts'

const loaded = vi.hoisted(() => [] as string[])
vi.mock('./load-script.ts', () => ({
  loadScript: async (address: string) => {
    loaded.push(address)
  },
}))

interface Opened {
  publicKey: string
  configuration: { settings: object; options: object; appearance: { buttonCardPayText: string } }
  culqi?: () => void
  token?: { id: string } | null
  error?: object | null
  open: ReturnType<typeof vi.fn>
  close: ReturnType<typeof vi.fn>
}

let opened: Opened
const proof = {
  publicKey: '',
  settings: {},
  options: { closeModalAction: () => {} },
  generateDevice: async () => 'device-1',
  initAuthentication: vi.fn(),
  reset: vi.fn(),
}
const onToken = vi.fn<EmbeddedOptions['onToken']>()
const onError = vi.fn<EmbeddedOptions['onError']>()
let form: EmbeddedForm

const data = {
  scriptUrl: 'https://js.example/checkout-js',
  proofScriptUrl: 'https://3ds.example',
  publicKey: 'pk_test_1',
  amount: '2550',
  currency: 'PEN',
  email: 'rider@example.com',
  firstName: 'Ana',
  lastName: 'Quispe',
  phone: '+51999888777',
}
const payer = {
  token: 'tkn_test_1',
  device: 'device-1',
  email: data.email,
  firstName: 'Ana',
  lastName: 'Quispe',
  phone: data.phone,
}
const texts = {
  title: 'Hansom',
  cardNumber: 'number',
  expiry: 'expiry',
  securityCode: 'code',
  pay: 'Pay 25.50',
}

/** Called with `new`, like the script's own class. */
function CulqiCheckout(publicKey: string, configuration: Opened['configuration']): Opened {
  opened = { publicKey, configuration, open: vi.fn(), close: vi.fn() }
  return opened
}

beforeEach(async () => {
  loaded.length = 0
  vi.clearAllMocks()
  Object.assign(window, { CulqiCheckout, Culqi3DS: proof })
  const host = document.body.appendChild(document.createElement('div'))
  form = await mountCulqi(data, host, { locale: 'es-PE', texts, onToken, onError })
})
afterEach(() => {
  form.close()
  document.body.replaceChildren()
})

function typedCard(): void {
  opened.token = { id: 'tkn_test_1' }
  opened.culqi?.()
}

const told = (content: object, origin = location.origin) =>
  window.dispatchEvent(new MessageEvent('message', { data: content, origin }))

test('mount -> loads both scripts, opens the form with amount and texts', () => {
  expect(loaded).toEqual([data.scriptUrl, data.proofScriptUrl])
  expect(opened.open).toHaveBeenCalledTimes(1)
  expect(opened.publicKey).toBe('pk_test_1')
  expect(opened.configuration).toMatchObject({
    settings: { title: 'Hansom', currency: 'PEN', amount: 2550 },
    options: { lang: 'es', modal: true },
    appearance: { buttonCardPayText: 'Pay 25.50' },
  })
  form.submit()
  expect(opened.open).toHaveBeenCalledTimes(2)
})

test('token -> submitted with the payer data that the server needs', () => {
  typedCard()
  expect(opened.close).toHaveBeenCalled()
  expect(onToken).toHaveBeenCalledExactlyOnceWith(payer)
})

test('card refused -> error', () => {
  opened.error = { user_message: 'no' }
  opened.culqi?.()
  expect(onError).toHaveBeenCalledExactlyOnceWith('refused')
  expect(onToken).not.toHaveBeenCalled()
})

test('challenge passed -> token submitted again with the proof, once, from our page only', () => {
  typedCard()
  onToken.mockClear()
  const parameters3DS = { eci: '05', cavv: 'c', xid: 'x', protocolVersion: '2.2.0', other: 'no' }
  told({ parameters3DS })
  form.prove({})
  expect(proof.initAuthentication).toHaveBeenCalledExactlyOnceWith('tkn_test_1')
  told({ parameters3DS }, 'https://elsewhere.example')
  expect(onToken).not.toHaveBeenCalled()
  told({ parameters3DS })
  told({ parameters3DS })
  const { other: _, ...known } = parameters3DS
  expect(onToken).toHaveBeenCalledExactlyOnceWith({ ...payer, ...known })
})

test('challenge failed -> one error', () => {
  typedCard()
  form.prove({})
  told({ error: { message: 'no' } })
  proof.options.closeModalAction()
  expect(onError).toHaveBeenCalledExactlyOnceWith('unproven')
})

test('close -> no callbacks', () => {
  typedCard()
  form.prove({})
  onToken.mockClear()
  form.close()
  told({ parameters3DS: { eci: '05' } })
  proof.options.closeModalAction()
  opened.culqi?.()
  expect(onToken).not.toHaveBeenCalled()
  expect(onError).not.toHaveBeenCalled()
})
