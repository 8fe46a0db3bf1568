import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of a built web application: one shell, and the front page prerendered in some languages. */
export interface WebBuild {
  folder: string
  shell: string
  /** By locale. */
  frontPages: ReadonlyMap<string, string>
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
  return { folder, shell: readFileSync(shellFile, 'utf8'), frontPages }
}
