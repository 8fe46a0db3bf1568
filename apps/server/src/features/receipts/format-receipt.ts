import type { Receipt } from '@hansom/contract/receipts'
import { moneyText, unit } from '@hansom/domain/money/amount'
import { cityTime } from '@hansom/domain/time/city-time'
import { escaped, mailLink, mailPage, withoutMarks } from '../../platform/mailbox/mail-page.ts'
import type { Sheet } from '../../platform/pdf/sheet.ts'
import type { CurrentSettings } from '../settings/service.ts'

type Texts = Readonly<Record<string, string>>

/** A line of a receipt as text. */
export interface MailLine {
  text: string
  amount: string
  strong: boolean
}

/** The lines of a receipt in one language: its price with the tax in it, and how it was paid. */
export function receiptTexts(
  receipt: Receipt,
  texts: Texts,
  settings: CurrentSettings,
): { price: MailLine[]; paid: MailLine[] } {
  const money = (amount: number) => moneyText(amount, receipt.decimal, settings)
  const text = (key: string) => texts[key] ?? key
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
  const back = receipt.refunds.map(({ amount, reason }) => ({
    text: reason === '' ? text('receipts.refund') : `${text('receipts.refund')}: ${reason}`,
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

/** The trip facts above the lines. */
export function receiptFacts(
  receipt: Receipt,
  texts: Texts,
  { timezone }: CurrentSettings,
): [string, string][] {
  const text = (key: string) => texts[key] ?? key
  const time = receipt.ended_at ?? receipt.issued_at
  const facts: [string, string][] = [
    [text('receipts.number'), receipt.serial],
    [text('receipts.booking'), receipt.number],
    [text('receipts.date'), cityTime(time, timezone).slice(0, 16)],
    [text('receipts.from'), receipt.from],
    [text('receipts.to'), receipt.to],
  ]
  if (receipt.driver)
    facts.push([text('receipts.driver'), `${receipt.driver.name}, ${receipt.driver.vehicle}`])
  return facts
}

/** The receipt as a document in one language. */
export function receiptSheet(
  receipt: Receipt,
  { texts, direction, language }: { texts: Texts; direction: 'ltr' | 'rtl'; language: string },
  settings: CurrentSettings,
): Sheet {
  const text = (key: string) => texts[key] ?? key
  const { operator } = receipt
  const { price, paid } = receiptTexts(receipt, texts, settings)
  const rows = (lines: readonly MailLine[]) =>
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
    facts: [
      ...receiptFacts(receipt, texts, settings).map(([label, value]) => ({ label, value })),
      { label: text('receipts.rider'), value: receipt.rider.name },
    ],
    tables: [
      { title: text('receipts.of_trip'), rows: rows(price) },
      ...(paid.length > 0 ? [{ title: text('receipts.how_paid'), rows: rows(paid) }] : []),
    ],
    notes: [text('receipts.currency').replaceAll('{{currency}}', receipt.currency)],
  }
}

/** The email as plain text. */
export function mailText(facts: [string, string][], lines: readonly MailLine[], link: string): string {
  const table = lines.map(({ text, amount }) => `${text}: ${withoutMarks(amount)}`)
  return [...facts.map(([name, value]) => `${name}: ${oneLine(value)}`), '', ...table, '', link].join('\n')
}

/** The email as an HTML page; user input is escaped. */
export function mailHtml(title: string, { facts, lines, link, direction, operator }: MailPage): string {
  const row = (cells: string) => `<tr>${cells}</tr>`
  const cell = (text: string, style: string) => `<td style="padding:6px 0;${style}">${text}</td>`
  const factRows = facts.map(([name, value]) =>
    row(
      cell(escaped(name), 'color:#5b6068;padding-inline-end:16px') + cell(`<bdi>${escaped(value)}</bdi>`, ''),
    ),
  )
  const lineRows = lines.map(({ text, amount, strong }) => {
    const weight = strong ? 'font-weight:600;border-top:1px solid #d9dbe0' : ''
    return row(
      cell(escaped(text), weight) +
        cell(`<bdi dir="ltr">${escaped(withoutMarks(amount))}</bdi>`, `text-align:end;${weight}`),
    )
  })
  const table = (rows: string[]) =>
    `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 20px">${rows.join('')}</table>`
  const body = `${table(factRows)}${table(lineRows)}
<p>${mailLink(link)}</p>`
  return mailPage({ title, operator, direction, body })
}

export interface MailPage {
  facts: [string, string][]
  lines: readonly MailLine[]
  link: string
  direction: string
  operator: string
}

const oneLine = (value: string) => value.replace(/\s+/g, ' ')
