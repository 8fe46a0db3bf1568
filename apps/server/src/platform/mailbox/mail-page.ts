/** An email as an HTML page: a heading, the operator's name below it, and `body`, which is HTML. */
export function mailPage(page: { title: string; operator: string; direction: string; body: string }): string {
  const { title, operator, direction, body } = page
  return `<!doctype html><html dir="${direction}"><body style="margin:0;background:#f4f5f7;color:#15171b;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px 24px;background:#fff"><h1 style="margin:0 0 4px;font-size:22px">${escaped(title)}</h1>
<p style="margin:0 0 20px;color:#5b6068">${escaped(operator)}</p>${body}</div></body></html>`
}

/** A link whose text is its URL. */
export const mailLink = (url: string) => `<a href="${escaped(url)}" style="color:#15171b">${escaped(url)}</a>`

/** Removes directional marks, which some email clients show as boxes. */
export const withoutMarks = (text: string) => text.replace(/[\u2066-\u2069]/g, '')

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
