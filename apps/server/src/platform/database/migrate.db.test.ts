import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applySql, dropViews, findServerFolder, migrate } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
let client: PoolClient
let folder: string
let migration = 0
beforeAll(async () => {
  database = await createTestDatabase()
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.close()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hansom-sql-'))
  await client.query('drop table if exists drizzle.repeatable_sql')
  await client.query('drop view if exists doubled_things')
  await client.query('drop table if exists things')
  await client.query('drop function if exists double, double_things')
  await client.query('create table things (n int)')
  migration = 0
  return () => rmSync(folder, { recursive: true })
})

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, `${name}.sql`), text)
}
const apply = () => applySql(client, folder, String(migration))
const list = async <Row extends object>(text: string) =>
  (await client.query<Row>(text)).rows.map((row) => Object.values(row).join(' '))
const functions = () => list(`select oid::regprocedure from pg_proc where proname like 'double%' order by 1`)
const triggers = () => list(`select tgname from pg_trigger where tgrelid = 'things'::regclass order by 1`)
const names = () => list('select name from drizzle.repeatable_sql order by 1')

const doubled = (by = 2) =>
  `create or replace function double(n int) returns int language sql immutable as 'select n * ${by}'`
const doubleThings = (more = '') => `
  create or replace function double_things() returns trigger language plpgsql as $$
  begin new.n := double(new.n); return new; end $$;
  create trigger things_doubled before insert on things for each row execute function double_things(); ${more}`

describe('functions', () => {
  test('new files -> created with their triggers; calls in any order', async () => {
    write('double_things', doubleThings())
    write('double', doubled())
    await apply()
    expect(await functions()).toEqual(['double(integer)', 'double_things()'])
    expect(await list('insert into things values (4) returning n')).toEqual(['8'])
    expect(await names()).toEqual(['double', 'double_things'])
  })

  test('nothing changed -> nothing applied', async () => {
    write('double_things', doubleThings())
    write('double', doubled())
    await apply()
    await client.query('drop function double')
    await apply()
    expect(await functions()).toEqual(['double_things()'])
  })

  test('changed text -> replaced in place, even under an index', async () => {
    write('double', doubled())
    await apply()
    await client.query('create index on things (double(n))')
    write('double', doubled(3))
    await apply()
    expect(await list('select double(2)')).toEqual(['6'])
  })

  test('changed trigger function -> triggers are those of the file', async () => {
    const second =
      'create trigger second before update on things for each row execute function double_things();'
    write('double', doubled())
    write('double_things', doubleThings(second))
    await apply()
    expect(await triggers()).toEqual(['second', 'things_doubled'])
    write('double_things', doubleThings())
    await apply()
    expect(await triggers()).toEqual(['things_doubled'])
  })

  test('changed return type -> replaced', async () => {
    write('double', doubled())
    await apply()
    write(
      'double',
      `create or replace function double(n int) returns text language sql as 'select (n * 2)::text'`,
    )
    await apply()
    expect(await list('select pg_typeof(double(2))')).toEqual(['text'])
  })

  test('changed parameters -> the previous function is dropped', async () => {
    write('double', doubled())
    await apply()
    write(
      'double',
      `create or replace function double(n bigint) returns bigint language sql as 'select n * 2'`,
    )
    await apply()
    expect(await functions()).toEqual(['double(bigint)'])
  })

  test('removed file -> function and triggers dropped', async () => {
    write('double', doubled())
    write('double_things', doubleThings())
    await apply()
    rmSync(join(folder, 'double_things.sql'))
    await apply()
    expect(await functions()).toEqual(['double(integer)'])
    expect(await triggers()).toEqual([])
    expect(await names()).toEqual(['double'])
  })

  test('removed file of a function that an index uses -> error, function kept', async () => {
    write('double', doubled())
    await apply()
    await client.query('create index on things (double(n))')
    rmSync(join(folder, 'double.sql'))
    await expect(apply()).rejects.toThrow(/depend/)
    expect(await functions()).toEqual(['double(integer)'])
  })

  test('error in one file -> no file applied, error names the file', async () => {
    write('double', doubled())
    write('halve', 'create function nonsense')
    await expect(apply()).rejects.toThrow(/sql\/halve\.sql: syntax error/)
    expect(await functions()).toEqual([])
  })

  test('file without the function of its name -> error', async () => {
    write('halve', doubled())
    await expect(apply()).rejects.toThrow('does not create the function halve')
  })

  test('new migration -> applied again', async () => {
    write('double', doubled())
    await apply()
    await client.query('drop function double')
    migration += 1
    await apply()
    expect(await functions()).toEqual(['double(integer)'])
  })
})

test('views: dropped before migrations, created again after functions', async () => {
  write('double', doubled())
  write('views/doubled_things', 'create view doubled_things as select double(n) as n from things')
  await apply()
  await client.query('insert into things values (2)')
  expect(await list('select n from doubled_things')).toEqual(['4'])
  await dropViews(client)
  expect(await list(`select to_regclass('doubled_things')`)).toEqual([''])
  await client.query('alter table things alter column n type bigint')
  write('views/doubled_things', 'create view doubled_things as select n from things')
  await apply()
  expect(await list('select n from doubled_things')).toEqual(['2'])
})

describe('files of apps/server/sql', () => {
  const fresh = async <T>(work: (database: TestDatabase) => Promise<T>) => {
    const other = await createTestDatabase()
    return work(other).finally(() => other.close())
  }
  const objects = `select p.oid, p.proname as name, l.lanname as language from pg_proc p
    join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

  test('each function of the database has a file', async () => {
    const files = readdirSync(findServerFolder('sql')).filter((file) => file.endsWith('.sql'))
    const found = await fresh(({ pool }) => pool.query<{ name: string }>(`${objects} order by 2`))
    expect(found.rows.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
  })

  test('each body is valid', async () => {
    await fresh(async ({ pool }) => {
      const validated = await pool.query(
        `select case language when 'sql' then fmgr_sql_validator(oid) else plpgsql_validator(oid) end from (${objects}) o`,
      )
      expect(validated.rowCount).toBeGreaterThan(30)
    })
  })
})

test('a newer version has migrated the database -> refused, and nothing changed', async () => {
  const newer = await createTestDatabase()
  try {
    await newer.pool.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) select 'of a newer version', max(created_at) + 1
        from drizzle.__drizzle_migrations`,
    )
    await newer.pool.query('drop function share_term')
    await expect(migrate(newer)).rejects.toThrow('1 are unknown to this version')
    const { rows } = await newer.pool.query(`select to_regproc('share_term') is null as untouched`)
    expect(rows).toEqual([{ untouched: true }])
  } finally {
    await newer.close()
  }
})

test('another session keeps a table locked -> gives up, so that queries do not wait behind it; then migrates', async () => {
  const locked = await createTestDatabase()
  const holder = await locked.pool.connect()
  try {
    await locked.pool.query(`update drizzle.repeatable_sql set hash = 'of an older version'`)
    await holder.query('begin; lock table bookings in access share mode')
    await expect(migrate(locked, { lockMs: 100 })).rejects.toThrow('lock timeout')
    await holder.query('commit')
    await migrate(locked, { lockMs: 100 })
    const { rows } = await locked.pool.query(
      `select count(*)::int as old from drizzle.repeatable_sql where hash = 'of an older version'`,
    )
    expect(rows).toEqual([{ old: 0 }])
  } finally {
    holder.release()
    await locked.close()
  }
})
