import type { DispatchRuleView, NewDispatchRule } from '@hansom/contract/dispatch-rules'
import type { AuditedRecord } from '@hansom/domain/audit/changed-fields'
import { ruleLimits, ruleProblems, ruleRanges } from '@hansom/domain/dispatch/rules'
import { Refusal } from '@hansom/domain/error-keys'
import { convertDistance } from '@hansom/domain/settings/convert-units'
import { asc } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import type { Os } from '../../platform/http/implement.ts'
import { type AdminTable, adminRoutes, adminTable } from '../../platform/tables/admin-table.ts'
import type { RateConverter } from '../settings/service.ts'
import { dispatchRulesTable, dispatchRulesTableColumns } from './table.ts'

type RuleRow = typeof dispatchRulesTable.$inferSelect

/** How long rules are kept in memory, ms: a change by another server applies after that. */
const cacheMs = 2_000

export interface DispatchRules extends AdminTable<RuleRow, NewDispatchRule, DispatchRuleView>, RateConverter {
  /** All rules, by priority; at most two seconds old after a change by another server. */
  current(): Promise<readonly RuleRow[]>
}

/** The rules of dispatch by hour and area, as admins edit them and as dispatch reads them. */
export function createDispatchRules({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): DispatchRules {
  let known: { rules: Promise<readonly RuleRow[]>; until: number } | undefined
  const changed = () => {
    known = undefined
  }
  const table = adminTable<
    (typeof dispatchRulesTableColumns)['spec'],
    RuleRow,
    NewDispatchRule,
    DispatchRuleView
  >({
    database,
    clock,
    table: dispatchRulesTable,
    spec: dispatchRulesTableColumns,
    view: (rows) => [...rows],
    audit: {
      kind: 'dispatch_rule',
      routes: 'dispatchRules',
      label: (row) => row.name,
      fields: auditedFields,
    },
    complete: async (given, tx) => {
      // Two that are added at once are counted one after the other.
      await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('dispatch rules', 0))`)
      if ((await readRules(tx.db)).length >= ruleLimits.rules) throw new Refusal('too_many_rules')
      return given
    },
    problems: ruleProblems,
    changed,
  })
  return {
    ...table,
    current: () => {
      if (known === undefined || known.until <= performance.now()) {
        const rules = readRules(database.db)
        known = { rules, until: performance.now() + cacheMs }
        rules.catch(changed)
      }
      return known.rules
    },
    convertRates: async (tx, { uid, now }, { toMile }) => {
      const rows = await tx.db
        .select()
        .from(dispatchRulesTable)
        .orderBy(asc(dispatchRulesTable.id))
        .for('update')
      for (const before of rows) {
        const [least, most] = ruleRanges.area_radius
        const converted = (distance: number) =>
          Math.min(most, Math.max(least, convertDistance(distance, toMile)))
        const after = await table.store(tx, before.id, {
          area_radius: converted(before.area_radius),
          firstRadius: converted(before.firstRadius),
        })
        await writeAudit(tx, {
          by: uid,
          at: now,
          action: 'settings.update',
          kind: 'dispatch_rule',
          subject: after.id,
          label: after.name,
          version: after.version,
          before: auditedFields(before),
          after: auditedFields(after),
        })
      }
      tx.afterCommit(changed)
    },
  }
}

const auditedFields = ({ id: _id, version: _version, createdAt: _at, ...fields }: RuleRow): AuditedRecord =>
  fields

const readRules = (db: Queries): Promise<RuleRow[]> =>
  db
    .select()
    .from(dispatchRulesTable)
    .orderBy(asc(dispatchRulesTable.priority), asc(dispatchRulesTable.id))
    .limit(ruleLimits.rules)

export function dispatchRulesRoutes({ dispatchRules: os }: Os, admin: DispatchRules) {
  return {
    list: os.list.handler(({ input }) => admin.page(input)),
    ...adminRoutes(os, admin),
  }
}
