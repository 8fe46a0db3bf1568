import { Readable } from 'node:stream'
import { tableInput } from '@hansom/contract/tables'
import { plainRoutes, type RouteRule, refusalBeforeInput } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import { cityDay } from '@hansom/domain/time/city-time'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock/clock.ts'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import { fieldErrors } from '../../platform/http/error-response.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import type { TableExport } from '../../platform/tables/table-export.ts'
import { byteOrderMark, csvLine } from '../../platform/tables/table-export.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'

export interface ExportsDeps {
  tables: readonly TableExport[]
  settings: Pick<SettingsService, 'current'>
  languages: Pick<LanguagesService, 'start' | 'pack'>
  clock: Clock
  limits: Pick<Limits, 'exports'>
  session(headers: FastifyRequest['headers']): Promise<{ actor: SessionActor } | null>
}

const rule: RouteRule = plainRoutes['GET /api/v1/exports/:table']

/**
 * `GET /api/v1/exports/{table}` with the sort, filters and search of the table's list: streams all its rows as CSV in
 * the reader's language.
 */
export function mountExports(server: FastifyInstance, deps: ExportsDeps): void {
  const downloads = { config: { rateLimit: { max: deps.limits.exports, groupId: 'exports' } } }
  const tables = new Map(deps.tables.map((table) => [table.name, table]))

  server.get<{ Params: { table: string } }>('/api/v1/exports/:table', downloads, async (request, reply) => {
    const actor = (await deps.session(request.headers))?.actor ?? null
    const refusal = refusalBeforeInput(rule, actor)
    if (actor === null || refusal !== null) throw new Refusal(refusal ?? 'not_logged_in')
    const table = tables.get(request.params.table)
    if (!table?.roles.includes(actor.role)) throw new Refusal('not_found')
    const settings = await deps.settings.current()
    if (table.when === 'critical' && !settings.AllowCriticalEditsAdmin) throw new Refusal('demo_mode')

    const { langLocale } = await deps.languages.start(chosenLocale(request.headers))
    const { keyValuePairs: texts } = await deps.languages.pack(langLocale)
    const { timezone, decimal, category } = settings
    const lines = table.lines(actor, readQuery(table, request.query), {
      locale: langLocale,
      texts,
      timezone,
      decimal,
      category,
    })
    // Reads the first rows before the headers are sent, so that an invalid query still gets an error response.
    const first = [await lines.next(), await lines.next()].flatMap(({ value }) => value ?? [])
    const day = cityDay(deps.clock.now(), timezone)
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${table.name}-${day}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(Readable.from(written(first, lines)))
  })
}

function readQuery({ spec }: TableExport, query: unknown): TableQuery {
  const asked = tableInput(spec).omit({ cursor: true, limit: true }).safeParse(query)
  if (!asked.success) throw new Refusal('invalid_input', { fields: fieldErrors(asked.error.issues) })
  return asked.data as TableQuery
}

async function* written(
  first: readonly string[][],
  rest: AsyncIterable<readonly string[][]>,
): AsyncGenerator<string> {
  yield byteOrderMark + first.map(csvLine).join('')
  for await (const lines of rest) yield lines.map(csvLine).join('')
}
