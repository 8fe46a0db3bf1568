/** A record in the audit log: its fields by name. */
export type AuditedRecord = Readonly<Record<string, unknown>>

/** The changed fields before and after; null if the record did not exist before or does not exist after. */
export interface ChangedFields {
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Fields whose values are never logged, at any depth. */
const secret =
  /pass(word|phrase|code)|token|secret|credential|^otp$|(^|_)hash$|Hash$|api_?key|private_?key|licen[cs]e_?(key|code)/i
/** Fields cut to their last four characters. */
const masked: readonly string[] = ['bankAccount', 'bank_account']
/** Fields that change with every write. */
const noise: readonly string[] = ['version', 'updatedAt', 'updated_at']

/**
 * The part of a change that the audit log stores: with both records the fields that differ, otherwise all fields of the
 * one. Secrets are left out, account numbers cut, and empty fields of a created or removed record omitted. `isSame` is
 * true when both records are given and nothing differs, not even a secret.
 */
export function changedFields(
  before: AuditedRecord | null,
  after: AuditedRecord | null,
): ChangedFields & { isSame: boolean } {
  if (before === null || after === null) {
    const allFields = (record: AuditedRecord | null) =>
      record && pick(record, (name) => record[name] !== null && record[name] !== undefined && !isNoise(name))
    return { before: allFields(before), after: allFields(after), isSame: false }
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = new Set(names.filter((name) => !isNoise(name) && !isSameValue(before[name], after[name])))
  return {
    before: pick(before, (name) => changed.has(name)),
    after: pick(after, (name) => changed.has(name)),
    isSame: changed.size === 0,
  }
}

/** True for a field whose values are never logged. */
export function isSecret(field: string): boolean {
  return secret.test(field)
}

/** True for equal values, regardless of key order; undefined equals null. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

const isNoise = (name: string) => noise.includes(name)

function pick(record: AuditedRecord, isIncluded: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      isIncluded(name) && !isSecret(name) ? [[name, shown(name, value)]] : [],
    ),
  )
}

function shown(name: string, value: unknown): unknown {
  if (masked.includes(name) && typeof value === 'string') return `••••${value.slice(-4)}`
  if (Array.isArray(value)) return value.map((item) => shown(name, item))
  if (typeof value === 'object' && value !== null) return pick(value as AuditedRecord, () => true)
  return value ?? null
}

/** Equal for equal values, regardless of key order; undefined equals null. */
function canonical(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
}
