import { type TableSpec, tableInput } from '@hansom/contract/tables'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { type PagePart, type Position, readAll, readCount, readPage, writeCursor } from './read-table.ts'
import { byKey, type Table, type TableQuery } from './table.ts'

const things = pgTable('things', {
  id: uuid('id').primaryKey(),
  at: bigint('at', { mode: 'number' }).notNull(),
  cost: bigint('cost', { mode: 'number' }),
  score: doublePrecision('score'),
  name: text('name').notNull(),
  nick: text('nick'),
  kind: text('kind').notNull(),
  ok: boolean('ok').notNull(),
  owner: uuid('owner'),
  shown: boolean('shown').notNull(),
})
type Thing = typeof things.$inferSelect

const spec = {
  sorts: ['at', 'made', 'cost', 'score', 'name', 'nick'],
  defaultSort: '-at',
  filters: {
    kind: { kind: 'choice', values: ['a', 'b', 'c'] },
    ok: { kind: 'flag' },
    owner: { kind: 'id' },
    at: { kind: 'days' },
    cost: { kind: 'numbers' },
    has: { kind: 'choice', values: ['nick', 'score'] },
  },
  searchable: true,
} as const satisfies TableSpec

const table: Table<typeof spec> = {
  spec,
  columns: {
    id: things.id,
    sorts: {
      at: { sql: things.at, type: 'int8' },
      made: byKey,
      cost: { sql: things.cost, type: 'int8', nullable: true },
      score: { sql: things.score, type: 'float8', nullable: true },
      name: { sql: things.name, type: 'text' },
      nick: { sql: things.nick, type: 'text', nullable: true },
    },
    filters: {
      kind: things.kind,
      ok: things.ok,
      owner: things.owner,
      at: things.at,
      cost: things.cost,
      has: (asked) =>
        and(
          asked.includes('nick') ? sql`${things.nick} is not null` : undefined,
          asked.includes('score') ? sql`${things.score} is not null` : undefined,
        ) as SQL,
    },
    search: sql`search_fold(' ' || ${things.name} || ' ' || coalesce(${things.nick}, ''))`,
  },
}
const scope = { where: [eq(things.shown, true)], timezone: 'America/Montevideo' }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(`create table things (id uuid primary key, at int8 not null, cost int8, score float8,
    name text not null, nick text, kind text not null, ok boolean not null, owner uuid, shown boolean not null)`)
})
afterAll(() => database.close())
beforeEach(() => database.pool.query('truncate things'))

const read = ({ where, orderBy, limit, position }: PagePart) =>
  database.db.select({ row: things, position }).from(things).where(where).orderBy(orderBy).limit(limit)
const page = (query: TableQuery) => readPage(table, query, scope, read)
const count = (query: TableQuery) => readCount(database.db, table, query, scope, sql`${things}`)

async function everyPage(query: TableQuery): Promise<Thing[]> {
  const found: Thing[] = []
  let cursor: string | undefined
  do {
    const { rows, next } = await page({ ...query, cursor })
    if (rows.length > (query.limit ?? 20)) throw new Error('more rows than asked for')
    found.push(...rows.map(({ row }) => row))
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return found
}

const dayMs = 24 * 3600 * 1000
const firstDay = Date.parse('2026-11-01T03:00:00Z')
const owners = [uuidv7(), uuidv7()]
const texts = fc.constantFrom('', 'Ana', 'ana', 'Rodó', 'Rodo Ana', 'ب', 'أب', 'x%', 'x_y', '\\', 'Malvín 12')
/** Few distinct values, so that many rows are equal. */
const thing = fc.record({
  id: fc.uuid(),
  at: fc.integer({ min: 0, max: 5 }).map((day) => firstDay + day * dayMs - (day % 2)),
  cost: fc.option(fc.constantFrom(-20_000, 0, 1, 9_007_199_254_740_991)),
  score: fc.option(fc.constantFrom(-0.5, 0, 0.1, 1 / 3, 1e300)),
  name: texts,
  nick: fc.option(texts),
  kind: fc.constantFrom('a', 'b', 'c'),
  ok: fc.boolean(),
  owner: fc.option(fc.constantFrom(...owners)),
  shown: fc.boolean(),
})
const query = fc.record(
  {
    sort: fc.constantFrom(...spec.sorts.flatMap((sort) => [sort, `-${sort}`])),
    limit: fc.integer({ min: 1, max: 7 }),
    kind: fc.constantFrom('a', 'a,c', 'b,b'),
    ok: fc.constantFrom('true', 'false'),
    owner: fc.constantFrom(...owners),
    at: fc.constantFrom('..', '2026-11-02..', '..2026-11-03', '2026-11-02..2026-11-03'),
    cost: fc.constantFrom('0..1', '..0', '1..', '..'),
    has: fc.constantFrom('nick', 'score', 'nick,score'),
    q: fc.constantFrom('', 'ana', 'ANA rodo', 'x%', 'x_', 'اب', 'ب', '12', 'nothing'),
  },
  { requiredKeys: [] },
)
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never

/** Evaluates the same query in memory. */
async function sortedAtOnce(asked: Query): Promise<Thing[]> {
  const sort = asked.sort ?? '-at'
  const direction = sort.startsWith('-') ? 'desc nulls last' : 'asc nulls first'
  const rows = await database.db
    .select()
    .from(things)
    .orderBy(sql.raw(`${sort.replace('-', '').replace('made', 'id')} ${direction}, id ${direction}`))
  const spans: Record<string, [number, number]> = {
    '..': [-Infinity, Infinity],
    '2026-11-02..': [firstDay + dayMs, Infinity],
    '..2026-11-03': [-Infinity, firstDay + 3 * dayMs - 1],
    '2026-11-02..2026-11-03': [firstDay + dayMs, firstDay + 3 * dayMs - 1],
    '0..1': [0, 1],
    '..0': [-Infinity, 0],
    '1..': [1, Infinity],
  }
  const isIn = (text: string | undefined, value: number | null) => {
    const [from, to] = spans[text ?? '..'] as [number, number]
    return text === undefined || text === '..' || (value !== null && value >= from && value <= to)
  }
  const fold = (words: string) =>
    words
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
  const isFound = (row: Thing) => {
    const all = fold(` ${row.name} ${row.nick ?? ''}`)
    const words = fold(asked.q ?? '')
      .split(' ')
      .filter(Boolean)
    return words.every((word) => all.includes(word.length < 3 ? ` ${word}` : word))
  }
  return rows.filter(
    (row) =>
      row.shown &&
      (asked.kind === undefined || asked.kind.split(',').includes(row.kind)) &&
      (asked.ok === undefined || String(row.ok) === asked.ok) &&
      (asked.owner === undefined || row.owner === asked.owner) &&
      (!asked.has?.includes('nick') || row.nick !== null) &&
      (!asked.has?.includes('score') || row.score !== null) &&
      isIn(asked.at, row.at) &&
      isIn(asked.cost, row.cost) &&
      isFound(row),
  )
}

describe('paging', () => {
  test('any sort and filter -> same rows as one sorted query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(thing, { maxLength: 40, selector: ({ id }) => id }),
        fc.array(query, { minLength: 1, maxLength: 8 }),
        async (rows, queries) => {
          await database.pool.query('truncate things')
          if (rows.length > 0) await database.db.insert(things).values(rows)
          for (const asked of queries) {
            expect(tableInput(spec).safeParse(asked).success).toBe(true)
            const expected = await sortedAtOnce(asked)
            expect((await everyPage(asked)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
            expect(await count(asked)).toEqual({ count: expected.length, more: false })
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('readEverything -> batches, no row twice', async () => {
    await database.pool.query(`insert into things (id, at, cost, name, kind, ok, shown)
      select gen_random_uuid(), n / 7, nullif(n % 3, 0), '', 'a', true, true from generate_series(1, 1234) n`)
    const sizes: number[] = []
    const ids = new Set<string>()
    for await (const rows of readAll(table, { sort: '-cost' }, scope, read)) {
      sizes.push(rows.length)
      for (const { row } of rows) ids.add(row.id)
    }
    expect(sizes).toEqual([500, 500, 234])
    expect(ids.size).toBe(1234)
  })

  test('rows added and removed between pages -> next page unaffected', async () => {
    const ids = Array.from({ length: 9 }, () => uuidv7())
    const plain = {
      cost: null,
      score: null,
      name: '',
      nick: null,
      kind: 'a',
      ok: true,
      owner: null,
      shown: true,
    }
    await database.db.insert(things).values(ids.map((id, at) => ({ ...plain, id, at })))
    const first = await page({ limit: 4 })
    await database.db.delete(things).where(eq(things.id, ids[5] as string))
    await database.db.insert(things).values({ ...plain, id: uuidv7(), at: 100 })
    const second = await page({ limit: 4, cursor: first.next as string })
    expect(second.rows.map(({ row }) => row.at)).toEqual([4, 3, 2, 1])
  })
})

describe('invalid_input', () => {
  const refusal = (field: string, error: string) => ({ key: 'invalid_input', fields: [{ field, error }] })

  test('cursor of another sort or invalid -> refused', async () => {
    const cursor = writeCursor('-at', [1, uuidv7()])
    await expect(page({ sort: 'at', cursor })).rejects.toMatchObject(refusal('cursor', 'wrong_type'))
    await expect(page({ cursor: 'hello' })).rejects.toMatchObject(refusal('cursor', 'wrong_type'))
    expect((await page({ cursor })).rows).toEqual([])
  })

  test('sort, filter or search not available to the actor -> refused', async () => {
    const { sorts, filters } = table.columns
    const closed = {
      ...table,
      columns: {
        ...table.columns,
        search: null,
        sorts: { ...sorts, cost: null },
        filters: { ...filters, owner: null },
      },
    }
    const ask = (asked: TableQuery) =>
      readPage<typeof spec, { position: Position; row: Thing }>(closed, asked, scope, read)
    await expect(ask({ sort: '-cost' })).rejects.toMatchObject(refusal('sort', 'not_in_list'))
    await expect(ask({ owner: uuidv7() })).rejects.toMatchObject(refusal('owner', 'not_in_list'))
    await expect(ask({ q: 'ana' })).rejects.toMatchObject(refusal('q', 'not_in_list'))
    await expect(ask({ q: ' ' })).resolves.toMatchObject({ rows: [] })
  })

  test('nonexistent day -> refused', async () => {
    await expect(page({ at: '2026-02-30..' })).rejects.toMatchObject(refusal('at', 'wrong_type'))
  })
})

test('readCount: more than ten thousand rows -> stops counting', async () => {
  await database.pool.query(`insert into things (id, at, name, kind, ok, shown)
    select gen_random_uuid(), n, '', case when n <= 10000 then 'a' else 'b' end, true, true
    from generate_series(1, 10001) n`)
  expect(await count({})).toEqual({ count: 10_000, more: true })
  expect(await count({ kind: 'a' })).toEqual({ count: 10_000, more: false })
  expect(await count({ kind: 'b' })).toEqual({ count: 1, more: false })
})
