/** A piece of a message. `href` of a link is within this site when the link leads here. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'code'; text: string }

const piece = /(https?:\/\/[^\s<>"]+)|(?<!\d)(\d{5,6})(?!\d)/g

/** Finds the links and codes (five or six digits) of a message. `origin` is this site's. */
export function splitText(text: string, origin: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(piece)) {
    // A sentence may end right after a link.
    const found = match[1] ? match[0].replace(/[.,;:!?)\u060c\u061f]+$/, '') : match[0]
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    if (match[1]) {
      const href = found.startsWith(`${origin}/`) ? found.slice(origin.length) : found
      parts.push({ kind: 'link', text: found, href })
    } else {
      parts.push({ kind: 'code', text: found })
    }
    end = match.index + found.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
