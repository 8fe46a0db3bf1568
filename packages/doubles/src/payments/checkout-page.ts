import type { DoubleResponse } from './double-server.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A provider's hosted page: its buttons post `decision` (approve or decline) to the page's URL, its link leads back to
 * the shop.
 */
export function checkoutPage(
  provider: string,
  { lines, back, notice }: { lines: string[]; back: string; notice?: string },
): DoubleResponse {
  const alert = notice === undefined ? '' : `<p role="alert">${escaped(notice)}</p>`
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(provider)}</title>
<style>body{font:16px/1.5 system-ui;max-width:24rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>
<h1>${escaped(provider)}</h1>${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}${alert}
<form method="post"><button name="decision" value="approve">Pay</button>
<button name="decision" value="decline">Decline</button></form>
<p><a href="${escaped(back)}">Back to the shop</a></p></html>`,
  }
}
