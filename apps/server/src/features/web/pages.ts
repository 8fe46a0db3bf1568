import { mayOpen, movedScreens, screenAt } from '@hansom/domain/access/screens'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Clock } from '../../platform/clock/clock.ts'
import { acceptedEncoding } from '../../platform/http/accepted-encoding.ts'
import { contentPolicy } from '../../platform/http/content-policy.ts'
import type { PageAnswer } from '../../platform/http/unknown-paths.ts'
import { chosenLocale } from '../../platform/http/chosen-locale.ts'
import type { IdentityService } from '../accounts/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { PaymentsService } from '../payments/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { type BuiltPage, createBuiltPages } from './built-pages.ts'
import { personPage } from './fill-page.ts'
import { firstData, type FirstDataDeps } from './first-data.ts'
import type { WebBuild } from './web-build.ts'

export interface PagesDeps extends FirstDataDeps {
  settings: SettingsService
  languages: LanguagesService
  users: UsersService
  identity: IdentityService
  payments: Pick<PaymentsService, 'hostsOf'>
  publicUrl: string | undefined
  clock: Clock
}

/** The page that carries an attempt to pay out, with the name of its provider. */
const checkoutPage = /^\/checkout\/([a-z]+)\/[^/]+\/?$/

/**
 * Answers a person's request with a page that needs no further request for its first render. What is the same for everybody
 * of a role is built once; what belongs to one person is added to it and kept nowhere.
 */
export function pageAnswer(build: WebBuild, deps: PagesDeps): PageAnswer {
  const { languages, users, identity, payments, clock } = deps
  const pages = createBuiltPages(build, deps)
  return async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (Object.hasOwn(movedScreens, path)) {
      return reply.redirect(
        movedScreens[path as keyof typeof movedScreens] + request.url.slice(path.length),
        308,
      )
    }
    const session = await identity.session(request.headers)
    if (!mayOpen(path, session?.viewer.approved ? session.viewer.role : null)) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`)
    }
    const provider = checkoutPage.exec(path)?.[1]
    if (provider !== undefined) {
      // The provider's pages and scripts, for this page alone.
      reply.helmet(contentPolicy(deps.publicUrl, payments.hostsOf(provider)))
    }
    const { langLocale } = await languages.start(chosenLocale(request.headers))
    const screen = screenAt(path)
    const role = session?.viewer.role ?? null
    // The prerendered front page is a visitor's.
    const page = await pages.page(screen, path === '/' && role === null, langLocale, role)
    reply
      // The page says so too; a crawler or a watchman reads no page.
      .status(screen === null ? 404 : 200)
      .header('vary', 'cookie, accept-encoding')
      .type('text/html; charset=utf-8')
    const me = session && (await users.me(session.viewer.uid))
    if (session === null || me === null) return sendShared(request, reply, page)
    if (session.cookie !== undefined) reply.header('set-cookie', session.cookie)
    const first = await firstData(deps, screen, path, session.viewer)
    const person = { me, clock: { now: clock.now(), speed: clock.speed }, first }
    // A page with a person in it must not be found again by whoever uses the browser next.
    reply.header('cache-control', 'no-store')
    return sendFresh(request, reply, personPage(page, person))
  }
}

/** Sends a page that has nobody in it, or word that the browser has it already. */
function sendShared(request: FastifyRequest, reply: FastifyReply, { tag, bodies }: BuiltPage): FastifyReply {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  reply.header('cache-control', 'no-cache, private')
  if (reply.statusCode === 200) {
    reply.header('etag', tag)
    const known = request.headers['if-none-match']?.split(/, */) ?? []
    if (known.includes(tag)) return reply.status(304).removeHeader('content-type').send()
  }
  if (encoding !== null) reply.header('content-encoding', encoding)
  return reply.send(bodies[encoding ?? 'identity'])
}

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Sends a page that is made for this request alone. */
async function sendFresh(request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (encoding === null) return reply.send(html)
  reply.header('content-encoding', encoding)
  return reply.send(
    encoding === 'br' ? await promisify(brotliCompress)(html, fast) : await promisify(gzip)(html),
  )
}
