/** Translates a reason. The platform's own reasons have a translation; others are free text and returned unchanged. */
export function reasonText(reason: string, t: (key: string) => string): string {
  const key = `trip.reason_${reason.replaceAll(' ', '_')}`
  const words = t(key)
  return words === key ? reason : words
}

/** The parameters of a notification with the reason translated. */
export function noticeParams(
  params: Record<string, string>,
  t: (key: string) => string,
): Record<string, string> {
  const { reason } = params
  return reason === undefined ? params : { ...params, reason: reasonText(reason, t) }
}
