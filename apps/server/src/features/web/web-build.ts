import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { ScreenPath } from '@hansom/domain/access/screens'
import type { SiteTexts } from '@hansom/domain/languages/page-texts'
import type { Category, Settings } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'
import type { FastifyInstance } from 'fastify'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import type { LanguagesService } from '../languages/service.ts'

/** Paths of build files, without a leading slash. */
export interface PageFiles {
  scripts: readonly string[]
  styles: readonly string[]
}

/** The build's information about its pages. */
export interface Site {
  texts: SiteTexts
  /** The initial files of each page, for all users and additionally per role. */
  files: Partial<Record<ScreenPath, { all: PageFiles; forRole: Partial<Record<Role, PageFiles>> }>>
}

/** The pages of a built web application: one shell, and the front page prerendered for each category in some languages. */
export interface WebBuild {
  folder: string
  shell: string
  /** By `frontPageKey`. */
  frontPages: ReadonlyMap<string, string>
  /** Null for a build without this information; then every page gets all texts. */
  site: Site | null
}

/** The key of a prerendered front page. */
export const frontPageKey = (category: Category, locale: string) => `${category}.${locale}`

/** Reads the pages of a build; null when the folder has none. */
export function readWebBuild(folder: string): WebBuild | null {
  const shellFile = ['app.html', 'index.html']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  if (shellFile === undefined) return null
  const frontPages = new Map<string, string>()
  for (const name of readdirSync(folder)) {
    const key = /^index\.([a-z]+\.[A-Za-z-]+)\.html$/.exec(name)?.[1]
    if (key !== undefined) frontPages.set(key, readFileSync(join(folder, name), 'utf8'))
  }
  const siteFile = join(folder, '.vite', 'site.json')
  const site = existsSync(siteFile) ? (JSON.parse(readFileSync(siteFile, 'utf8')) as Site) : null
  return { folder, shell: readFileSync(shellFile, 'utf8'), frontPages, site }
}

interface ManifestDeps {
  settings: { current(): Promise<Pick<Settings, 'appName'>> }
  languages: Pick<LanguagesService, 'start' | 'pack'>
}

/** The pages of the launcher's menu, which every role may open, and the keys of their names. The app starts at the booking form. */
const shortcuts = [
  ['/bookings', 'common.nav_bookings'],
  ['/profile', 'auth.profile'],
] as const

/** Serves the manifest of the installed app, with the app's name, in the language of the pages. */
export function mountManifest(server: FastifyInstance, { settings, languages }: ManifestDeps): void {
  server.get('/manifest.webmanifest', { exposeHeadRoute: false }, async (request, reply) => {
    const { appName } = await settings.current()
    const { langLocale, direction } = await languages.start(chosenLocale(request.headers))
    const { keyValuePairs } = await languages.pack(
      langLocale,
      shortcuts.map(([, key]) => key),
    )
    const icon = (size: number, purpose: 'any' | 'maskable') => ({
      src: `/icons/${purpose === 'any' ? '' : 'maskable-'}${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })
    return reply
      .header('cache-control', 'private, max-age=3600')
      .header('vary', 'cookie')
      .type('application/manifest+json; charset=utf-8')
      .send(
        JSON.stringify({
          id: '/',
          name: appName,
          short_name: appName,
          start_url: '/',
          scope: '/',
          display: 'standalone',
          background_color: '#f6f6f4',
          theme_color: '#f6f6f4',
          lang: langLocale,
          dir: direction,
          icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
          shortcuts: shortcuts.map(([url, key]) => ({
            name: keyValuePairs[key],
            url,
            icons: [icon(192, 'any')],
          })),
        }),
      )
  })
}

/** Serves the build's files other than pages; those with a hash in their name are cached forever. */
export async function mountStaticFiles(server: FastifyInstance, build: WebBuild): Promise<void> {
  await server.register(fastifyStatic, {
    root: build.folder,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.html', '**/*.br', '**/*.gz', '.vite/**'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${sep}assets${sep}`)
      // Also its compressed form.
      const isWorker = path.startsWith(join(build.folder, 'sw.js'))
      const age = hashed
        ? 'public, max-age=31536000, immutable'
        : isWorker
          ? 'no-cache'
          : 'public, max-age=3600'
      reply.header('cache-control', age)
    },
  })
}
