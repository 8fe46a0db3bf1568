import { Refusal } from '@hansom/domain/error-keys'
import { fullName } from '@hansom/domain/users/full-name'
import type { FastifyInstance } from 'fastify'
import { escaped } from '../../platform/mailbox/mail-layout.ts'
import type { UsersService } from '../users/service.ts'
import type { MessagesService } from './service.ts'
import type { Writer, Writers } from './write-messages.ts'

interface UnsubscribePageDeps {
  messages: Pick<MessagesService, 'readUnsubscribe' | 'unsubscribe'>
  writers: Writers
  users: Pick<UsersService, 'find'>
  /** Trusted contacts, who have no account. */
  contacts: { refuse(uid: string, address: string): Promise<void> }
  /** Requests per minute of one IP address. */
  limit: number
  siteUrl(): string
}

const path = '/api/v1/unsubscribe/:token'
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/**
 * Turns a kind of email off: `POST` at once, as mail programs do (RFC 8058), without cookies and from any page; `GET` shows
 * a page with a button, because programs that check links open them, too.
 */
export function mountUnsubscribePage(server: FastifyInstance, deps: UnsubscribePageDeps): void {
  const config = { rateLimit: { max: deps.limit, groupId: 'unsubscribe' } }
  const find = async (params: unknown) => {
    const found = deps.messages.readUnsubscribe((params as { token: string }).token)
    if (!found) throw new Refusal('not_found')
    const user = await deps.users.find(found.id)
    if (!user || user.deleted_at !== null) throw new Refusal('not_found')
    const writer = await deps.writers.writerFor(user.locale)
    const { fill } = writer
    if (found.topic === 'contact') {
      const sender = fullName(user)
      const text = (key: 'text' | 'done') => fill(`mail.contact.refuse_${key}`, { sender })
      return { writer, text, turnOff: () => deps.contacts.refuse(found.id, found.address), hasProfile: false }
    }
    const { id, topic } = found
    const text = (key: 'text' | 'done') =>
      fill(`mail.unsubscribe.${key}`, { topic: fill(`mail.topic_${topic}`) })
    return { writer, text, turnOff: () => deps.messages.unsubscribe(id, topic), hasProfile: true }
  }
  server.get(path, { config, exposeHeadRoute: false }, async (request, reply) => {
    const { writer, text } = await find(request.params)
    const form = `<p>${escaped(text('text'))}</p><form method="post"><button>${escaped(writer.fill('mail.unsubscribe.button'))}</button></form>`
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page(writer, form))
  })
  void server.register(async (scope) => {
    // The body only says that it is one click; the token is in the URL.
    scope.addContentTypeParser(formTypes, { bodyLimit: 16_384, parseAs: 'string' }, (_request, _body, done) =>
      done(null, {}),
    )
    scope.post(path, { config: { ...config, fromAnyPage: true } }, async (request, reply) => {
      const { writer, text, turnOff, hasProfile } = await find(request.params)
      await turnOff()
      const link = `<p><a href="${escaped(`${deps.siteUrl()}/profile`)}">${escaped(writer.fill('mail.preferences'))}</a></p>`
      const body = `<p role="status">${escaped(text('done'))}</p>${hasProfile ? link : ''}`
      return reply
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page(writer, body))
    })
  })
}

const style = `body{margin:0;background:#f1f2f4;color:#15171b;font:17px/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:12vh auto;padding:32px;border-radius:16px;background:#fff;overflow-wrap:anywhere}
h1{margin:0 0 16px;font-size:24px;line-height:32px}a{color:inherit}
button{min-height:48px;padding:0 24px;border:0;border-radius:12px;background:#15171b;color:#fff;font:600 16px system-ui,sans-serif}
@media(max-width:600px){main{margin:0;border-radius:0}}
@media(prefers-color-scheme:dark){body{background:#101114;color:#f2f3f5}main{background:#1a1c20}button{background:#f2f3f5;color:#101114}}`

function page({ language, direction, fill, settings }: Writer, body: string): string {
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(fill('mail.unsubscribe.title'))} · ${escaped(settings.appName)}</title>
<style>${style}</style>
<main><h1>${escaped(fill('mail.unsubscribe.title'))}</h1>${body}</main>
</html>
`
}
