/** A line of a benchmark's result. */
export interface Line {
  job: string
  unit: string
  ours: number
  /** The peer's figure, or the limit that ours must stay below. */
  peer: number
  peer_name: string
  /** Above 1 is better than the peer, or within the limit. */
  ratio: number
}

/** A figure beside the limit that it must stay below. */
export function against(job: string, unit: string, ours: number, limit: number): Line {
  return {
    job,
    unit,
    ours: rounded(ours),
    peer: rounded(limit),
    peer_name: 'limit',
    ratio: ratioOf(limit, ours),
  }
}

export const ratioOf = (peer: number, ours: number): number => Math.round((peer / ours) * 10) / 10

/** To thousandths. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000
