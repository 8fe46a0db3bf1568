import type { Boot } from '@hansom/contract/boot'
import { mayOpen, screenAt } from '@hansom/domain/access/screens'
import type { Clock } from '../../platform/clock/clock.ts'
import { contentPolicy } from '../../platform/http/content-policy.ts'
import type { PageAnswer } from '../../platform/http/unknown-paths.ts'
import { chosenLocale } from '../../platform/http/chosen-locale.ts'
import type { IdentityService } from '../identity/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { PaymentsService } from '../payments/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { fillPage } from './fill-page.ts'
import type { WebBuild } from './web-build.ts'

export interface PagesDeps {
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

/** Answers a person's request with a page that needs no further request for its first render. */
export function pageAnswer(build: WebBuild, deps: PagesDeps): PageAnswer {
  const { settings, languages, users, identity, payments, clock } = deps
  return async (request, reply) => {
    const session = await identity.session(request.headers)
    const path = request.url.split('?', 1)[0] ?? ''
    if (!mayOpen(path, session?.viewer.approved ? session.viewer.role : null)) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`)
    }
    const provider = checkoutPage.exec(path)?.[1]
    if (provider !== undefined) {
      // The provider's pages and scripts, for this page alone.
      reply.helmet(contentPolicy(deps.publicUrl, payments.hostsOf(provider)))
    }
    const language = await languages.start(chosenLocale(request.headers))
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
        // The page says so too; a crawler or a watchman reads no page.
        .status(screenAt(path) === null ? 404 : 200)
        // A page with a person in it must not be found again by whoever uses the browser next.
        .header('cache-control', boot.me === null ? 'no-cache, private' : 'no-store')
        .header('vary', 'cookie')
        .type('text/html; charset=utf-8')
        .send(fillPage(html, boot))
    )
  }
}
