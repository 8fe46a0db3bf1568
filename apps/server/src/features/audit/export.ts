import type { AuditEntry } from '@hansom/contract/audit'
import { auditTableSpec } from '@hansom/contract/audit-table'
import { verbOf } from '@hansom/domain/audit/audited-routes'
import { type AuditLine, auditLines } from '@hansom/domain/audit/field-values'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { AuditService } from './service.ts'

interface ChangeLine {
  entry: AuditEntry
  line: AuditLine | null
}

/** CSV export of the audit log, with one row per changed field and the values as stored. */
export const auditExport = (audit: Pick<AuditService, 'all'>): TableExport =>
  tableExport<ChangeLine>({
    name: 'audit',
    offer: auditTableSpec,
    roles: ['admin'],
    when: 'critical',
    async *rows(_person, query) {
      for await (const entries of audit.all(query)) yield entries.flatMap(linesOf)
    },
    columns: [
      { title: 'audit.at', kind: 'time', value: ({ entry }) => entry.at },
      { title: 'audit.by', kind: 'text', value: ({ entry }) => entry.by_name },
      { title: 'audit.action', kind: { words: 'audit.verb_' }, value: ({ entry }) => verbOf(entry.action) },
      { title: 'audit.kind', kind: { words: 'audit.kind_' }, value: ({ entry }) => entry.kind },
      { title: 'audit.label', kind: 'text', value: ({ entry }) => entry.label },
      { title: 'audit.field', kind: 'text', value: ({ line }) => line?.field ?? null },
      { title: 'audit.before', kind: 'text', value: (row) => valueOf(row, 'before') },
      { title: 'audit.after', kind: 'text', value: (row) => valueOf(row, 'after') },
    ],
  })

function linesOf(entry: AuditEntry): ChangeLine[] {
  const lines = auditLines(entry.before, entry.after)
  return lines.length === 0 ? [{ entry, line: null }] : lines.map((line) => ({ entry, line }))
}

function valueOf({ entry, line }: ChangeLine, side: 'before' | 'after'): string | null {
  const value = line?.[side] ?? null
  if (value === null) return null
  return typeof value === 'string' ? (entry.names[value] ?? value) : JSON.stringify(value)
}
