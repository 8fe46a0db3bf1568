import type { AdminLanguage } from '@hansom/contract/languages'
import type { RouteName } from '@hansom/domain/access/routes'
import type { LanguageNames } from '@hansom/domain/languages/edit-language'
import { refuseClash, writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SettingsService } from '../settings/service.ts'
import { adminLanguage, languageTexts, type Packs } from './admin-view.ts'
import {
  addLanguage,
  changeTexts,
  chooseDefault,
  findLanguage,
  type LanguageChange,
  removeLanguage,
  renameLanguage,
} from './change-languages.ts'
import { type KnownLanguage, type KnownLanguages, publicFields, readLanguages } from './known-languages.ts'
import { lockLanguages } from './lock-languages.ts'

/** Admin operations on languages; each throws not_found for an unknown language. */
export interface LanguageAdmin {
  /** Throws language_exists, invalid_input. */
  create(uid: string, names: LanguageNames): Promise<AdminLanguage>
  /** Throws conflict (`data.current`), language_exists, invalid_input. */
  update(uid: string, locale: string, version: number, names: Partial<LanguageNames>): Promise<AdminLanguage>
  /** Throws conflict (`data.current`), invalid_input. */
  saveTexts(
    uid: string,
    locale: string,
    version: number,
    texts: Readonly<Record<string, string | null>>,
  ): Promise<AdminLanguage>
  makeDefault(uid: string, locale: string): Promise<AdminLanguage[]>
  /** Throws 'Cannot delete default language'. */
  remove(uid: string, locale: string): Promise<AdminLanguage[]>
}

export interface EditorDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  settings: Pick<SettingsService, 'languagesChanged'>
  packsOf(languages: KnownLanguages): Promise<Packs>
  present(languages: KnownLanguages): KnownLanguage[]
}

type Work = (tx: Transaction, packs: Packs, now: number) => Promise<LanguageChange>

/** Changes languages one at a time, with a live event and an audit log entry. */
export function createLanguageEditor(deps: EditorDeps): LanguageAdmin {
  const { database, clock, settings, packsOf, present } = deps

  /** Runs a change; returns the changed language and all languages after it. */
  const change = (uid: string, action: RouteName, work: Work) =>
    database.withTransaction(async (tx) => {
      await lockLanguages(tx)
      const now = clock.now()
      const packs = await packsOf(await readLanguages(tx.db))
      const { before, after } = await work(tx, packs, now)
      await settings.languagesChanged(tx)
      const label = (after ?? before)?.langName ?? ''
      const subject = (before ?? after)?.langLocale ?? ''
      const [was, is] =
        action === 'languages.saveTexts' ? textChanges(before, after) : [before, after].map(audited)
      await writeAudit(tx, {
        by: uid,
        at: now,
        action,
        kind: 'language',
        subject,
        label,
        version: after?.version,
        before: was ?? null,
        after: is ?? null,
      })
      const all = await readLanguages(tx.db)
      return { after, all, packs: await packsOf(all) }
    })

  /** Finds the language. Throws conflict when someone else has changed the same fields since `version`. */
  const findFor = async (
    tx: Transaction,
    locale: string,
    seen: number,
    changes: object,
    view: (language: KnownLanguage, packs: Packs) => object,
  ): Promise<KnownLanguage> => {
    const current = await findLanguage(tx, locale)
    await refuseClash(tx, {
      kind: 'language',
      subject: locale,
      seen,
      current,
      changes,
      view: async () => view(current, await packsOf(await readLanguages(tx.db))),
    })
    return current
  }

  const list = ({ all, packs }: { all: KnownLanguages; packs: Packs }) =>
    present(all).map((language) => adminLanguage(language, packs))
  const one = <V>(
    { after, packs }: { after: KnownLanguage | null; packs: Packs },
    view: (l: KnownLanguage, p: Packs) => V,
  ) => {
    if (after === null) throw new Error('the language no longer exists')
    return view(after, packs)
  }

  return {
    create: async (uid, names) =>
      one(
        await change(uid, 'languages.create', (tx, packs, now) => addLanguage(tx, names, packs, now)),
        adminLanguage,
      ),
    update: async (uid, locale, version, names) =>
      one(
        await change(uid, 'languages.update', async (tx, _packs, now) =>
          renameLanguage(tx, await findFor(tx, locale, version, names, adminLanguage), names, now),
        ),
        adminLanguage,
      ),
    saveTexts: async (uid, locale, version, texts) =>
      one(
        await change(uid, 'languages.saveTexts', async (tx, packs, now) =>
          changeTexts(tx, await findFor(tx, locale, version, { texts }, languageTexts), texts, packs, now),
        ),
        adminLanguage,
      ),
    makeDefault: async (uid, locale) =>
      list(
        await change(uid, 'languages.makeDefault', async (tx, _packs, now) =>
          chooseDefault(tx, await findLanguage(tx, locale), now),
        ),
      ),
    remove: async (uid, locale) =>
      list(
        await change(uid, 'languages.remove', async (tx, _packs, now) =>
          removeLanguage(tx, await findLanguage(tx, locale), now),
        ),
      ),
  }
}

function audited(language: KnownLanguage | null) {
  return language === null ? null : { ...publicFields(language) }
}

/** Returns the differing texts as rows; as field names, keys like login.password would be treated as secrets. */
function textChanges(before: KnownLanguage | null, after: KnownLanguage | null) {
  const keys = new Set([...Object.keys(before?.own ?? {}), ...Object.keys(after?.own ?? {})])
  const differing = [...keys].filter((key) => before?.own[key] !== after?.own[key]).sort()
  const rows = (language: KnownLanguage | null) => ({
    texts: differing.map((key) => ({ key, text: language?.own[key] ?? null })),
  })
  return [rows(before), rows(after)]
}
