import type { InputOf } from '@hansom/domain/bookings/facts'
import { Refusal } from '@hansom/domain/error-keys'
import { type CommandDeps, type GivenCommand, runCommand } from './run-command.ts'
import type { WholeBooking } from './view.ts'

type Captured = Omit<InputOf<'settle_capture'>, 'command'>

/** What payments tell bookings. All throw Refusal, and may be told again: what was done is refused then. */
export type BookingSystemCommands = ReturnType<typeof bookingSystemCommands>

export function bookingSystemCommands(deps: CommandDeps) {
  const run = (
    booking: string,
    given: Pick<GivenCommand, 'command' | 'input' | 'unlessPaying'>,
  ): Promise<WholeBooking> => runCommand(deps, { booking, by: { actor: 'system', id: null }, ...given })
  return {
    /** What was to be paid in advance has been captured. */
    capturePayment: (booking: string, captured: Captured) =>
      run(booking, {
        command: 'capture_payment',
        input: () => ({ command: 'capture_payment', ...captured }),
      }),
    /** What was due for a closed trip has been captured. */
    settleCapture: (booking: string, captured: Captured) =>
      run(booking, { command: 'settle_capture', input: () => ({ command: 'settle_capture', ...captured }) }),
    /**
     * The wallet's part that waits for the card goes back, unless somebody pays: `isPaying` is asked before, and its answer
     * still holds when the booking has changed. Throws conflict then.
     */
    releaseHold: (booking: string, isPaying: () => Promise<boolean>) =>
      run(booking, {
        command: 'release_hold',
        unlessPaying: true,
        input: async () => {
          if (await isPaying()) throw new Refusal('conflict')
          return { command: 'release_hold' }
        },
      }),
  }
}
