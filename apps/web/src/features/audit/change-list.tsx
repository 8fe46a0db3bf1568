import type { AuditEntry } from '@hansom/contract/audit'
import { auditLines } from '@hansom/domain/audit/field-values'
import { useText } from '../../lib/i18n.ts'
import classes from './audit.module.css'
import type { AuditWriter } from './audit-words.ts'

/** The changed fields of an entry, before and after side by side. */
export function ChangeList({ entry, writer }: { entry: AuditEntry; writer: AuditWriter }) {
  const { t } = useText()
  const { before, after, kind, names } = entry
  const lines = auditLines(before, after)
  if (lines.length === 0) return <p className={classes.quiet}>{t('audit.no_fields')}</p>
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          {before ? <th scope="col">{t('audit.before')}</th> : null}
          {after ? <th scope="col">{t('audit.after')}</th> : null}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.field}>
            <th scope="row">{writer.field(kind, line.field)}</th>
            {before ? (
              <td className={after ? classes.was : undefined}>
                <bdi>{writer.value(line.field, line.before, names)}</bdi>
              </td>
            ) : null}
            {after ? (
              <td>
                <bdi>{writer.value(line.field, line.after, names)}</bdi>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same in one line, for a table's cell. */
export function changeWords({ before, after, kind, names }: AuditEntry, writer: AuditWriter): string {
  return auditLines(before, after)
    .map(({ field, before: was, after: is }) => {
      const name = writer.field(kind, field)
      if (before === null || after === null) return `${name}: ${writer.value(field, is ?? was, names)}`
      return `${name}: ${writer.change(writer.value(field, was, names), writer.value(field, is, names))}`
    })
    .join('; ')
}
