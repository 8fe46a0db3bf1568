import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface TestObjectStore {
  url: string
  /** By `/<bucket>/<key>`. */
  objects: Map<string, { bytes: Buffer; contentType: string | undefined }>
  /** Number of requests refused for an invalid signature. */
  refusals(): number
  /** Responds to the next `times` requests with this status. */
  fail(status: number, times: number): void
  close(): Promise<void>
}

export interface Account {
  key: string
  secret: string
  region: string
}

/** The part of the S3 API that the adapter uses, on loopback; verifies every signature. */
export async function startObjectStore(account: Account): Promise<TestObjectStore> {
  const objects: TestObjectStore['objects'] = new Map()
  let refusals = 0
  let failing = { status: 0, times: 0 }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (failing.times > 0) {
      failing.times -= 1
      return end(response, failing.status, error('InternalError'))
    }
    if (!isGenuine(request, body, account)) {
      refusals += 1
      return end(response, 403, error('SignatureDoesNotMatch'))
    }
    const url = new URL(request.url ?? '/', 'http://store')
    const found = objects.get(url.pathname)
    switch (request.method) {
      case 'PUT':
        objects.set(url.pathname, { bytes: body, contentType: request.headers['content-type'] })
        return end(response, 200, '')
      case 'DELETE':
        objects.delete(url.pathname)
        return end(response, 204, '')
      default:
        if (url.searchParams.get('list-type') === '2') return end(response, 200, list(url))
        if (found === undefined) return end(response, 404, error('NoSuchKey'))
        response.setHeader('content-type', found.contentType ?? '')
        return end(response, 200, found.bytes)
    }
  }

  /** Two keys per page, to exercise paging. */
  function list(url: URL): string {
    const bucket = `${url.pathname.replace(/\/$/, '')}/`
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()]
      .filter((name) => name.startsWith(bucket + (url.searchParams.get('prefix') ?? '')))
      .map((name) => name.slice(bucket.length))
      .filter((key) => key > after)
      .sort()
    const page = keys.slice(0, 2)
    const more = keys.length > 2 ? `<NextContinuationToken>${page[1]}</NextContinuationToken>` : ''
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
    return xml(
      `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${more}${contents}</ListBucketResult>`,
    )
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refusals: () => refusals,
    fail: (status, times) => {
      failing = { status, times }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => void server.close(() => closed()))
    },
  }
}

function end(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status).end(body)
}

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>${body}`
const error = (code: string) => xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()

/** Signature version 4: docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function isGenuine(request: IncomingMessage, body: Buffer, account: Account): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<scope>[^,]+), SignedHeaders=(?<names>[^,]+), Signature=(?<signature>\w+)$/
  const { key, scope, names, signature } = form.exec(request.headers.authorization ?? '')?.groups ?? {}
  const at = String(request.headers['x-amz-date'])
  const day = at.slice(0, 8)
  if (!names || key !== account.key || scope !== `${day}/${account.region}/s3/aws4_request`) return false
  if (!names.split(';').includes('host') || request.headers['x-amz-content-sha256'] !== sha256(body))
    return false
  const url = new URL(request.url ?? '/', 'http://store')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, url.pathname, query, headers.join(''), names, sha256(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const signingKey = [account.region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${account.secret}`, day))
  return hmac(signingKey, toSign).toString('hex') === signature
}
