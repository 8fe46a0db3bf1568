import { type ClientFrame, clientFrame } from '@hansom/contract/live'
import type { RawData } from 'ws'

/** A client's frame, or null for anything else than the protocol's JSON text. Never throws. */
export function readFrame(data: RawData, isBinary: boolean): ClientFrame | null {
  if (isBinary) return null
  try {
    const parsed = clientFrame.safeParse(JSON.parse(String(data)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
