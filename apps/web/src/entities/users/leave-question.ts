/** What every page needs of signing out; the rest (`leave.ts`) is loaded when someone signs out. */

/** The question whether the user signs out although something is unsent. */
export interface LeaveQuestion {
  uid: string
  /** Whether a step or a message has been refused since the user wanted to leave; also while they are asked. */
  isRefused: () => boolean
  answer: (isLeaving: boolean) => void
}

let question: LeaveQuestion | null = null
const listeners = new Set<() => void>()
export const leaveQuestion = {
  current: () => question,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  ask(next: LeaveQuestion | null): void {
    question = next
    for (const listener of listeners) listener()
  },
}

export const leaving = {
  /** Sends a driver's steps. Set by the app: only drivers load its code. */
  sendSteps: async (_uid: string): Promise<void> => {},
  /** Steps that the server has refused, which are no longer stored. */
  refusedSteps: 0,
}
