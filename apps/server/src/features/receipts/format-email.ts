import type { Receipt } from '@hansom/contract/receipts'
import { moneyText } from '@hansom/domain/money/amount'
import { cityTime } from '@hansom/domain/time/city-time'
import type { CurrentSettings } from '../settings/service.ts'

type Texts = Readonly<Record<string, string>>

/** A line of a receipt email. */
export interface MailLine {
  text: string
  amount: string
  strong: boolean
}

/** The lines of a receipt email in one language. */
export function mailLines(receipt: Receipt, texts: Texts, settings: CurrentSettings): MailLine[] {
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
  return [...lines, ...paid, ...outstanding, ...back, ...net]
}

/** The trip facts above the lines. */
export function mailFacts(receipt: Receipt, texts: Texts, { timezone }: CurrentSettings): [string, string][] {
  const text = (key: string) => texts[key] ?? key
  const time = receipt.ended_at ?? receipt.issued_at
  const facts: [string, string][] = [
    [text('receipts.number'), receipt.number],
    [text('receipts.date'), cityTime(time, timezone).slice(0, 16)],
    [text('receipts.from'), receipt.from],
    [text('receipts.to'), receipt.to],
  ]
  if (receipt.driver)
    facts.push([text('receipts.driver'), `${receipt.driver.name}, ${receipt.driver.vehicle}`])
  return facts
}

/** The email as plain text. */
export function mailText(facts: [string, string][], lines: readonly MailLine[], link: string): string {
  const table = lines.map(({ text, amount }) => `${text}: ${plain(amount)}`)
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
        cell(`<bdi dir="ltr">${escaped(plain(amount))}</bdi>`, `text-align:end;${weight}`),
    )
  })
  const table = (rows: string[]) =>
    `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 20px">${rows.join('')}</table>`
  return `<!doctype html><html dir="${direction}"><body style="margin:0;background:#f4f5f7;color:#15171b;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px 24px;background:#fff"><h1 style="margin:0 0 4px;font-size:22px">${escaped(title)}</h1>
<p style="margin:0 0 20px;color:#5b6068">${escaped(operator)}</p>${table(factRows)}${table(lineRows)}
<p><a href="${escaped(link)}" style="color:#15171b">${escaped(link)}</a></p></div></body></html>`
}

export interface MailPage {
  facts: [string, string][]
  lines: readonly MailLine[]
  link: string
  direction: string
  operator: string
}

/** Removes directional marks, which some email clients show as boxes. */
const plain = (amount: string) => amount.replace(/[\u2066-\u2069]/g, '')
const oneLine = (value: string) => value.replace(/\s+/g, ' ')

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
