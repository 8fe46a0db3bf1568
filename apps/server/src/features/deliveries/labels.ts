import type { BookingView } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { labelText } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Label, Labels } from '../../platform/pdf/labels.ts'
import type { SheetWriter } from '../../platform/pdf/sheet-writer.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { LanguagesService } from '../languages/service.ts'

/** Labels for the parcels of a delivery. */
export interface LabelsService {
  /** One label for each drop, as a PDF in a language. Throws not_found for others than the sender and admins. */
  ofBooking(actor: Actor, booking: string, locale: string | null): Promise<Buffer>
}

interface LabelsDeps {
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

export function createLabelsService({ bookings, languages, pdf }: LabelsDeps): LabelsService {
  return {
    async ofBooking(actor, id, locale) {
      const record = await bookings.get(actor, id)
      if (actor.role !== 'admin' && record.booking.customer !== actor.id) throw new Refusal('not_found')
      const { langLocale } = await languages.start(locale)
      const { keyValuePairs: texts, direction } = await languages.pack(langLocale)
      const labels = labelsOf(await bookings.view(actor, record), texts)
      if (labels.length === 0) throw new Refusal('not_found')
      const title = texts['delivery.labels'] ?? ''
      const document: Labels = { direction, language: langLocale, title, labels }
      return pdf.write(document)
    },
  }
}

/** `GET /api/v1/bookings/{id}/labels.pdf`: the labels of a delivery, for its sender and admins. */
export function mountLabelFiles(
  server: FastifyInstance,
  { labels, authorize, limits }: { labels: LabelsService; authorize: AuthorizeRoute; limits: Limits },
): void {
  const downloads = { config: { rateLimit: { max: limits.exports, groupId: 'labels' } } }
  server.get<{ Params: { id: string } }>(
    '/api/v1/bookings/:id/labels.pdf',
    downloads,
    async (request, reply) => {
      const actor = await authorize(request, 'GET /api/v1/bookings/:id/labels.pdf')
      if (!z.uuid().safeParse(request.params.id).success) throw new Refusal('not_found')
      const file = await labels.ofBooking(actor, request.params.id, chosenLocale(request.headers))
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="labels.pdf"')
        .type('application/pdf')
        .send(file)
    },
  )
}
