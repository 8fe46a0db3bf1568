import { type Boot, languageCookie } from '@hansom/contract/boot'
import { mayOpen } from '@hansom/domain/access/screens'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock/clock.ts'
import type { PageAnswer } from '../../platform/http/unknown-paths.ts'
import type { IdentityService } from '../identity/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { fillPage } from './fill-page.ts'
import type { WebBuild } from './web-build.ts'

export interface PagesDeps {
  settings: SettingsService
  languages: LanguagesService
  users: UsersService
  identity: IdentityService
  clock: Clock
}

/** Answers a person's request with a page that needs no further request for its first render. */
export function pageAnswer(build: WebBuild, deps: PagesDeps): PageAnswer {
  const { settings, languages, users, identity, clock } = deps
  return async (request, reply) => {
    const session = await identity.session(request.headers)
    const path = request.url.split('?', 1)[0] ?? ''
    if (!mayOpen(path, session?.viewer.approved ? session.viewer.role : null)) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`)
    }
    const { chosen, accepted } = wantedLocales(request)
    const language = await languages.start(chosen, accepted)
    const boot: Boot = {
      settings: await settings.publicView(),
      languages: await languages.list(),
      pack: await languages.pack(language.langLocale),
      me: session === null ? null : await users.me(session.viewer.uid),
      clock: { now: clock.now(), speed: clock.speed },
    }
    if (session?.cookie !== undefined) reply.header('set-cookie', session.cookie)
    const html = (path === '/' ? build.frontPages.get(language.langLocale) : undefined) ?? build.shell
    return (
      reply
        .status(200)
        // A page with a person in it must not be found again by whoever uses the browser next.
        .header('cache-control', boot.me === null ? 'no-cache, private' : 'no-store')
        .header('vary', 'cookie, accept-language')
        .type('text/html; charset=utf-8')
        .send(fillPage(html, boot))
    )
  }
}

/** The language chosen here, and those the browser asks for, best first. */
function wantedLocales(request: FastifyRequest): { chosen: string | null; accepted: string[] } {
  const chosen = new RegExp(`(?:^|; *)${languageCookie}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
  const accepted = (request.headers['accept-language'] ?? '')
    .slice(0, 300)
    .split(',')
    .map((part) => {
      const [locale = '', quality] = part.trim().split(/ *; *q=/)
      return { locale, weight: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ locale, weight }) => locale !== '' && locale !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ locale }) => locale)
  return { chosen: chosen === undefined ? null : decodeSafely(chosen), accepted }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
