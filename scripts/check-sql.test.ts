import { describe, expect, test } from 'vitest'
import { checkSql } from './check-sql.mjs'

const features = 'apps/server/src/features'
const tables = {
  [`${features}/users/table.ts`]: `export const usersTable = pgTable('users', {}); pgTable(\n  'user_ratings',\n  {})`,
  [`${features}/bookings/table.ts`]: `export const bookingsTable = pgTable('bookings', {})`,
}
const view = {
  'apps/server/sql/views/user_names.sql': `-- Owner: users; read by: bookings\ncreate view user_names as select id from users`,
}
const problemsOf = (sources: Record<string, string>, known = {}) =>
  checkSql(new Map(Object.entries({ ...tables, ...sources })), known).problems
const inBookings = (text: string) => problemsOf({ [`${features}/bookings/store.ts`]: text })

describe('raw SQL that names a table of another feature', () => {
  test.each([
    ['select', 'query(`select 1 from users u where u.id = $1`)'],
    ['second table of a list', 'query(`select 1 from bookings b, users u`)'],
    ['join', "query('select 1 from bookings b left join users on true')"],
    ['update', 'query(`update users set first_name = $1`)'],
    ['delete', 'query(`delete from users`)'],
    ['insert', 'query(`insert into user_ratings values (1)`)'],
    ['after an interpolation', 'query(`select ${columns} from bookings ${join} join users u using (id)`)'],
    ['fragment', 'const source = `from users`'],
    ['interpolated table', 'sql`exists (select from ${usersTable} o where o.id = ${id})`'],
    ['interpolated table of an update', 'sql`update only ${usersTable} set rating = 1`'],
  ])('%s -> one problem', (_, text) => {
    expect(inBookings(text)).toEqual([expect.stringContaining('names tables of another feature: user')])
  })

  test('platform -> one problem', () => {
    expect(problemsOf({ 'apps/server/src/platform/a.ts': '`select 1 from users`' })).toHaveLength(1)
  })

  test.each([
    ['own table', `${features}/users/store.ts`],
    ['administration of users', `${features}/users/admin/store.ts`],
    ['test', `${features}/bookings/store.db.test.ts`],
    ['feature that builds a database', `${features}/demo/seed.ts`],
  ])('%s -> allowed', (_, file) => {
    expect(problemsOf({ [file]: '`select 1 from users join user_ratings using (id)`' })).toEqual([])
  })

  test('interpolated column of a table, own table -> allowed', () => {
    expect(inBookings('sql`select ${usersTable.id} from ${bookingsTable} where ${usersTable}`')).toEqual([])
  })

  test('comments, column names and imports -> allowed', () => {
    const text = `import { users } from '../users/service.ts'; // select 1 from users
      query(\`select users from bookings -- join users\`)`
    expect(inBookings(text)).toEqual([])
  })
})

describe('raw SQL that names a table of pg-boss', () => {
  const jobs = 'apps/server/src/platform/jobs'

  test.each([
    ['feature', `${features}/bookings/store.ts`],
    ['feature that builds a database', `${features}/demo/seed.ts`],
    ['platform', `${jobs}/jobs.ts`],
  ])('%s -> one problem', (_, file) => {
    expect(problemsOf({ [file]: 'query(`delete from pgboss.job`)' })).toEqual([
      expect.stringContaining('names a table of pg-boss'),
    ])
  })

  test.each([
    ['file of the job table', `${jobs}/job-table.ts`],
    ['test', `${jobs}/jobs.db.test.ts`],
  ])('%s -> allowed', (_, file) => {
    expect(problemsOf({ [file]: 'query(`delete from pgboss.job`)' })).toEqual([])
  })

  test('name of the schema without a table -> allowed', () => {
    expect(inBookings("const options = { schema: 'pgboss' }")).toEqual([])
  })
})

describe("imports of another feature's table.ts", () => {
  const file = `${features}/bookings/store.ts`
  const users = "import { usersTable } from '../users/table.ts'"
  const known = { 'features/bookings/store.ts': 'users' }

  test.each([
    ['table', users],
    ['table on several lines', "import {\n  type UserRow,\n  usersTable,\n} from '../users/table.ts'"],
  ])('%s -> one problem', (_, text) => {
    expect(problemsOf({ [file]: text })).toEqual([
      expect.stringContaining('imports the table.ts of another feature: users'),
    ])
  })

  test.each([
    ['types', file, "import type { UserRow } from '../users/table.ts'"],
    ['types in braces', file, "import { type UserRow } from '../users/table.ts'"],
    ['own table', `${features}/users/admin/store.ts`, "import { usersTable } from '../table.ts'"],
    ['foreign key', `${features}/bookings/table.ts`, `${users}; pgTable('bookings', {})`],
    ['feature that builds a database', `${features}/demo/seed.ts`, users],
  ])('%s -> allowed', (_, path, text) => {
    expect(problemsOf({ [path]: text })).toEqual([])
  })

  test('listed file -> allowed', () => {
    expect(problemsOf({ [file]: users }, known)).toEqual([])
  })

  test('listed file without the import -> one problem', () => {
    expect(problemsOf({ [file]: '' }, known)).toEqual([
      expect.stringMatching(/store\.ts: no longer imports users/),
    ])
  })
})

describe('declared read views', () => {
  test('declared reader -> allowed', () => {
    expect(problemsOf({ ...view, [`${features}/bookings/store.ts`]: '`select 1 from user_names`' })).toEqual(
      [],
    )
  })

  test('reader not declared -> one problem', () => {
    const read = '`select 1 from user_names`'
    const sources = { [`${features}/bookings/store.ts`]: read, [`${features}/wallet/store.ts`]: read }
    expect(problemsOf({ ...view, ...sources })).toEqual([expect.stringContaining('read by wallet')])
  })

  test('declared reader does not read -> one problem', () => {
    expect(problemsOf(view)).toEqual([expect.stringContaining('bookings does not read it')])
  })

  test.each(['`update user_names set id = 1`', '`delete from user_names`', '`insert into user_names`'])(
    'write %s -> problem',
    (text) => {
      expect(problemsOf({ ...view, [`${features}/bookings/store.ts`]: text })).toContainEqual(
        expect.stringContaining('writes to the read view'),
      )
    },
  )

  test('no header -> one problem', () => {
    expect(problemsOf({ 'apps/server/sql/views/a.sql': 'create view a as select 1' })).toHaveLength(1)
  })

  test("another feature's table in the view -> one problem", () => {
    const text = '-- Owner: bookings; read by: users\ncreate view a as select 1 from users'
    expect(
      problemsOf({ 'apps/server/sql/views/a.sql': text, [`${features}/users/a.ts`]: '`select 1 from a`' }),
    ).toEqual([expect.stringContaining('users does not belong to bookings')])
  })
})
