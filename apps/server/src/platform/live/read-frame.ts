import { type ClientFrame, clientFrame } from '@hansom/contract/live'
import type { RawData } from 'ws'

/** Parses a client's frame; returns null for anything but the protocol's JSON text. Never throws. */
export function readFrame(data: RawData, isBinary: boolean): ClientFrame | null {
  if (isBinary) return null
  try {
    const parsed = clientFrame.safeParse(JSON.parse(String(data)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
