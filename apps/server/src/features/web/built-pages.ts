import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ScreenPath } from '@hansom/domain/access/screens'
import { textsOf } from '@hansom/domain/languages/page-texts'
import type { Role } from '@hansom/domain/users/roles'
import type { Encoding } from '../../platform/http/content-negotiation.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { type FilledPage, fillPage } from './fill-page.ts'
import { frontPageKey, type PageFiles, type WebBuild } from './web-build.ts'

/** A page that is the same for all users of a role. */
export interface BuiltPage extends FilledPage {
  /** ETag of its content. */
  tag: string
  bodies: Record<Encoding | 'identity', Buffer>
}

export interface BuiltPages {
  /** `screen` null: an unknown path. `isFront`: the prerendered page, if the language has one. */
  page(screen: ScreenPath | null, isFront: boolean, locale: string, role: Role | null): Promise<BuiltPage>
  /** Number of cached pages. */
  size(): number
}

/** Enough for the visitors' pages in some languages and the common pages of signed-in users. */
const cacheSize = 96
const brotli = promisify(brotliCompress)
const quality = 9

interface Deps {
  settings: Pick<SettingsService, 'publicView'>
  languages: Pick<LanguagesService, 'list' | 'pack'>
}

/** Builds each page once per language, role, and version of settings and texts; drops the least recently used. */
export function createBuiltPages(build: WebBuild, { settings, languages }: Deps): BuiltPages {
  const cache = new Map<string, Promise<BuiltPage>>()
  let cachedView = ''

  const buildPage: BuiltPages['page'] = async (screen, isFront, locale, role) => {
    const view = await settings.publicView()
    const texts = build.site && textsOf(build.site.texts, screen, role, view.category)
    const front = isFront ? build.frontPages.get(frontPageKey(view.category, locale)) : undefined
    const html = front ?? build.shell
    const boot = {
      settings: view,
      languages: await languages.list(),
      pack: await languages.pack(locale, texts ?? undefined),
      texts,
    }
    const filled = fillPage(html, boot, filesOf(build, screen, role))
    const identity = Buffer.from(filled.before + filled.after)
    const [br, zipped] = await Promise.all([
      brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      promisify(gzip)(identity, { level: quality }),
    ])
    const tag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`
    return { ...filled, tag, bodies: { br, gzip: zipped, identity } }
  }

  return {
    page: async (screen, isFront, locale, role) => {
      // Compares the complete view, because installed capabilities can change without a new version.
      const now = JSON.stringify(await settings.publicView())
      if (now !== cachedView) cache.clear()
      cachedView = now
      const key = [screen, isFront, locale, role].join(' ')
      const page = cache.get(key) ?? buildPage(screen, isFront, locale, role)
      cache.delete(key)
      cache.set(key, page)
      page.catch(() => cache.delete(key))
      const oldest = cache.keys().next().value
      if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest)
      return page
    },
    size: () => cache.size,
  }
}

function filesOf({ site }: WebBuild, screen: ScreenPath | null, role: Role | null): PageFiles {
  const files = screen === null ? undefined : site?.files[screen]
  const own = role === null ? undefined : files?.forRole[role]
  const joined = (which: keyof PageFiles) => [
    ...new Set([...(files?.all[which] ?? []), ...(own?.[which] ?? [])]),
  ]
  return { scripts: joined('scripts'), styles: joined('styles') }
}
