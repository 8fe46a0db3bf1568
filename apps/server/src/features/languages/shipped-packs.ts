import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flattenPack, type PackGroup, shippedLanguages } from '@hansom/domain/languages/shipped-languages'

/** Reads the release's texts by locale: `{en: {'common.close': 'Close'}}`. */
export function readShippedPacks(): Map<string, Record<string, string>> {
  const folder = findPacks()
  return new Map(
    shippedLanguages.map(({ langLocale }) => [langLocale, flattenPack(readGroups(join(folder, langLocale)))]),
  )
}

function readGroups(folder: string): Record<string, PackGroup> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.map((name) => [
      basename(name, '.json'),
      JSON.parse(readFileSync(join(folder, name), 'utf8')) as PackGroup,
    ]),
  )
}

/** The packs are files next to the domain's sources; sources and bundle both run below the project's folder. */
function findPacks(): string {
  const start = dirname(fileURLToPath(import.meta.url))
  const inside = join('packages', 'domain', 'src', 'languages', 'packs')
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, inside))) return join(folder, inside)
    if (dirname(folder) === folder) throw new Error(`The folder ${inside} is missing.`)
  }
}
