import type { Receipt } from '@hansom/contract/receipts'
import { translateExtra } from '@hansom/domain/car-types/check-car-type'
import { toCityUnit } from '@hansom/domain/geo/distance-unit'
import { translateCopy } from '@hansom/domain/languages/translations'
import { moneyText, unit } from '@hansom/domain/money/amount'
import { dateStyle, fullDateTimeStyle } from '@hansom/domain/time/date-style'
import type { Sheet } from '../../platform/pdf/sheet.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { CurrentSettings } from '../settings/service.ts'

type Texts = Readonly<Record<string, string>>

/** The reader's texts, and the locales of their numbers and of their dates. */
interface Reader {
  texts: Texts
  language: string
  dateLocale: string
}

/** A line of a receipt as text. */
interface ReceiptLine {
  text: string
  amount: string
  strong: boolean
}

/** The receipt with the names of its car type, parcel type and option in a language. */
export function receiptIn(
  language: string,
  receipt: Receipt,
  carTypes: Awaited<ReturnType<CarTypesService['list']>>,
): Receipt {
  return {
    ...receipt,
    carType: translateCopy(carTypes, 'name', receipt.carType, language),
    parcel: receipt.parcel.map((stored) => translateExtra(carTypes, stored, language)),
  }
}

/** The lines of a receipt in one language: its price with the tax in it, and how it was paid. */
export function receiptTexts(
  receipt: Receipt,
  { texts, dateLocale }: Pick<Reader, 'texts' | 'dateLocale'>,
  settings: CurrentSettings,
): { price: ReceiptLine[]; paid: ReceiptLine[] } {
  const money = (amount: number) => moneyText(amount, receipt.decimal, settings)
  const text = (key: string) => texts[key] ?? key
  const day = new Intl.DateTimeFormat(dateLocale, { ...dateStyle, timeZone: settings.timezone })
  const lines = receipt.lines.map(({ key, amount, kind }) => ({
    text: text(key),
    amount: money(amount),
    strong: kind === 'total' || kind === 'due',
  }))
  const paid = receipt.paid.map(({ key, amount, provider }) => ({
    text: provider === null ? text(key) : `${text(key)} (${text(`payments.provider_${provider}`)})`,
    amount: money(amount),
    strong: false,
  }))
  const outstanding =
    receipt.outstanding > 0
      ? [{ text: text('receipts.outstanding'), amount: money(receipt.outstanding), strong: false }]
      : []
  const back = receipt.refunds.map(({ amount, at, reason, state }) => ({
    text: [
      text('receipts.refund'),
      day.format(at),
      reason,
      state === 'confirmed' ? '' : text('receipts.refund_on_way'),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    amount: money(-amount),
    strong: false,
  }))
  const net =
    back.length === 0 ? [] : [{ text: text('receipts.net'), amount: money(receipt.net), strong: true }]
  const taxes = (rows: Receipt['tax']) =>
    rows.map((one) => ({
      text: taxText(one, text('receipts.tax'), money),
      amount: money(one.amount),
      strong: false,
    }))
  return {
    price: [...lines, ...taxes(receipt.tax)],
    paid: [...paid, ...outstanding, ...back, ...net, ...taxes(receipt.net_tax)],
  }
}

/** Such as "Includes VAT 7.7 % of $100". */
function taxText(
  { name, rate, base }: Receipt['tax'][number],
  text: string,
  money: (amount: number) => string,
) {
  return text
    .replaceAll('{{name}}', name)
    .replaceAll('{{rate}}', String(rate / unit))
    .replaceAll('{{base}}', money(base))
}

/** The facts above the lines: those of the page. */
export function receiptFacts(
  receipt: Receipt,
  { texts, language, dateLocale }: Reader,
  { timezone, convert_to_mile }: CurrentSettings,
): [string, string][] {
  const { driver, begun_at, ended_at, distance, seconds } = receipt
  const times = new Intl.DateTimeFormat(dateLocale, { ...fullDateTimeStyle, timeZone: timezone })
  const time = (at: number) => times.format(at)
  // As on the page: the short form of minutes in these languages is a single letter, or for print only.
  const spoken = /^(ar|hi)\b/.test(language) ? 'long' : 'short'
  const unitText = (value: number, unit: string, maximumFractionDigits: number) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: unit === 'minute' ? spoken : 'short',
      maximumFractionDigits,
    }).format(value)
  const facts: [string, string | null][] = [
    ['number', receipt.serial],
    ['booking', receipt.number],
    ['issued', time(receipt.issued_at)],
    ['rider', receipt.rider.name],
    ['driver', driver && `${driver.name}, ${driver.vehicle}`],
    ['car', receipt.carType],
    ['parcel', receipt.parcel.join(' · ')],
    ['from', receipt.from],
    ...stopFacts(receipt, texts),
    ...(begun_at === null || ended_at === null
      ? []
      : ([
          ['begun', time(begun_at)],
          ['ended', time(ended_at)],
        ] as [string, string][])),
    ...(distance === null
      ? []
      : ([
          [
            'distance',
            unitText(toCityUnit(distance, convert_to_mile), convert_to_mile ? 'mile' : 'kilometer', 1),
          ],
          ['time', unitText(Math.max(1, Math.round((seconds ?? 0) / 60)), 'minute', 0)],
        ] as [string, string][])),
  ]
  return facts.flatMap(([name, value]): [string, string][] => (value ? [[labelOf(name, texts), value]] : []))
}

function labelOf(name: string, texts: Texts): string {
  const [key, number = ''] = name.split(' ')
  return (texts[`receipts.${key}`] ?? `receipts.${key}`).replaceAll('{{number}}', number)
}

/** Where a trip went, or the drops of a delivery. */
function stopFacts({ stops, to }: Receipt, texts: Texts): [string, string][] {
  if (stops.length === 0) return [['to', to]]
  return stops.map(({ address, outcome }, index) => {
    const failed = outcome === 'delivered' ? '' : ` · ${texts['receipts.not_delivered']}`
    return [`stop ${index + 1}`, `${address}${outcome === null ? '' : failed}`]
  })
}

/** The receipt as a document in one language. */
export function receiptSheet(
  receipt: Receipt,
  reader: Reader & { direction: 'ltr' | 'rtl' },
  settings: CurrentSettings,
): Sheet {
  const { texts, direction, language } = reader
  const text = (key: string) => texts[key] ?? key
  const { operator } = receipt
  const { price, paid } = receiptTexts(receipt, reader, settings)
  const rows = (lines: readonly ReceiptLine[]) =>
    lines.map(({ text: label, amount, strong }) => ({ label, value: amount, strong }))
  return {
    direction,
    language,
    title: text('receipts.title'),
    issuer: [
      operator.name,
      operator.address,
      operator.tax_number &&
        text('receipts.tax_number').replaceAll('{{number}}', `\u2066${operator.tax_number}\u2069`),
      [operator.website, operator.email].filter(Boolean).join(' \u00b7 '),
    ].filter(Boolean),
    facts: receiptFacts(receipt, reader, settings).map(([label, value]) => ({ label, value })),
    tables: [
      { title: text('receipts.of_trip'), rows: rows(price) },
      ...(paid.length > 0 ? [{ title: text('receipts.how_paid'), rows: rows(paid) }] : []),
    ],
    notes: [text('receipts.currency').replaceAll('{{currency}}', receipt.currency)],
  }
}
