import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '@hansom/domain/error-keys'
import type { Labels } from './labels.ts'
import type { Sheet } from './sheet.ts'

/** Writes sheets and labels as PDF files in a separate process, because rendering blocks its event loop. */
export interface SheetWriter {
  /** Throws `too_many_requests` while many wait, and an error when the sheet cannot be written in time. */
  write(sheet: Sheet | Labels): Promise<Buffer>
  close(): void
}

interface Options {
  /** The most sheets that may wait. */
  maxWaiting?: number
  /** Time limit of one sheet, more for many labels, and idle time after which the process ends, ms. */
  timeLimitMs?: number
  idleMs?: number
}

/** Additional time for each label, ms. */
const labelMs = 100

type Answer = { pdf: Uint8Array } | { error: string }

// A server running from source runs the child process from source too.
const isBundle = import.meta.url.endsWith('/main.js')
const program = fileURLToPath(new URL(isBundle ? 'sheet-process.js' : 'sheet-process.ts', import.meta.url))

export function createSheetWriter({
  maxWaiting = 20,
  timeLimitMs = 20_000,
  idleMs = 60_000,
}: Options = {}): SheetWriter {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let waiting = 0
  let writing = false
  /** Those that wait for their turn. Receipts precede labels, which take seconds. */
  const turns: { sheet: Sheet | Labels; begin: () => void }[] = []

  const stop = () => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
  }

  const start = (): ChildProcess => {
    const one = fork(program, [], {
      execArgv: isBundle ? ['--enable-source-maps'] : ['--import', 'tsx'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    one.once('exit', () => {
      if (child === one) child = null
    })
    // An idle process must not keep the server running; it ends when the channel closes.
    one.unref()
    one.channel?.unref()
    return one
  }

  const writeNow = (sheet: Sheet | Labels): Promise<Buffer> => {
    clearTimeout(idle)
    child ??= start()
    const one = child
    one.channel?.ref()
    return new Promise<Buffer>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(limit)
        one.off('message', answered).off('exit', died).off('error', died)
        one.channel?.unref()
        idle = setTimeout(stop, idleMs).unref()
        settle()
      }
      const answered = (answer: Answer) =>
        end(() => ('pdf' in answer ? resolve(Buffer.from(answer.pdf)) : reject(new Error(answer.error))))
      const died = () => end(() => reject(new Error('the process that writes PDF files ended')))
      const limitMs = timeLimitMs + ('labels' in sheet ? sheet.labels.length * labelMs : 0)
      const limit = setTimeout(() => {
        end(() => reject(new Error('the PDF file was not written in time')))
        stop()
      }, limitMs)
      one.once('message', answered).once('exit', died).once('error', died)
      one.send(sheet, (error) => error && died())
    })
  }

  const turn = async (sheet: Sheet | Labels): Promise<void> => {
    if (writing) await new Promise<void>((begin) => turns.push({ sheet, begin }))
    writing = true
  }
  const next = () => {
    const receipt = turns.findIndex(({ sheet }) => !('labels' in sheet))
    const [first] = turns.splice(Math.max(0, receipt), 1)
    if (first) first.begin()
    else writing = false
  }

  return {
    async write(sheet) {
      const areLabels = 'labels' in sheet
      const labelsWaiting = turns.filter((one) => 'labels' in one.sheet).length
      // Labels leave half of the room to receipts.
      if (waiting >= maxWaiting || (areLabels && labelsWaiting >= maxWaiting / 2))
        throw new Refusal('too_many_requests', { data: { retryAfterS: 5 } })
      waiting++
      try {
        await turn(sheet)
        try {
          return await writeNow(sheet)
        } finally {
          next()
        }
      } finally {
        waiting--
      }
    },
    close: stop,
  }
}
