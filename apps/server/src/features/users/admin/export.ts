import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { maySeeField, userFieldsIn, type UserFieldsIn } from '@hansom/domain/users/field-views'
import type { UserFieldRule } from '@hansom/domain/users/fields'
import { type CellKind, type TableExport, tableExport } from '../../../platform/tables/table-export.ts'
import type { PeopleService } from './service.ts'

/** CSV export of the user tables; contacts that a demo hides stay hidden. */
export const peopleExport = (people: Pick<PeopleService, 'all'>): TableExport =>
  tableExport<UserView>({
    name: 'users',
    offer: usersTableSpec,
    roles: ['fleetadmin', 'admin'],
    when: 'critical',
    rows: (person, query) => people.all(person, query),
    columns: userFieldsIn('user').flatMap(({ field, rule, name }) =>
      rule.export === undefined
        ? []
        : {
            title: `exports.${rule.export}`,
            kind: cellKind(rule),
            roles: (['fleetadmin', 'admin'] as const).filter((role) => maySeeField(field, role)),
            value: (row: UserView) => row[name as keyof UserFieldsIn<'user'>],
          },
    ),
  })

function cellKind({ kind }: UserFieldRule): CellKind {
  if (kind === 'role') return { words: 'auth.role_' }
  if (kind === 'integer') return 'number'
  return kind === 'id' || kind === 'code' ? 'text' : kind
}
