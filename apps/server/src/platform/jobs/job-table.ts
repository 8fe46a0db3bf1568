import type { ClientBase, Pool } from 'pg'

// All SQL on the table of pg-boss, which is not part of its API: see docs/decisions/0305. Every statement is tested with
// the pinned version.

/** Returns those of `names` that have a job to start now, in one query. */
export async function dueNames(pool: Pool, names: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'jobs-due',
    text: `select name from unnest($1::text[]) as wanted(name) where exists (select from pgboss.job
      where job.name = wanted.name and job.state < 'active' and job.start_after < now())`,
    values: [names],
  })
  return rows.map(({ name }) => name)
}

/** Returns the data of the waiting and running jobs with a name. */
export async function openData(pool: Pool, name: string): Promise<Record<string, unknown>[]> {
  const { rows } = await pool.query<{ data: Record<string, unknown> }>(
    `select data from pgboss.job where name = $1 and state < 'completed'`,
    [name],
  )
  return rows.map(({ data }) => data)
}

/** The permanently failed jobs of one name. Times are epoch ms. */
export interface FailedJobs {
  name: string
  count: number
  since: number
  latest: number
  /** The latest error. */
  error: string
}

export async function failedByName(pool: Pool): Promise<FailedJobs[]> {
  const { rows } = await pool.query<FailedJobs>(
    `select name, count(*)::int as count, min(at) as since, max(at) as latest,
        coalesce((array_agg(error order by at desc))[1], '') as error
      from (select name, (extract(epoch from completed_on) * 1000)::bigint as at,
          coalesce(output->>'message', output->'value'->>'message') as error
        from pgboss.job where state = 'failed') failed group by name`,
  )
  return rows
}

/** Returns the ids of the jobs with a name that failed permanently up to `until`, epoch ms. */
export async function failedUntil(client: ClientBase, name: string, until: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from pgboss.job where name = $1 and state = 'failed'
      and completed_on < to_timestamp(($2::bigint + 1) / 1000.0)`,
    [name, until],
  )
  return rows.map(({ id }) => id)
}

/** The jobs of one name. */
export interface JobCounts {
  name: string
  /** Due now. */
  waiting: number
  scheduled: number
  active: number
  failed: number
  /** How long the most overdue job has been due, s. */
  overdueS: number
}

/** Counts the jobs of each of `names`. */
export async function countJobs(client: ClientBase, names: readonly string[]): Promise<JobCounts[]> {
  const { rows } = await client.query<JobCounts>({
    name: 'jobs-counts',
    text: `select wanted.name,
        count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
        count(*) filter (where state < 'active' and start_after > now())::int as scheduled,
        count(*) filter (where state = 'active')::int as active,
        count(*) filter (where state = 'failed')::int as failed,
        coalesce(max(extract(epoch from now() - start_after)) filter (where state < 'active' and start_after <= now()), 0)
          ::float8 as "overdueS"
      from unnest($1::text[]) as wanted(name)
      left join pgboss.job on job.name = wanted.name and (job.state < 'completed' or job.state = 'failed')
      group by wanted.name order by wanted.name`,
    values: [names],
  })
  return rows
}

/** How long the most overdue job has been due, s; 0 without one. */
export async function mostOverdue(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ overdue: number }>(
    `select coalesce(max(extract(epoch from now() - start_after)), 0)::float8 as overdue from pgboss.job
      where state < 'active' and start_after < now()`,
  )
  return rows[0]?.overdue ?? 0
}

/** Lets all running jobs start again: after a server was killed, and only if no other server runs jobs. */
export async function requeueActive(pool: Pool): Promise<void> {
  await pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)
}

/** Notes which server runs jobs, until they end. */
export async function noteServer(client: ClientBase, ids: readonly string[], server: string): Promise<void> {
  await client.query({
    name: 'jobs-note-server',
    text: `update pgboss.job set output = jsonb_build_object('server', $2::text) where id = any($1::uuid[])`,
    values: [ids, server],
  })
}

/** Lets the running jobs of dead servers start again. Does nothing before the queue has been created. */
export async function requeueJobsOf(client: ClientBase, servers: readonly string[]): Promise<void> {
  if (!(await hasQueue(client))) return
  await client.query(
    `update pgboss.job set state = 'retry', start_after = now(), output = null
      where state = 'active' and output->>'server' = any($1::text[])`,
    [servers],
  )
}

/** The tables of pg-boss with data that a backup needs. */
export const jobTables = ['pgboss.job', 'pgboss.archive']

/** A queue as pg-boss creates it. */
export interface QueueRow {
  name: string
  options: Record<string, unknown>
}

export async function readQueues(client: ClientBase): Promise<QueueRow[]> {
  const { rows } = await client.query<QueueRow>(
    `select name, jsonb_strip_nulls(jsonb_build_object('policy', policy, 'retryLimit', retry_limit,
        'retryDelay', retry_delay, 'retryBackoff', retry_backoff, 'expireInSeconds', expire_seconds,
        'retentionMinutes', retention_minutes, 'deadLetter', dead_letter)) as options
      from pgboss.queue order by name`,
  )
  return rows
}

/** Creates the queues that are missing, each with its table. */
export async function createQueues(client: ClientBase, queues: readonly QueueRow[]): Promise<void> {
  for (const { name, options } of queues)
    await client.query('select pgboss.create_queue($1, $2::json)', [name, JSON.stringify(options)])
}

/** Deletes all jobs, if the queue has been created. */
export async function deleteAllJobs(client: ClientBase): Promise<void> {
  if (await hasQueue(client)) await client.query('delete from pgboss.job')
}

/** Whether the queue has been created. */
export async function hasQueue(client: ClientBase | Pool): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('pgboss.job') is not null as found`,
  )
  return rows[0]?.found === true
}
