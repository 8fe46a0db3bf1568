import { describeError } from './log.ts'

type ErrorKind = abstract new (...args: never[]) => Error

/** Prints what ended a command: only the message of `printable` kinds, which says what to do, otherwise the stack. */
export function printError(error: unknown, printable: readonly ErrorKind[]): void {
  const isPrintable = printable.some((kind) => error instanceof kind)
  const message = isPrintable ? (error as Error).message : (describeError(error) as { stack?: string }).stack
  process.stderr.write(`\n${message}\n\n`)
}
