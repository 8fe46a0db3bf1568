import Stripe from 'stripe'
import { PaymentError } from '../port.ts'

/** Runs a call of the library. Throws PaymentError with the status and the vendor's code, never with its words. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toPaymentError(error)
  }
}

function toPaymentError(error: unknown): PaymentError {
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    return new PaymentError('stripe does not answer', { permanent: false })
  }
  const { statusCode, code, type } = error
  // 409: a request with the same key is still under way.
  const passing = statusCode >= 500 || statusCode === 429 || statusCode === 409
  return new PaymentError(`stripe answers ${statusCode} ${code ?? type}`, { permanent: !passing })
}

/** Whether Stripe understood the request and said no to it. */
export function isRefusal(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400
}
