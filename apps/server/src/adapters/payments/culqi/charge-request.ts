import { PaymentError, type StartedPayment } from '../port.ts'
import { toUnits } from '../units.ts'
import { exponent } from './word.ts'

/** What the 3-D Secure library of the page found out, by the names in the vendor's examples for PHP. */
const proofFields = ['eci', 'xid', 'cavv', 'protocolVersion', 'directoryServerTransactionId'] as const

/**
 * The body of a charge: the one-time token of the page with what the page was given of the payer, and the proof after a
 * challenge. Throws PaymentError when the page brought no token.
 */
export function chargeRequest(
  payment: StartedPayment,
  input: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const token = input.token ?? ''
  if (!/^tkn_(test|live)_\w+$/.test(token)) {
    throw new PaymentError('culqi: the page brought no card', { permanent: true })
  }
  const proof = proofFields.flatMap((field) => {
    const value = input[field]
    return value === undefined ? [] : [[field, value.slice(0, 200)] as const]
  })
  return {
    amount: toUnits(payment.amount, exponent),
    currency_code: payment.currency,
    email: (input.email ?? '').slice(0, 50),
    source_id: token,
    capture: true,
    description: `Ref ${payment.reference}`.slice(0, 80),
    metadata: { order_id: payment.reference },
    antifraud_details: antifraud(input),
    ...(proof.length > 0 ? { authentication_3DS: Object.fromEntries(proof) } : {}),
  }
}

function antifraud(input: Readonly<Record<string, string>>): Record<string, string> {
  const details = {
    first_name: input.firstName,
    last_name: input.lastName,
    phone_number: input.phone?.replace(/\D/g, ''),
    device_finger_print_id: input.device,
  }
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => (value ? [[name, value.slice(0, 50)] as const] : [])),
  )
}
