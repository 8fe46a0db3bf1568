import type { BookingRow, bookingCommands } from '@hansom/contract/bookings'
import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { charged } from '@hansom/domain/bookings/amounts'
import { type ExportedField, exportedFields } from '@hansom/domain/bookings/field-labels'
import { audienceOf, viewShape } from '@hansom/domain/bookings/fields'
import { type RoutedCommand, routedCommands } from '@hansom/domain/bookings/transitions'
import { reasonKey } from '@hansom/domain/cancel-reasons/reasons'
import { translateCopy } from '@hansom/domain/languages/translations'
import type { Shape } from '@hansom/domain/shape'
import { type Role, roles } from '@hansom/domain/users/roles'
import type { Router } from '@orpc/server'
import {
  type Os,
  type RequestContext,
  type SignedInContext,
  signedIn,
} from '../../platform/http/implement.ts'
import { type CellKind, type ExportColumn, tableExport } from '../../platform/tables/table-export.ts'
import type { CancelReasonsService } from '../cancel-reasons/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { CommandRequest } from './commands.ts'
import type { DispatchService } from './dispatch/board.ts'
import type { BookingsService } from './service.ts'
import type { BookingWithRequests } from './store/read-bookings.ts'
import type { TrackingService } from './tracking/service.ts'

export function bookingsRoutes(os: Os, bookings: BookingsService) {
  const shown = async (context: SignedInContext, record: Promise<BookingWithRequests>) =>
    bookings.view(context.actor, await record)

  return {
    offers: os.bookings.offers.handler(({ input }) => bookings.offers(input.pickup, input.drop, input)),
    estimate: os.bookings.estimate.handler(({ input }) => bookings.estimate(input)),

    create: os.bookings.create
      .use(signedIn)
      .handler(({ context, input }) =>
        shown(context, bookings.create(context.actor, input, context.idempotencyKey)),
      ),
    list: os.bookings.list.use(signedIn).handler(({ context, input }) => bookings.list(context.actor, input)),
    count: os.bookings.count
      .use(signedIn)
      .handler(({ context, input }) => bookings.count(context.actor, input)),
    get: os.bookings.get
      .use(signedIn)
      .handler(({ context, input }) => shown(context, bookings.get(context.actor, input.id))),
    outstanding: os.bookings.outstanding
      .use(signedIn)
      .handler(({ context }) => bookings.outstanding(context.actor)),
    events: os.bookings.events
      .use(signedIn)
      .handler(({ context, input }) => bookings.events(context.actor, input.id)),
    quoteChange: os.bookings.quoteChange
      .use(signedIn)
      .handler(({ context, input }) => shown(context, bookings.quoteChange(context.actor, input))),
    cancellation: os.bookings.cancellation
      .use(signedIn)
      .handler(({ context, input }) => bookings.cancellation(context.actor, input.id)),

    ...commandRoutes(os, bookings),
  }
}

type CommandRoutes = Pick<Router<typeof bookingCommands, RequestContext>, RoutedCommand>

/** A route for every command that users give: the body of the request is the input of the command. */
function commandRoutes({ bookings: routes }: Os, bookings: BookingsService): CommandRoutes {
  const commands = bookings.commands as Record<
    RoutedCommand,
    (request: CommandRequest, body: object) => Promise<BookingWithRequests>
  >
  // Commands take the booking's id and a body, and return its view, as `close` does; `decline` returns only `ok`.
  const mount = (command: RoutedCommand): CommandRoutes[RoutedCommand] =>
    (routes[command] as Os['bookings']['close'])
      .use(signedIn)
      .handler(async ({ context, input: { id, ...body } }) => {
        const request = { actor: context.actor, id, key: context.idempotencyKey }
        return bookings.view(request.actor, await commands[command](request, body))
      })
  const decline = routes.decline.use(signedIn).handler(async ({ context, input: { id } }) => {
    await bookings.commands.decline({ actor: context.actor, id, key: context.idempotencyKey })
    return { ok: true as const }
  })
  const mounted = Object.fromEntries(routedCommands.map((command) => [command, mount(command)]))
  return { ...(mounted as CommandRoutes), decline }
}

export function trackingRoutes(os: Os, tracking: TrackingService) {
  return {
    latest: os.tracking.latest
      .use(signedIn)
      .handler(({ context, input }) => tracking.latest(context.actor, input.id)),
    path: os.tracking.path
      .use(signedIn)
      .handler(({ context, input }) => tracking.path(context.actor, input.id)),
    nearby: os.tracking.nearby.handler(({ input }) => tracking.nearby(input)),
    state: os.tracking.state.use(signedIn).handler(({ context }) => tracking.state(context.actor.id)),
    online: os.tracking.online
      .use(signedIn)
      .handler(({ context, input }) => tracking.setOnline(context.actor.id, input.online)),
    report: os.tracking.report.use(signedIn).handler(async ({ context, input }) => ({
      accepted: await tracking.report(context.actor, input.positions),
    })),
  }
}

export function dispatchRoutes(os: Os, dispatch: DispatchService) {
  return {
    candidates: os.dispatch.candidates.use(signedIn).handler(({ input }) => dispatch.candidates(input.id)),
    decisions: os.dispatch.decisions.use(signedIn).handler(({ input }) => dispatch.decisions(input.id)),
    recent: os.dispatch.recent.use(signedIn).handler(({ context }) => dispatch.recent(context.actor.id)),
    hold: os.dispatch.hold
      .use(signedIn)
      .handler(({ context, input }) => dispatch.hold(input.id, context.actor.id)),
    release: os.dispatch.release.use(signedIn).handler(async ({ context, input }) => {
      await dispatch.release(input.id, context.actor.id)
      return { ok: true as const }
    }),
  }
}

const admins: readonly Role[] = ['admin']

/** The bookings table as a file. */
export const bookingsExport = (
  bookings: Pick<BookingsService, 'all'>,
  {
    carTypes,
    cancelReasons,
  }: { carTypes: Pick<CarTypesService, 'list'>; cancelReasons: Pick<CancelReasonsService, 'all'> },
) =>
  tableExport<BookingRow>({
    name: 'bookings',
    spec: bookingsTableSpec,
    roles,
    when: 'critical',
    async *rows(actor, query) {
      for await (const batch of bookings.all(actor, query)) yield batch.map(charged)
    },
    async translate({ locale, texts }) {
      const [types, reasons] = await Promise.all([carTypes.list(), cancelReasons.all()])
      return (row) => ({
        ...row,
        carType: translateCopy(types, 'name', row.carType, locale),
        reason: row.reason && translateCopy(reasons, 'label', ownReason(row.reason, texts), locale),
      })
    },
    columns: [
      ...exportedFields.map(columnOf),
      {
        title: 'exports.deliveryPerson',
        kind: 'text',
        only: 'delivery',
        value: (row) => row.deliveryPerson,
      },
      ...(['parcelTypeSelected', 'optionSelected'] as const).map(
        (field): ExportColumn<BookingRow> => ({
          title: `exports.${field}`,
          kind: 'text',
          only: 'delivery',
          value: (row) => row[field]?.description ?? null,
        }),
      ),
      { title: 'exports.refunded', kind: 'amount', roles: admins, value: (row) => row.refunded },
      { title: 'exports.write_off', kind: 'amount', roles: admins, value: (row) => row.write_off },
      { title: 'exports.fleet_name', kind: 'text', roles: admins, value: (row) => row.fleet_name },
    ],
  })

/** One of the platform's own reasons in the reader's language; other texts are returned unchanged. */
const ownReason = (reason: string, texts: Readonly<Record<string, string>>) =>
  texts[reasonKey(reason)] ?? reason

function columnOf({ field, texts, to = audienceOf(field) }: ExportedField): ExportColumn<BookingRow> {
  return {
    title: `exports.${field}`,
    kind: texts === undefined ? kindOf(viewShape[field]) : { words: texts },
    roles: roles.filter((role) => to.includes(role)),
    value: (row) => (field === 'distance' ? drivenOrPlanned(row) : cellOf(row[field])),
  }
}

const drivenOrPlanned = ({ distance, estimateDistance }: BookingRow) =>
  Math.round((distance ?? estimateDistance) * 100) / 100

const cellOf = (value: BookingRow[keyof BookingRow]) => {
  if (typeof value === 'object' && value !== null) throw new TypeError('an exported field is one value')
  return value
}

function kindOf(shape: Shape): CellKind {
  switch (shape.kind) {
    case 'nullable':
      return kindOf(shape.of)
    case 'integer':
      return 'number'
    case 'number':
    case 'amount':
    case 'time':
    case 'flag':
      return shape.kind
    default:
      return 'text'
  }
}
