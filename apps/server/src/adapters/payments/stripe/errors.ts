import Stripe from 'stripe'
import { PaymentError } from '../port.ts'

/** Runs a call of the library. Throws PaymentError with the status and Stripe's error code, without its message. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toPaymentError(error)
  }
}

function toPaymentError(error: unknown): PaymentError {
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    return new PaymentError('stripe did not respond', { permanent: false })
  }
  const { statusCode, code, type } = error
  // 409: a request with the same key is still in progress.
  const temporary = statusCode >= 500 || statusCode === 429 || statusCode === 409
  return new PaymentError(`stripe returned ${statusCode} ${code ?? type}`, { permanent: !temporary })
}

/** Whether Stripe rejected the request itself. */
export function isRefusal(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400
}
