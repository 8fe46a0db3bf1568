import { reasonKey } from '@hansom/domain/cancel-reasons/reasons'
import type { ShowMessage, WebMessage } from '@hansom/domain/devices/web-message'
import { pushRules } from '@hansom/domain/notifications/kinds'
import { pageOfNotification, pathOfPage } from '@hansom/domain/notifications/page'
import { shortened } from '@hansom/domain/notifications/shortened'
import type { LanguagesService } from '../languages/service.ts'
import type { ClaimedPush, QueuedNotification } from './queue.ts'

export interface ComposeDeps {
  languages: Pick<LanguagesService, 'choose' | 'pack'>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

export interface Composed {
  content: WebMessage
  urgency: 'high' | 'normal' | 'low'
}

interface Texts {
  lang: string
  dir: 'ltr' | 'rtl'
  text(key: string): string | undefined
}

/** How long texts are kept: a changed text is used after this time, ms. */
const freshMs = 5_000

/** The longest text, characters. Payloads have at most 3,993 bytes (RFC 8291, section 4), and phones show less. */
const longest = { title: 120, body: 500 }

/** Returns a function that writes a message in the language of its receiver, for the page of the receiver's role. */
export function createComposer({ languages, siteUrl }: ComposeDeps) {
  const known = new Map<string, { texts: Promise<Texts>; at: number }>()

  const textsOf = (locales: readonly string[]): Promise<Texts> => {
    const key = JSON.stringify(locales)
    const before = known.get(key)
    if (before !== undefined && performance.now() - before.at < freshMs) return before.texts
    const texts = readTexts(languages, locales)
    known.set(key, { texts, at: performance.now() })
    // A failure is not kept. Locales are free text, so their number is bounded here.
    texts.catch(() => known.delete(key))
    if (known.size > 100) known.delete(known.keys().next().value ?? '')
    return texts
  }

  return async ({
    content,
    tag,
    locales,
    role,
  }: Pick<ClaimedPush, 'content' | 'tag' | 'locales' | 'role'>) => {
    if (content === null) {
      return { content: { close: { tags: [tag] } }, urgency: 'normal' } satisfies Composed
    }
    const { kind, id, screen, booking, at, expiresAt } = content
    const isRequest = kind === 'requests'
    const { lang, dir, text } = await textsOf(locales)
    const page = pathOfPage(pageOfNotification(content, role))
    const notification: ShowMessage['notification'] = {
      title: shortened(filled(content.title, content, text), longest.title),
      body: shortened(filled(content.msg, content, text), longest.body),
      navigate: `${siteUrl()}${kind === 'test' ? '/profile' : page}`,
      tag,
      lang,
      dir,
      silent: false,
      renotify: isRequest || kind === 'chat',
      requireInteraction: isRequest,
      data: { kind, id, screen, booking, at, expiresAt },
    }
    return {
      content: { web_push: 8030, notification },
      urgency: pushRules[kind].urgency,
    } satisfies Composed
  }
}

async function readTexts(languages: ComposeDeps['languages'], locales: readonly string[]): Promise<Texts> {
  const { langLocale } = await languages.choose(locales)
  const { keyValuePairs, direction } = await languages.pack(langLocale)
  return {
    lang: langLocale,
    dir: direction === 'rtl' ? 'rtl' : 'ltr',
    text: (key) => (Object.hasOwn(keyValuePairs, key) ? keyValuePairs[key] : undefined),
  }
}

/** The text of a key with its values; the platform's own reasons are translated. */
function filled(key: string, { params }: QueuedNotification, text: Texts['text']): string {
  const { reason } = params
  const values = reason === undefined ? params : { ...params, reason: text(reasonKey(reason)) ?? reason }
  return (text(key) ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}
