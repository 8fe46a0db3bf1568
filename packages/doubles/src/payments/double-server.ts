import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DoubleRequest {
  /** For example `POST /api/request`. */
  route: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  /** The body parsed as a form. */
  form: URLSearchParams
}

export interface DoubleResponse {
  status?: number
  type?:
    | 'text/html; charset=utf-8'
    | 'application/json'
    | 'text/plain'
    | 'text/xml'
    | 'application/xml'
    | 'text/javascript'
  body: string
  /** Redirects the browser (303). */
  location?: string
}

export interface DoubleServer {
  origin: string
  close(): Promise<void>
}

/** A refused request: the response's status, and the reason as its body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** A local server that responds 503 to everything while `isDown` returns true. */
export async function startDoubleServer(
  answer: (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>,
  isDown: () => boolean,
): Promise<DoubleServer> {
  const server = createServer(async (request, response) => {
    const { status, type, body, location } = await read(request)
      .then((one) => (isDown() ? { status: 503, body: 'down' } : answer(one)))
      .catch((reason: unknown) =>
        reason instanceof Refusal
          ? { status: reason.status, body: reason.message }
          : { status: 500, body: String(reason) },
      )
      .then((one: DoubleResponse) => one)
    response.writeHead(location ? 303 : (status ?? 200), {
      'content-type': type ?? 'text/plain',
      ...(location ? { location } : {}),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<DoubleRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts).toString('utf8')
  const url = new URL(request.url ?? '/', 'http://double')
  return {
    route: `${request.method} ${url.pathname}`,
    url,
    headers: request.headers,
    body,
    form: new URLSearchParams(body),
  }
}

export const asJson = (value: unknown, status = 200): DoubleResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const inputs = (fields: [string, string][]) =>
  fields
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('')

const page = (title: string, content: string): DoubleResponse => ({
  type: 'text/html; charset=utf-8',
  body:
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${escaped(title)}</title><body><h1>${escaped(title)}</h1>${content}</body></html>`,
})

/** The page where the payer decides: its buttons post `decision` (approve or decline) and `reference`. */
export function decisionPage(
  title: string,
  order: { reference: string; text: string; action: string },
): DoubleResponse {
  const button = (decision: string, label: string) =>
    `<button name="decision" value="${decision}">${label}</button>`
  return page(
    title,
    `<p>${escaped(order.text)}</p><form method="post" action="${escaped(order.action)}">` +
      `${inputs([['reference', order.reference]])}${button('approve', 'Pay')} ${button('decline', 'Decline')}</form>`,
  )
}

/** A page that submits a form automatically, as some providers do to return the browser. */
export function autoPostPage(title: string, action: string, fields: [string, string][]): DoubleResponse {
  return page(
    title,
    `<form method="post" action="${escaped(action)}">${inputs(fields)}<button>Back to the shop</button></form>` +
      '<script>document.forms[0].submit()</script>',
  )
}

/**
 * A provider's hosted page: its buttons post `decision` (approve or decline) to the page's URL, its link leads back to
 * the shop.
 */
export function checkoutPage(
  provider: string,
  { lines, back, notice }: { lines: string[]; back: string; notice?: string },
): DoubleResponse {
  const alert = notice === undefined ? '' : `<p role="alert">${escaped(notice)}</p>`
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(provider)}</title>
<style>body{font:16px/1.5 system-ui;max-width:24rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>
<h1>${escaped(provider)}</h1>${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}${alert}
<form method="post"><button name="decision" value="approve">Pay</button>
<button name="decision" value="decline">Decline</button></form>
<p><a href="${escaped(back)}">Back to the shop</a></p></html>`,
  }
}
