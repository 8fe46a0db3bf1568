import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { blockingError, checkTexts } from '@hansom/domain/languages/check-texts'
import { checkNames, type LanguageNames, tidyNames } from '@hansom/domain/languages/edit-language'
import { completeTexts, keysOf, type Texts } from '@hansom/domain/languages/plural-keys'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Packs } from './admin-view.ts'
import { type KnownLanguage, readLanguages } from './known-languages.ts'
import { languagesTable } from './table.ts'

type Row = typeof languagesTable.$inferInsert

/** A language before and after a change; null when it was added or removed. */
export interface LanguageChange {
  before: KnownLanguage | null
  after: KnownLanguage | null
}

/** Returns the language with that code. Throws not_found for an unknown or removed one. */
export async function findLanguage(tx: Transaction, locale: string): Promise<KnownLanguage> {
  const { all } = await readLanguages(tx.db)
  const language = all.find((one) => one.langLocale === locale && !one.removed)
  if (language === undefined) throw new Refusal('not_found')
  return language
}

/**
 * Adds a language with copies of the default language's texts; a removed language of the release returns with its own
 * texts. Throws invalid_input with the fields, language_exists.
 */
export async function addLanguage(
  tx: Transaction,
  given: LanguageNames,
  packs: Packs,
  now: number,
): Promise<LanguageChange> {
  const names = tidyNames(given)
  const { all } = await readLanguages(tx.db)
  const known = all.find((one) => isSameLocale(one.langLocale, names.langLocale))
  if (known !== undefined && !known.removed) throw new Refusal('language_exists', taken)
  refuseNames(names, all, null)
  const row = { ...names, langLocale: known?.langLocale ?? names.langLocale }
  if (known !== undefined) {
    await write(tx, known, { ...row, removed: false }, now)
  } else {
    const source = all.find((one) => one.default)
    const texts = source === undefined ? {} : { ...packs.shipped.get(source.langLocale), ...source.own }
    const copy = copyOf(row.langLocale, texts, packs.english)
    const made = { ...row, id: uuidv7(), keyValuePairs: copy, copied: Object.keys(copy), createdAt: now }
    await tx.db.insert(languagesTable).values(made)
  }
  return { before: null, after: await findLanguage(tx, row.langLocale) }
}

/** Returns the initial texts of a new language: the default language's, for every key and plural form that it needs. */
function copyOf(locale: string, texts: Texts, english: Texts): Record<string, string> {
  const complete = completeTexts(locale, completeTexts(locale, texts, { ...english, ...texts }), english)
  return Object.fromEntries(keysOf(locale, english).map((key) => [key, complete[key] ?? '']))
}

/** Changes a language's names, code and direction. Throws invalid_input, language_exists. */
export async function renameLanguage(
  tx: Transaction,
  language: KnownLanguage,
  given: Partial<LanguageNames>,
  now: number,
): Promise<LanguageChange> {
  const names = tidyNames(given)
  const { all } = await readLanguages(tx.db)
  refuseNames(names, all, language)
  const { langLocale } = names
  if (langLocale !== undefined && langLocale !== language.langLocale) {
    // The release's texts are stored under its code.
    if (language.shipped) {
      throw new Refusal('invalid_input', { fields: [{ field: 'langLocale', error: 'not_in_list' }] })
    }
    const isTaken = all.some(
      (one) => one !== language && one.id !== language.id && isSameLocale(one.langLocale, langLocale),
    )
    if (isTaken) throw new Refusal('language_exists', taken)
  }
  await write(tx, language, names, now)
  return { before: language, after: await findLanguage(tx, langLocale ?? language.langLocale) }
}

/**
 * Changes some texts; null or '' reverts one to the release's text, or removes it. A saved text no longer counts as a
 * copy, even when unchanged. Throws invalid_input with the keys.
 */
export async function changeTexts(
  tx: Transaction,
  language: KnownLanguage,
  texts: Readonly<Record<string, string | null>>,
  packs: Packs,
  now: number,
): Promise<LanguageChange> {
  const { langLocale } = language
  const release = packs.shipped.get(langLocale) ?? {}
  const written = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text ?? '']))
  refuseTexts(langLocale, written, langLocale === 'en' ? (packs.shipped.get('en') ?? {}) : packs.english)
  const own: Record<string, string> = { ...language.own }
  for (const [key, text] of Object.entries(written)) {
    if (text === '' || text === release[key]) delete own[key]
    else own[key] = text
  }
  const copied = language.copied.filter((key) => !(key in written))
  await write(tx, language, { keyValuePairs: own, copied }, now)
  return { before: language, after: await findLanguage(tx, langLocale) }
}

/** Makes a language the only default. */
export async function chooseDefault(
  tx: Transaction,
  language: KnownLanguage,
  now: number,
): Promise<LanguageChange> {
  await tx.db.update(languagesTable).set({ isDefault: false }).where(eq(languagesTable.isDefault, true))
  await write(tx, language, { isDefault: true }, now)
  return { before: language, after: await findLanguage(tx, language.langLocale) }
}

/** Removes a language; one of the release is only marked as removed. Throws 'Cannot delete default language'. */
export async function removeLanguage(
  tx: Transaction,
  language: KnownLanguage,
  now: number,
): Promise<LanguageChange> {
  if (language.default) throw new Refusal('Cannot delete default language')
  if (language.shipped) await write(tx, language, { removed: true, keyValuePairs: {}, copied: [] }, now)
  else await tx.db.delete(languagesTable).where(eq(languagesTable.langLocale, language.langLocale))
  return { before: language, after: null }
}

/** Writes the language's row, which it inserts when a language of the release has none yet. */
async function write(
  tx: Transaction,
  language: KnownLanguage,
  changes: Partial<Row>,
  now: number,
): Promise<void> {
  const version = language.version + 1
  if (language.id === null) {
    const { langName, langLocale, dateLocale, direction } = language
    const row = { langName, langLocale, dateLocale, direction, id: uuidv7(), createdAt: now }
    await tx.db.insert(languagesTable).values({ ...row, ...changes, version })
  } else {
    await tx.db
      .update(languagesTable)
      .set({ ...changes, version })
      .where(eq(languagesTable.id, language.id))
  }
}

const taken = { fields: [{ field: 'langLocale', error: 'language_exists' }] as FieldError[] }
const isSameLocale = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function refuseNames(
  names: Partial<LanguageNames>,
  all: readonly KnownLanguage[],
  before: KnownLanguage | null,
): void {
  const known = all.filter(({ removed }) => !removed)
  const fields = checkNames(names, known, before)
  if (fields.length > 0) throw new Refusal('invalid_input', { fields })
}

const mostNamed = 20

function refuseTexts(locale: string, texts: Texts, english: Texts): void {
  const fields = checkTexts(locale, texts, english).flatMap((found) => {
    const error = blockingError(found)
    return error === null ? [] : [{ field: found.key.slice(0, 60), error }]
  })
  if (fields.length > 0) throw new Refusal('invalid_input', { fields: fields.slice(0, mostNamed) })
}
