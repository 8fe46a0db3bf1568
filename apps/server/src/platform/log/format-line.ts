const levels: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** Formats a JSON log line for a terminal: time, level, message, then the rest as key=value. */
export function formatLine(line: string): string {
  let event: Record<string, unknown>
  try {
    event = JSON.parse(line) as Record<string, unknown>
  } catch {
    return line
  }
  const { time, level, msg, err, ...rest } = event
  const parts = [
    new Date(Number(time)).toISOString().slice(11, 19),
    (levels[Number(level)] ?? String(level)).padEnd(5),
    String(msg ?? ''),
    ...Object.entries(rest).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ]
  const stack = (err as { stack?: string } | undefined)?.stack
  return `${parts.join(' ').trimEnd()}${stack === undefined ? '' : `\n  ${stack.replaceAll('\n', '\n  ')}`}\n`
}
