import { id as uuid } from '@hansom/contract/shapes'
import type { Pool } from 'pg'

type Fields = Record<string, unknown> | null

/** Fields that hold user ids, and fields that hold car type ids. */
const ofPeople: readonly string[] = ['driver', 'customer', 'fleetadmin', 'uid', 'signupViaReferral']
const ofCarTypes: readonly string[] = ['car_type_id']

/** Returns names by id for the ids in some records. Deleted users get the placeholder name of their row. */
export async function namesIn(
  pool: Pool,
  records: readonly { before: Fields; after: Fields }[],
): Promise<Map<string, string>> {
  const idsOf = (fields: readonly string[]) => [
    ...new Set(
      records.flatMap(({ before, after }) =>
        [before, after].flatMap((record) =>
          fields.flatMap((field) => {
            const value = record?.[field]
            return uuid.safeParse(value).success ? [value as string] : []
          }),
        ),
      ),
    ),
  ]
  const [people, carTypes] = [idsOf(ofPeople), idsOf(ofCarTypes)]
  if (people.length + carTypes.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; name: string }>(
    `select id::text, first_name || ' ' || last_name as name from users where id = any($1::uuid[])
      union all select id::text, name from car_types where id = any($2::uuid[])`,
    [people, carTypes],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
