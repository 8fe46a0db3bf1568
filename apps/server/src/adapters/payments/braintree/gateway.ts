import braintree from 'braintree'
import { PaymentError } from '../port.ts'
import type { GatewayOptions } from './options.ts'

const timeoutMs = 15_000

/** The vendor's client with the same timeout as other providers. */
export function openGateway(options: GatewayOptions): braintree.BraintreeGateway {
  const { merchantId, publicKey, privateKey } = options
  const environment = environmentOf(options)
  const gateway = new braintree.BraintreeGateway({ environment, merchantId, publicKey, privateKey })
  Object.assign(gateway.config, { timeout: timeoutMs })
  return gateway
}

function environmentOf({ url, environment }: GatewayOptions): braintree.Environment {
  if (url === undefined) {
    return environment === 'live' ? braintree.Environment.Production : braintree.Environment.Sandbox
  }
  const { hostname, port, protocol, origin, host } = new URL(url)
  const isSecure = protocol === 'https:'
  return new braintree.Environment(hostname, port || (isSecure ? '443' : '80'), origin, isSecure, host, port)
}

const lasting = ['authenticationError', 'authorizationError', 'upgradeRequired', 'invalidKeysError']

const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : 'unknown')

/** Whether the error means that the object does not exist. */
export const isNotFound = (cause: unknown): boolean => nameOf(cause) === 'notFoundError'

/** A PaymentError with only the error's name: the client's messages may contain personal data. */
export function gatewayError(cause: unknown): PaymentError {
  if (cause instanceof PaymentError) return cause
  const name = nameOf(cause)
  return new PaymentError(`braintree: ${name}`, { permanent: lasting.includes(name), cause: name })
}
