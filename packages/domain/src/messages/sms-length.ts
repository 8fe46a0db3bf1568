const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** These take two characters. */
const extension = '\f^{}\\[~]|€'
const known = new Set(basic + extension)

/** Whether a text fits the default SMS alphabet (3GPP TS 23.038, 6.2.1): 160 characters per message instead of 70. */
export function fitsDefaultAlphabet(text: string): boolean {
  return Array.from(text).every((sign) => known.has(sign))
}

/** The most messages that one text may be split into. */
export const maxSmsSegments = 2

/**
 * The number of messages that a text is sent and charged as: one of 160 characters (70 UTF-16 units in another alphabet), or
 * several of 153 (67), because each part of a long text has a header (3GPP TS 23.040, 9.2.3.24.1). No part ends within a
 * sign of two characters.
 */
export function smsSegments(text: string): number {
  const isDefault = fitsDefaultAlphabet(text)
  const [single, part] = isDefault ? [160, 153] : [70, 67]
  const lengths = Array.from(text, (sign) => (isDefault ? (extension.includes(sign) ? 2 : 1) : sign.length))
  if (lengths.reduce((sum, length) => sum + length, 0) <= single) return 1
  let [parts, used] = [1, 0]
  for (const length of lengths) {
    const fits = used + length <= part
    if (!fits) parts += 1
    used = fits ? used + length : length
  }
  return parts
}

/** Signs of the typography that have a plain form in the default alphabet. */
const plainSigns: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
}

/** A text with letters and signs that the default alphabet lacks in their plain form, such as o for ó. */
function inDefaultAlphabet(text: string): string {
  return Array.from(text, (sign) =>
    known.has(sign) ? sign : (plainSigns[sign] ?? sign.normalize('NFD').replace(/\p{M}/gu, '')),
  ).join('')
}

/** Values of a text that may be cut, because a link or another message has the rest. */
const shortenable = ['sender', 'car', 'pickup', 'drop']
const shortestValue = 6

/**
 * Writes a text for at most `maxSmsSegments`. It loses its accents where that leaves only signs of the default alphabet and saves a
 * message. If it is still too long, its names and addresses are cut as far as needed, the longest one first.
 */
export function writeSms(
  write: (params: Readonly<Record<string, string>>) => string,
  params: Readonly<Record<string, string>>,
): string {
  const cut: Record<string, string> = { ...params }
  for (;;) {
    const written = write(cut)
    const plain = inDefaultAlphabet(written)
    const isShorter = fitsDefaultAlphabet(plain) && smsSegments(plain) < smsSegments(written)
    const text = isShorter ? plain : written
    const [longest] = shortenable
      .flatMap((name) => ({ name, signs: Array.from(cut[name] ?? '') }))
      .toSorted((a, b) => b.signs.length - a.signs.length)
    if (smsSegments(text) <= maxSmsSegments || !longest || longest.signs.length <= shortestValue) return text
    cut[longest.name] = longest.signs.slice(0, -1).join('').trimEnd()
  }
}
