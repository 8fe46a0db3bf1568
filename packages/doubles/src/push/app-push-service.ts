import { createVerify, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { startServer } from './loopback.ts'

export interface AppRequest {
  path: string
  authorization: string
  /** JSON, or the text of another body. */
  body: unknown
}

export interface AppPushService {
  url: string
  /** A key file of a service account; the token endpoint is on the same server. */
  account: { project_id: string; client_email: string; private_key: string; token_uri: string }
  /** Requests except those for access tokens. */
  requests: AppRequest[]
  tokensIssued: number
  /** Decides the response by path and body. */
  respond: (request: AppRequest) => { status: number; body: unknown; retryAfter?: string }
  close(): Promise<void>
}

/** The same for all services of a process, since it takes a tenth of a second. */
let accountKeys: KeyPairKeyObjectResult | undefined

/** The services of Google and Expo on loopback; `respond` decides what they return. */
export async function startAppPushService(): Promise<AppPushService> {
  accountKeys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey, publicKey } = accountKeys
  const { host, close } = await startServer(async (request, response, body) => {
    const path = request.url ?? ''
    const send = (status: number, json: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json))
    if (path === '/token') {
      const [head = '', payload = '', signature = ''] =
        new URLSearchParams(body.toString()).get('assertion')?.split('.') ?? []
      const isValid = createVerify('sha256')
        .update(`${head}.${payload}`)
        .verify(publicKey, Buffer.from(signature, 'base64url'))
      if (!isValid) return send(401, { error: 'invalid_grant' })
      service.tokensIssued += 1
      return send(200, { access_token: `access-${service.tokensIssued}`, expires_in: 3_600 })
    }
    const given = {
      path,
      authorization: request.headers.authorization ?? '',
      body: parsed(body.toString()),
    }
    service.requests.push(given)
    const { status, body: json, retryAfter } = service.respond(given)
    send(status, json, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  })
  const url = `http://${host}`
  const service: AppPushService = {
    url,
    account: {
      project_id: 'rides-test',
      client_email: 'push@rides-test.invalid',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: `${url}/token`,
    },
    requests: [],
    tokensIssued: 0,
    respond: () => ({ status: 200, body: {} }),
    close,
  }
  return service
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
