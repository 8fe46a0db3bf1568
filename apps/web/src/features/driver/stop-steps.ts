import type { BookingView } from '@hansom/contract/bookings'
import { type NeededProof, proofsFor } from '@hansom/domain/deliveries/courier-steps'
import type { ProofKind } from '@hansom/domain/deliveries/delivery'
import type { TakenStep } from './trip-commands.ts'

type DeliveryView = NonNullable<BookingView['delivery']>
export type StopView = DeliveryView['stops'][number]
type ProofSettings = Parameters<typeof proofsFor>[1]

/** The stops of a delivery after its pending steps. The first failed drop opens the return stop. */
export function stopsAfter({ stops }: DeliveryView, tapped: readonly TakenStep[]): StopView[] {
  return tapped.reduce<StopView[]>(
    (now, { step, stop: n, reason, held }) => {
      if (held || (step !== 'start' && step !== 'deliver' && step !== 'fail_drop')) return now
      const settled = now.map((stop): StopView => {
        if (stop.outcome !== null || stop.n !== (n ?? 0)) return stop
        if (step === 'start') return { ...stop, outcome: 'collected' }
        if (step === 'deliver') return { ...stop, outcome: stop.kind === 'return' ? 'returned' : 'delivered' }
        return { ...stop, outcome: 'failed', failure: reason ?? null }
      })
      const [pickup] = settled
      const last = settled.at(-1)
      const opensReturn = step === 'fail_drop' && pickup && last && last.kind !== 'return'
      return opensReturn ? [...settled, returnTo(pickup, last)] : settled
    },
    [...stops],
  )
}

/** The return stop that the server opens, too; see `returnStop` of the domain. */
function returnTo(pickup: StopView, { n }: StopView): StopView {
  return {
    ...pickup,
    n: n + 1,
    kind: 'return',
    outcome: null,
    done_at: null,
    photo: null,
    signature: null,
    collect: null,
    code: null,
    code_needed: false,
    window_from: null,
    window_to: null,
  }
}

/** The stop to visit next; null when all are settled. Failed parcels are returned last. */
export function nextStop(stops: readonly StopView[]): StopView | null {
  return stops.find(({ outcome }) => outcome === null) ?? null
}

/** True if the step leaves no stop open, so that the trip may end. */
export function settlesAll(delivery: DeliveryView, tapped: readonly TakenStep[]): boolean {
  return nextStop(stopsAfter(delivery, tapped)) === null
}

/** What the courier confirms at a stop: its cash and its proofs. */
export type StopNeed = NeededProof | 'cash'

export function neededAt({ kind, code_needed, collect }: StopView, settings: ProofSettings): StopNeed[] {
  return [...(collect === null ? [] : ['cash' as const]), ...proofsFor({ kind, code: code_needed }, settings)]
}

/** Where the image of a stop is uploaded. */
export function proofPath(booking: string, stop: number, kind: ProofKind): string {
  const base = `/api/v1/bookings/${booking}`
  if (kind === 'signature') return `${base}/stops/${stop}/signature`
  return stop === 0 ? `${base}/pickup_image` : `${base}/stops/${stop}/deliver_image`
}
