import type { DeviceKind } from '@hansom/domain/devices/device'
import type { WebMessage } from '@hansom/domain/devices/web-message'
import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'

/** A device as the push services address it. */
export interface PushTarget {
  kind: DeviceKind
  /** The endpoint of a web subscription, or the token of an app. */
  token: string
  /** Keys of a web subscription, base64url. */
  p256dh: string | null
  auth: string | null
  platform: PushPlatform | null
}

export interface PushMessage {
  target: PushTarget
  content: WebMessage
  urgency: 'high' | 'normal' | 'low'
  /** How long the push service keeps the message for a device that is offline, s. 0: not at all. */
  ttlS: number
  /** An undelivered message is replaced by one with the same tag. */
  tag: string
}

/** A message that a push service accepted. */
export interface PushAccepted {
  /** The service's id under which the final result can be read later; null: there is none. */
  receipt: string | null
}

/** Sends messages to devices. Sending is not transactional: call it after the commit. */
export interface Push {
  /** The VAPID public key (RFC 8292): base64url of an uncompressed P-256 point. */
  publicKey: string
  /** True if messages to devices of this kind are stored for the operator, because their service is not configured. */
  isStored(kind: DeviceKind): boolean
  /**
   * Resolves once the push service has accepted the message. Throws PushError. Retries after a failure may deliver a
   * message twice; a device shows one for each tag.
   */
  send(message: PushMessage): Promise<PushAccepted>
  /** Returns those of some receipts whose device is not registered any more. Throws PushError. */
  unregistered(receipts: readonly string[]): Promise<string[]>
}

/** Why a message was not sent. `unregistered`: its device is gone. `refused`: retrying the message is pointless. */
export type PushFailure = 'unregistered' | 'refused' | 'temporary'

/** A message was not sent. The error text contains no token and no endpoint. */
export class PushError extends Error {
  readonly failure: PushFailure
  /** The earliest time to retry that the service asked for, ms from now; null if it did not. */
  readonly retryAfterMs: number | null

  constructor(message: string, failure: PushFailure, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'PushError'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}
