import type { ScreenPath } from '@hansom/domain/access/screens'
import type { SiteTexts } from '@hansom/domain/languages/page-texts'
import type { Role } from '@hansom/domain/users/roles'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of the build by their paths, without a slash in front. */
export interface PageFiles {
  scripts: readonly string[]
  styles: readonly string[]
}

/** What the build knows of its pages. */
export interface Site {
  texts: SiteTexts
  /** What a page begins with, and what it begins with besides for one role. */
  files: Partial<Record<ScreenPath, { all: PageFiles; forRole: Partial<Record<Role, PageFiles>> }>>
}

/** The pages of a built web application: one shell, and the front page prerendered in some languages. */
export interface WebBuild {
  folder: string
  shell: string
  /** By locale. */
  frontPages: ReadonlyMap<string, string>
  /** Null for a build that says nothing of them: then every page gets all texts. */
  site: Site | null
}

/** Reads the pages of a build; null when nothing has been built there. */
export function readWebBuild(folder: string): WebBuild | null {
  const shellFile = ['app.html', 'index.html']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  if (shellFile === undefined) return null
  const frontPages = new Map<string, string>()
  for (const name of readdirSync(folder)) {
    const locale = /^index\.([A-Za-z-]+)\.html$/.exec(name)?.[1]
    if (locale !== undefined) frontPages.set(locale, readFileSync(join(folder, name), 'utf8'))
  }
  const siteFile = join(folder, '.vite', 'site.json')
  const site = existsSync(siteFile) ? (JSON.parse(readFileSync(siteFile, 'utf8')) as Site) : null
  return { folder, shell: readFileSync(shellFile, 'utf8'), frontPages, site }
}
