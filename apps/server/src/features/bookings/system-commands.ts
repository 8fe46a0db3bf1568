import type { InputOf } from '@hansom/domain/bookings/facts'
import { Refusal } from '@hansom/domain/error-keys'
import { type CommandDeps, type GivenCommand, runCommand } from './run-command.ts'
import type { BookingWithRequests } from './view.ts'

type Captured = Omit<InputOf<'settle_capture'>, 'command'>

/**
 * The booking commands that payments give. All throw Refusal and can be repeated: a command that has already run is
 * refused.
 */
export type BookingSystemCommands = ReturnType<typeof bookingSystemCommands>

export function bookingSystemCommands(deps: CommandDeps) {
  const run = (
    booking: string,
    given: Pick<GivenCommand, 'command' | 'input' | 'unlessPaying'>,
  ): Promise<BookingWithRequests> =>
    runCommand(deps, { booking, by: { actor: 'system', id: null }, ...given })
  return {
    /** A prepayment was captured. */
    capturePayment: (booking: string, captured: Captured) =>
      run(booking, {
        command: 'capture_payment',
        input: () => ({ command: 'capture_payment', ...captured }),
      }),
    /** The amount due for a closed trip was captured. */
    settleCapture: (booking: string, captured: Captured) =>
      run(booking, { command: 'settle_capture', input: () => ({ command: 'settle_capture', ...captured }) }),
    /**
     * Releases the wallet hold of a card payment unless a payment is in progress: `isPaying` is checked first, and the
     * commit requires that no attempt was started since. Throws conflict otherwise.
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
