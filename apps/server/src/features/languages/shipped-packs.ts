import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flattenPack, type PackGroup, shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import type { Category } from '@hansom/domain/settings/settings'

/** The texts of one release, by locale: `{en: {'common.close': 'Close'}}`. */
export type ShippedPacks = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Texts of deliveries in groups that taxi installations have, too: every page has the errors. */
const ofDeliveries = new Set([
  'error.recipient_phone',
  'error.stop_without_address',
  'error.stop_unreachable',
  'error.file_without_rows',
  'error.wait_at_stop',
  'error.too_many_changes',
  'error.wrong_label',
  'error.proof_needed',
  'error.deliveryDetailMissing',
  'trip.event_add_proof',
  'trip.event_add_instructions',
  'trip.event_correct_recipient',
  'trip.event_inform_failed',
  'trip.actor_recipient',
  'users.import_for',
])

let known: Readonly<Record<Category, ShippedPacks>> | undefined

/** The release's texts for each category: delivery's are the taxi texts with those that differ. Read once. */
export function readShippedPacks(): Readonly<Record<Category, ShippedPacks>> {
  known ??= readCategories()
  return known
}

function readCategories(): Readonly<Record<Category, ShippedPacks>> {
  const all = readPacks('.')
  const differing = readPacks('delivery')
  const delivery = [...all].map(
    ([locale, texts]) => [locale, { ...texts, ...differing.get(locale) }] as const,
  )
  const taxi = [...all].map(
    ([locale, texts]) =>
      [locale, Object.fromEntries(Object.entries(texts).filter(([key]) => !ofDeliveries.has(key)))] as const,
  )
  return { taxi: new Map(taxi), delivery: new Map(delivery) }
}

/** Reads the texts of every language from `folder` in its folder. */
export function readPacks(folder: string): ShippedPacks {
  const packs = findPacks()
  return new Map(
    shippedLanguages.map(({ langLocale }) => [
      langLocale,
      flattenPack(readGroups(join(packs, langLocale, folder))),
    ]),
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
