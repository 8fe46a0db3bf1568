import { PaymentError, type StartedPayment } from '../port.ts'
import { toUnits } from '../units.ts'
import { exponent } from './response.ts'

/** Result fields of the page's 3-D Secure library, named as in the vendor's PHP examples. */
const proofFields = ['eci', 'xid', 'cavv', 'protocolVersion', 'directoryServerTransactionId'] as const

/**
 * The body of a charge: the page's one-time token, the payer data of the page and, after a challenge, the 3-D Secure
 * result. Throws PaymentError if the page sent no token.
 */
export function chargeRequest(
  payment: StartedPayment,
  input: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const token = input.token ?? ''
  if (!/^tkn_(test|live)_\w+$/.test(token)) {
    throw new PaymentError('culqi: the page sent no card', { permanent: true })
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
