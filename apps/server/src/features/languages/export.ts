import type { AdminLanguage } from '@hansom/contract/languages'
import { languagesTableSpec } from '@hansom/contract/languages-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { LanguagesService } from './service.ts'

/** CSV export of the languages with their translation progress. */
export const languagesExport = (languages: Pick<LanguagesService, 'manage'>): TableExport =>
  tableExport<AdminLanguage>({
    name: 'languages',
    spec: languagesTableSpec,
    roles: ['admin'],
    when: 'critical',
    async *rows(_person, { sort }) {
      const list = [...(await languages.manage())].sort((a, b) => a.langName.localeCompare(b.langName))
      yield sort?.startsWith('-') ? list.reverse() : list
    },
    columns: [
      { title: 'language.name', kind: 'text', value: (row) => row.langName },
      { title: 'language.code', kind: 'text', value: (row) => row.langLocale },
      { title: 'language.date_code', kind: 'text', value: (row) => row.dateLocale },
      { title: 'language.direction', kind: { words: 'language.' }, value: (row) => row.direction },
      { title: 'language.default', kind: 'flag', value: (row) => row.default },
      { title: 'language.shipped', kind: 'flag', value: (row) => row.shipped },
      { title: 'language.export_keys', kind: 'number', value: (row) => row.keys },
      { title: 'language.export_translated', kind: 'number', value: (row) => row.translated },
      { title: 'language.export_createdAt', kind: 'time', value: (row) => row.createdAt },
    ],
  })
