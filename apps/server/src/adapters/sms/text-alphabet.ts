const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'
const known = new Set(basic + extension)

/** Whether a text fits the default SMS alphabet (3GPP TS 23.038, 6.2.1): 160 characters per message instead of 70. */
export function fitsDefaultAlphabet(text: string): boolean {
  return Array.from(text).every((sign) => known.has(sign))
}
