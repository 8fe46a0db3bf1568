import type { BookingView } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { labelText, maxLabels } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Label, Labels } from '../../platform/pdf/labels.ts'
import type { SheetWriter } from '../../platform/pdf/sheet-writer.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import { bookedFrom } from './import-store.ts'

/** Labels for the parcels of a delivery. */
export interface LabelsService {
  /** One label for each drop, as a PDF in a language. Throws not_found for others than the sender and admins. */
  ofBooking(actor: Actor, booking: string, locale: string | null): Promise<Buffer>
  /**
   * The labels of a file's deliveries that are not cancelled, in the file's order: of its booked rows, `part` 1 has the
   * first 100. Throws not_found for others than the sender and admins, and for a part without labels.
   */
  ofImport(actor: Actor, file: string, part: number, locale: string | null): Promise<Buffer>
}

interface LabelsDeps {
  database: Pick<Database, 'pool'>
  bookings: Pick<BookingsService, 'get' | 'view'>
  languages: Pick<LanguagesService, 'start' | 'pack'>
  pdf: Pick<SheetWriter, 'write'>
}

type Texts = Readonly<Record<string, string>>

/** The labels of a delivery's drops, with what the viewer sees of the recipients. */
export function labelsOf({ booking_id, delivery, customer_name }: BookingView, texts: Texts): Label[] {
  const drops = delivery?.stops.filter(({ kind }) => kind === 'drop') ?? []
  const text = (key: string, values: Record<string, string | number>) =>
    Object.entries(values).reduce(
      (result, [name, value]) => result.replaceAll(`{{${name}}}`, String(value)),
      texts[key] ?? key,
    )
  return drops.map(({ n, person, phone, place, instructions }) => ({
    heading: text('delivery.label_stop', { number: n, total: drops.length }),
    number: booking_id,
    person: person ?? '',
    phone: phone ?? '',
    address: place.add,
    instructions: instructions ?? '',
    from: text('delivery.label_from', {
      sender: [customer_name, delivery?.stops[0]?.place.add].filter(Boolean).join(', '),
    }),
    code: labelText(booking_id, n),
  }))
}

/** Bookings of a file that are read at the same time. */
const readAtOnce = 10

export function createLabelsService({ bookings, languages, pdf, database }: LabelsDeps): LabelsService {
  const write = async (views: readonly BookingView[], locale: string | null) => {
    const { langLocale } = await languages.start(locale)
    const { keyValuePairs: texts, direction } = await languages.pack(langLocale)
    const labels = views.flatMap((view) => labelsOf(view, texts))
    if (labels.length === 0) throw new Refusal('not_found')
    const document: Labels = {
      direction,
      language: langLocale,
      title: texts['delivery.labels'] ?? '',
      labels,
    }
    return pdf.write(document)
  }
  const viewOf = async (actor: Actor, id: string) => {
    const record = await bookings.get(actor, id)
    if (actor.role !== 'admin' && record.booking.customer !== actor.id) throw new Refusal('not_found')
    return bookings.view(actor, record)
  }
  /** The delivery of a file, or the one that replaces it; null if it is cancelled or gone. */
  const openViewOf = async (actor: Actor, id: string): Promise<BookingView | null> => {
    try {
      const view = await viewOf(actor, id)
      if (view.status !== 'CANCELLED') return view
      return view.rebooked_as ? openViewOf(actor, view.rebooked_as) : null
    } catch (error) {
      if (error instanceof Refusal && error.key === 'not_found') return null
      throw error
    }
  }
  return {
    ofBooking: async (actor, id, locale) => write([await viewOf(actor, id)], locale),

    async ofImport(actor, file, part, locale) {
      const page = { limit: maxLabels, offset: (part - 1) * maxLabels }
      const ids = await bookedFrom(database.pool, actor.role === 'admin' ? null : actor.id, file, page)
      const views: BookingView[] = []
      for (let at = 0; at < ids.length; at += readAtOnce) {
        const some = await Promise.all(ids.slice(at, at + readAtOnce).map((id) => openViewOf(actor, id)))
        views.push(...some.filter((view) => view !== null))
      }
      return write(views, locale)
    },
  }
}

/**
 * `GET /api/v1/bookings/{id}/labels.pdf` and `GET /api/v1/me/imports/{id}/labels.pdf?part=1`: the labels of a delivery, and
 * of a file's deliveries, for their sender and admins.
 */
export function mountLabelFiles(
  server: FastifyInstance,
  { labels, authorize, limits }: { labels: LabelsService; authorize: AuthorizeRoute; limits: Limits },
): void {
  const downloads = { config: { rateLimit: { max: limits.exports, groupId: 'labels' } } }
  const send = (reply: FastifyReply, file: Buffer) =>
    reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="labels.pdf"')
      .type('application/pdf')
      .send(file)
  const idOf = (text: string) => {
    if (!z.uuid().safeParse(text).success) throw new Refusal('not_found')
    return text
  }
  server.get<{ Params: { id: string } }>(
    '/api/v1/bookings/:id/labels.pdf',
    downloads,
    async (request, reply) => {
      const actor = await authorize(request, 'GET /api/v1/bookings/:id/labels.pdf')
      const locale = chosenLocale(request.headers)
      return send(reply, await labels.ofBooking(actor, idOf(request.params.id), locale))
    },
  )
  server.get<{ Params: { id: string }; Querystring: { part?: string } }>(
    '/api/v1/me/imports/:id/labels.pdf',
    downloads,
    async (request, reply) => {
      const actor = await authorize(request, 'GET /api/v1/me/imports/:id/labels.pdf')
      const part = labelPart.safeParse(request.query.part ?? '1')
      if (!part.success) throw new Refusal('not_found')
      const locale = chosenLocale(request.headers)
      return send(reply, await labels.ofImport(actor, idOf(request.params.id), part.data, locale))
    },
  )
}

const labelPart = z.coerce.number().pipe(z.int().min(1).max(100))
