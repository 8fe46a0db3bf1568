import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { type PushAccepted, PushError, type PushMessage } from './port.ts'
import { postToService } from './post.ts'

/** The part of a Google service account's key file that is used. */
interface FcmAccount {
  project_id: string
  client_email: string
  /** PEM. */
  private_key: string
  token_uri: string
}

export interface FcmOptions {
  account: FcmAccount
  /** Default: Google's URL. */
  url?: string | undefined
  timeoutMs?: number
}

const tokenResponse = z.object({ access_token: z.string(), expires_in: z.number() })
const errorResponse = z.object({
  error: z.object({
    status: z.string().optional(),
    message: z.string().optional(),
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().optional() })).optional(),
        }),
      )
      .optional(),
  }),
})

/** An access token, and when it has to be renewed, machine time. */
interface Access {
  token: string
  until: number
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/** A token is renewed this long before it ends, s. */
const earlyS = 300

/**
 * Sends to apps by Firebase Cloud Messaging: HTTP v1 (firebase.google.com/docs/reference/fcm/rest/v1/projects.messages),
 * with an access token for the service account (RFC 7523).
 */
export function fcmSender({ account, url = 'https://fcm.googleapis.com', timeoutMs = 10_000 }: FcmOptions) {
  /** The newest request for a token, and when its result ends. */
  let access: { given: Promise<Access>; until: number } | undefined

  async function requestAccess(): Promise<Access> {
    const nowS = Math.floor(Date.now() / 1000)
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + 3_600)
      .sign(await importPKCS8(account.private_key, 'RS256'))
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    })
    const { status, json } = await postToService(account.token_uri, { headers: {}, body, timeoutMs })
    const parsed = tokenResponse.safeParse(json)
    if (status !== 200 || !parsed.success) {
      throw new PushError(`the service account got no access: ${status}`, 'temporary')
    }
    const { access_token: token, expires_in: expiresS } = parsed.data
    return { token, until: performance.now() + Math.max(0, expiresS - earlyS) * 1000 }
  }

  /** One request for all messages that wait for it. A failed one is not kept. */
  function accessToken(): Promise<Access> {
    if (access !== undefined && performance.now() < access.until) return access.given
    const given = requestAccess()
    const mine = { given, until: Number.POSITIVE_INFINITY }
    access = mine
    given.then(
      ({ until }) => {
        mine.until = until
      },
      () => forget(given),
    )
    return given
  }

  function forget(given: Promise<Access>): void {
    if (access?.given === given) access = undefined
  }

  const endpoint = `${url.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`
  return async (message: PushMessage): Promise<PushAccepted> => {
    const given = accessToken()
    const { token } = await given
    const { status, json } = await postToService(endpoint, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: fcmMessage(message) }),
      timeoutMs,
    })
    if (status === 200) return { receipt: null }
    // The next message requests a new token, unless another one has already done so.
    if (status === 401) forget(given)
    throw fcmError(status, json)
  }
}

function fcmError(status: number, json: unknown): PushError {
  const parsed = errorResponse.safeParse(json)
  const details = parsed.data?.error.details ?? []
  const codes = details.flatMap(({ errorCode }) => errorCode ?? [])
  // A token of another project, or a text that is none, is as useless as one that has ended.
  const isGone =
    codes.includes('UNREGISTERED') ||
    codes.includes('SENDER_ID_MISMATCH') ||
    (codes.includes('INVALID_ARGUMENT') && isAboutToken(parsed.data?.error.message, details))
  if (isGone) return new PushError('the app is no longer registered', 'unregistered')
  const reason = codes.join() || parsed.data?.error.status || String(status)
  return new PushError(`FCM refused the message: ${reason}`, status === 401 ? 'temporary' : 'refused')
}

/**
 * INVALID_ARGUMENT is also the code of a bad payload, whose details name its field. For a malformed token they name `message.token`,
 * or no field at all, and the message says so (firebase.google.com/docs/cloud-messaging/error-codes, example 2).
 */
function isAboutToken(
  message: string | undefined,
  details: readonly { fieldViolations?: { field?: string | undefined }[] | undefined }[],
): boolean {
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field))
  return fields.length === 0 ? message === invalidToken : fields.every((field) => field === 'message.token')
}
const invalidToken = 'The registration token is not a valid FCM registration token'

/** The message in FCM's form; all values of `data` are texts. A closing message is data only, handled by the app. */
function fcmMessage({ target, content, urgency, ttlS, tag }: PushMessage) {
  const isHigh = urgency === 'high'
  const base = {
    token: target.token,
    android: { priority: isHigh ? 'HIGH' : 'NORMAL', ttl: `${ttlS}s`, collapse_key: tag },
    apns: {
      headers: {
        'apns-priority': isHigh ? '10' : '5',
        'apns-expiration': String(Math.floor(Date.now() / 1000) + ttlS),
        // At most 64 bytes: a tag is a word with an id.
        'apns-collapse-id': tag,
      },
    },
  }
  if ('close' in content) {
    const { headers } = base.apns
    return {
      ...base,
      data: { close: content.close.tags.join() },
      android: { ...base.android, priority: 'NORMAL' },
      apns: {
        headers: { ...headers, 'apns-priority': '5', 'apns-push-type': 'background' },
        payload: { aps: { 'content-available': 1 } },
      },
    }
  }
  const { title, body, navigate, data } = content.notification
  const texts = Object.entries({ ...data, link: navigate, tag }).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  )
  return {
    ...base,
    notification: { title, body },
    data: Object.fromEntries(texts),
    android: { ...base.android, notification: { tag } },
    apns: { ...base.apns, payload: { aps: { sound: 'default', 'thread-id': data.kind } } },
  }
}
