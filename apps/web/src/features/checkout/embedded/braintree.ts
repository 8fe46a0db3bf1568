import * as client from 'braintree-web/client'
import * as hostedFields from 'braintree-web/hosted-fields'
import classes from './braintree.module.css'
import { type EmbeddedError, EmbeddedUnreachable, type MountEmbedded, pageLook } from './port.ts'

const errors: Readonly<Record<string, EmbeddedError>> = {
  HOSTED_FIELDS_FIELDS_EMPTY: 'incomplete',
  HOSTED_FIELDS_FIELDS_INVALID: 'incomplete',
  HOSTED_FIELDS_FAILED_TOKENIZATION: 'refused',
  HOSTED_FIELDS_TOKENIZATION_CVV_VERIFICATION_FAILED: 'refused',
  HOSTED_FIELDS_TOKENIZATION_FAIL_ON_DUPLICATE: 'refused',
}

/**
 * Braintree's card form: Hosted Fields, three frames of the provider among our labels (reference of braintree-web 3.144.0).
 * Not verified with the vendor: the frames load only from its host, so the complete form was never seen without an account.
 */
export const mountBraintree: MountEmbedded = async (
  { clientToken = '' },
  host,
  { texts, onToken, onError },
) => {
  const form = host.appendChild(document.createElement('div'))
  form.className = classes.form ?? ''
  const number = addField(form, texts.cardNumber)
  const expirationDate = addField(form, texts.expiry)
  const cvv = addField(form, texts.securityCode)
  const look = pageLook(host)
  const fields = await client
    .create({ authorization: clientToken })
    .then((connection) =>
      hostedFields.create({
        client: connection,
        fields: { number, expirationDate, cvv },
        styles: {
          input: { 'font-size': '17px', 'font-family': look.fontFamily, color: look.text },
          '::placeholder': { color: look.faint },
          '.invalid': { color: look.danger },
        },
      }),
    )
    .catch((cause: unknown) => {
      form.remove()
      throw new EmbeddedUnreachable(cause)
    })

  const mark = ({ emittedBy, fields: states }: hostedFields.FieldEvent) => {
    const state = states[emittedBy]
    state?.container.toggleAttribute('data-focused', state.isFocused)
    state?.container.toggleAttribute('data-invalid', !state.isPotentiallyValid)
  }
  for (const event of ['focus', 'blur', 'validityChange'] as const) fields.on(event, mark)

  let isBusy = false
  let isClosed = false
  return {
    submit: async () => {
      if (isBusy || isClosed) return
      isBusy = true
      try {
        const { nonce } = await fields.tokenize()
        if (!isClosed) onToken({ nonce })
      } catch (cause) {
        if (!isClosed) onError(errors[codeOf(cause)] ?? 'unreachable')
      } finally {
        isBusy = false
      }
    },
    // The server never requests a challenge from this provider.
    prove: () => onError('unproven'),
    close: () => {
      isClosed = true
      void fields.teardown().catch(() => {})
      form.remove()
    },
  }
}

let count = 0

function addField(form: HTMLElement, text: string) {
  const field = form.appendChild(document.createElement('div'))
  field.className = classes.field ?? ''
  const label = field.appendChild(document.createElement('label'))
  label.className = classes.label ?? ''
  label.textContent = text
  const container = field.appendChild(document.createElement('div'))
  container.className = classes.frame ?? ''
  // A click on a label focuses its frame; the frame has its own accessible name.
  container.id = `hosted-field-${++count}`
  label.htmlFor = container.id
  return { container, iframeTitle: text, internalLabel: text }
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
